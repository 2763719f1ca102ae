// An MCP client over its standard streams that sends what its argument says, a message after the other was answered:
// `[{"method": "tools/list"}, {"bytes": "…"}]`, bytes in base64. Then it ends. The second argument is the era.
import { createInterface } from 'node:readline';

const [script, era] = process.argv.slice(2);
const isModern = era === '2026-07-28';
const steps = JSON.parse(script);
const answered = new Map();
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === undefined) answered.get(id)?.();
});

const write = (text) => new Promise((resolve) => process.stdout.write(text, resolve));
let lastId = 0;

const clientInfo = { name: 'program', version: '1' };
const _meta = {
  'io.modelcontextprotocol/protocolVersion': era,
  'io.modelcontextprotocol/clientInfo': clientInfo,
  'io.modelcontextprotocol/clientCapabilities': {},
};

async function ask(method, written = {}) {
  const params = isModern ? { ...written, _meta } : written;
  lastId += 1;
  const id = lastId;
  const answer = new Promise((resolve) => answered.set(id, resolve));
  await write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  await answer;
}

if (isModern) await ask('server/discover');
else {
  await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  await write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
}
for (const { method, params, bytes } of steps) {
  if (bytes === undefined) await ask(method, params);
  else await write(Buffer.from(bytes, 'base64'));
}
process.exit(0);
