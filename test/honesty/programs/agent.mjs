// An agent that does what its argument says: `[["call", "search", {"q": "x"}], ["say", "Done."], ["exit", 3]]`.
// Calls go to the first MCP server that it is told of.
import { readFileSync } from 'node:fs';

const { mcpServers = {} } = JSON.parse(readFileSync(process.env.OATF_MCP_CONFIG, 'utf8'));
const [server] = Object.values(mcpServers);
const types = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
let session;
let id = 0;

async function post(message) {
  const response = await fetch(server.url, {
    method: 'POST',
    headers: { ...types, ...session, connection: 'close' },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  await response.text();
  return response;
}

async function ask(method, params = {}) {
  if (session === undefined) {
    const clientInfo = { name: 'agent', version: '1' };
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    const entered = await post({ id: ++id, method: 'initialize', params: hello });
    session = { 'mcp-session-id': entered.headers.get('mcp-session-id') };
    await post({ method: 'notifications/initialized' });
  }
  await post({ id: ++id, method, params });
}

const deeds = {
  list: (kind) => ask(`${kind}/list`),
  call: (name, args) => ask('tools/call', { name, arguments: args }),
  read: (uri) => ask('resources/read', { uri }),
  say: (text) => new Promise((resolve) => process.stdout.write(text, resolve)),
  repeat: (text, times) => new Promise((resolve) => process.stdout.write(text.repeat(times), resolve)),
  bytes: (text) => new Promise((resolve) => process.stdout.write(Buffer.from(text, 'latin1'), resolve)),
  exit: (code) => process.exit(code),
  die: (signal) => process.kill(process.pid, signal),
};

for (const [deed, ...rest] of JSON.parse(process.argv[2])) await deeds[deed](...rest);
