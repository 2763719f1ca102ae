// An agent that does what its argument says: `[["call", "search", {"q": "x"}], ["say", "Done."], ["exit", 3]]`.
// Calls go to the first MCP server that it is told of.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const config = process.env.OATF_MCP_CONFIG;
const { mcpServers = {} } = config === undefined ? {} : JSON.parse(readFileSync(config, 'utf8'));
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

const folder = process.cwd();

/** Resolves when this holds. A process that was left behind does not outlive the folder of its run. */
async function until(holds) {
  while (existsSync(folder) && !holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/**
 * Starts another process that does what its argument says, and goes on as soon as it runs; with `awaited`, when it has
 * ended.
 */
function leave(deeds, { stdio = 'ignore', awaited = false, ...options } = {}) {
  const child = spawn(process.execPath, [process.argv[1], JSON.stringify(deeds), '', String(process.pid)], {
    stdio: [stdio, stdio, stdio, 'ipc'],
    ...options,
  });
  return new Promise((resolve) => {
    child.once('message', () => {
      child.disconnect();
      if (awaited) return;
      child.unref();
      resolve();
    });
    if (awaited) child.once('exit', resolve);
  });
}

const deeds = {
  leave,
  /** Waits until the process that started this one has ended. */
  outlive: () => until(() => process.ppid !== Number(process.argv[4])),
  linger: () => until(() => false),
  list: (kind) => ask(`${kind}/list`),
  call: (name, args) => ask('tools/call', { name, arguments: args }),
  read: (uri) => ask('resources/read', { uri }),
  say: (text) => new Promise((resolve) => process.stdout.write(text, resolve)),
  repeat: (text, times) => new Promise((resolve) => process.stdout.write(text.repeat(times), resolve)),
  bytes: (text) => new Promise((resolve) => process.stdout.write(Buffer.from(text, 'latin1'), resolve)),
  exit: (code) => process.exit(code),
  die: (signal) => process.kill(process.pid, signal),
};

process.send?.('up');
for (const [deed, ...rest] of JSON.parse(process.argv[2])) await deeds[deed](...rest);
