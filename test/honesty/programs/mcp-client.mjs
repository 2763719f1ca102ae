// An MCP client over its standard streams that sends what its argument says, a message after the other was answered:
// `[{"method": "tools/list"}, {"bytes": "…"}]`, bytes in base64. Then it ends, or dies.
import { createInterface } from 'node:readline';

const [script, how] = process.argv.slice(2);
const steps = JSON.parse(script);
const answered = new Map();
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (method === undefined) answered.get(id)?.();
});

const write = (text) => new Promise((resolve) => process.stdout.write(text, resolve));
let lastId = 0;

async function ask(method, params = {}) {
  lastId += 1;
  const id = lastId;
  const answer = new Promise((resolve) => answered.set(id, resolve));
  await write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  await answer;
}

const clientInfo = { name: 'program', version: '1' };
await ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
await write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
for (const { method, params, bytes } of steps) {
  if (bytes === undefined) await ask(method, params);
  else await write(Buffer.from(bytes, 'base64'));
}
if (how === 'dies') process.kill(process.pid, 'SIGKILL');
process.exit(0);
