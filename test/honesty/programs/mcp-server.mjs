// An MCP server over its standard streams. For each method its argument says what to write, `{{id}}` filled in, and how
// to end: `{"tools/call": {"lines": ["…"], "exit": 3}}`.
import { createInterface } from 'node:readline';

const deeds = JSON.parse(process.argv[2]);
const greeting = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'program', version: '1' },
};
const result = (id, value) => JSON.stringify({ jsonrpc: '2.0', id, result: value });

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const usual = { lines: [result(id, method === 'initialize' ? greeting : {})] };
  const { lines = [], exit, signal } = deeds[method] ?? usual;
  const text = lines.map((each) => `${each.replaceAll('{{id}}', JSON.stringify(id))}\n`).join('');
  process.stdout.write(text, () => {
    if (signal !== undefined) process.kill(process.pid, signal);
    if (exit !== undefined) process.exit(exit);
  });
});
