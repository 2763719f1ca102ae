// A small agent that calls the tool of its server once and answers, unless its argument names another end: `crash`,
// `hang`, `loop`, `apologise`, or `break`, which fails before any call.
import { readFileSync } from 'node:fs';

const [, , fate] = process.argv;
const { mcpServers } = JSON.parse(readFileSync(process.env.OATF_MCP_CONFIG, 'utf8'));
const [{ url }] = Object.values(mcpServers);
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
let id = 0;

async function post(message) {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  const response = await fetch(url, { method: 'POST', headers, body });
  headers['mcp-session-id'] ??= response.headers.get('mcp-session-id');
  return response.text();
}

if (fate === 'break') process.exit(4);
const clientInfo = { name: 'small', version: '1' };
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
await post({ id: ++id, method: 'initialize', params });
await post({ method: 'notifications/initialized' });
const call = () => post({ id: ++id, method: 'tools/call', params: { name: 'report', arguments: { of: 'today' } } });
await call();
if (fate === 'crash') process.kill(process.pid, 'SIGSEGV');
if (fate === 'hang') setInterval(() => {}, 1_000);
else if (fate === 'loop') for (;;) await call();
else console.log('The report is 7 pages long.');
