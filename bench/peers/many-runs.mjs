// Plays one document a thousand times, each time with a client that connects, uses a tool and leaves.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { load } from '../../dist/index.js';
import { mcpServerMode, playDocument, systemClock } from '../../dist/runtime.js';

const runs = 1_000;
const sampleEvery = 100;
const loaded = load(readFileSync(new URL('../../examples/rug-pull.yaml', import.meta.url), 'utf8'));
if (!loaded.ok) throw new Error('the example does not load');

for (let run = 1; run <= runs; run++) {
  const result = await playDocument(loaded.document, {
    modes: [mcpServerMode()],
    clock: systemClock,
    limits: { graceMs: 0 },
    ready: (endpoints) => visit(endpoints.get('default').url),
  });
  if (result.outcome !== 'resisted') throw new Error(JSON.stringify(result));
  if (run % sampleEvery === 0) {
    globalThis.gc();
    const megabytes = Math.round(process.memoryUsage().heapUsed / 100_000) / 10;
    process.stdout.write(`${JSON.stringify({ megabytes, handles: process.getActiveResourcesInfo().length })}\n`);
  }
}

async function visit(url) {
  const opened = await send(url, 'POST', {}, { id: 0, method: 'initialize', params: {} });
  const session = { 'Mcp-Session-Id': opened.headers['mcp-session-id'] };
  const list = (id) => send(url, 'POST', session, { id, method: 'tools/list' });
  const call = (id) =>
    send(url, 'POST', session, { id, method: 'tools/call', params: { name: 'convert', arguments: { amount: 1 } } });
  await list(1);
  await call(2);
  // The second call changes the tool; a run is resisted only if the agent has seen the changed one.
  await call(3);
  await list(4);
  await call(5);
  await send(url, 'DELETE', session);
}

/** `fetch` keeps a pool for every port it has ever used, and each run has its own port, so no pool is used. */
function send(url, method, headers, message) {
  return new Promise((resolve, reject) => {
    const all = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...headers,
    };
    const sent = request(url, { method, headers: all, agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve(response));
    });
    sent.once('error', reject);
    sent.end(message === undefined ? undefined : JSON.stringify({ jsonrpc: '2.0', ...message }));
  });
}
