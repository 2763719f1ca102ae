// An MCP server over its standard streams. For each method its argument says what to write, `{{id}}` filled in and what
// every result of the era begins with (`{{envelope}}`), and how to end: `{"tools/call": {"lines": ["…"], "exit": 3}}`. The
// second argument is the era.
import { createInterface } from 'node:readline';

const deeds = JSON.parse(process.argv[2]);
const isModern = process.argv[3] === '2026-07-28';
const greeting = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'program', version: '1' },
};
const discovered = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  ttlMs: 0,
  cacheScope: 'private',
};
const greetings = isModern ? { 'server/discover': discovered } : { initialize: greeting };
const result = (id, value) => JSON.stringify({ jsonrpc: '2.0', id, result: value });

const envelope = isModern ? '"resultType": "complete", ' : '';

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const usual = { lines: [result(id, greetings[method] ?? {})] };
  const { lines = [], exit, signal } = deeds[method] ?? usual;
  const text = lines
    .map((each) => `${each.replaceAll('{{id}}', JSON.stringify(id)).replace('{{envelope}}', envelope)}\n`)
    .join('');
  process.stdout.write(text, () => {
    if (signal !== undefined) process.kill(process.pid, signal);
    if (exit !== undefined) process.exit(exit);
  });
});
