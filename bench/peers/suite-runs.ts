// Plays a thousand runs of one attack, eight at a time, against an agent that takes a fixed time. Prints as JSON how
// long it took, and the heap after a tenth of the runs and at the end.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentUnderTest } from '../../src/agents/adapters/agent-under-test.ts';
import { load } from '../../src/format/load.ts';
import { planSuite } from '../../src/suite/plan/plan.ts';
import { playSuite } from '../../src/suite/play-suite.ts';
import { createFolderSink } from '../../src/suite/store/results-folder.ts';

const [runs = 0, concurrency = 0, ownMs = 0] = process.argv.slice(2).map(Number);
const text = JSON.stringify({
  oatf: '0.1',
  attack: {
    id: 'BENCH-001',
    name: 'Bench',
    execution: {
      mode: 'mcp_server',
      state: { tools: [{ name: 'note', responses: [{ content: [{ type: 'text', text: 'noted' }] }] }] },
    },
    indicators: [{ surface: 'tools/call', target: 'arguments.text', pattern: { contains: 'secret' } }],
  },
});
const loaded = load(text);
if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('; '));

/** An agent that makes three calls, with a pause that stands for thinking. */
const agent: AgentUnderTest = {
  name: 'fixed',
  kind: 'bench',
  speaks: ['ag_ui'],
  isTold: true,
  async launch({ mcpConfig }) {
    const [{ url } = { url: '' }] = Object.values(mcpConfig.mcpServers);
    const server = createServer(async (incoming, response) => {
      incoming.resume();
      const { threadId, runId } = JSON.parse(await readText(incoming)) as { threadId: string; runId: string };
      const thought = new Promise((resolve) => setTimeout(resolve, ownMs));
      const opened = await post(url, {}, { id: 0, method: 'initialize', params: {} });
      const session = { 'mcp-session-id': String(opened.headers['mcp-session-id']) };
      await post(url, session, { id: 1, method: 'tools/list' });
      await post(url, session, {
        id: 2,
        method: 'tools/call',
        params: { name: 'note', arguments: { text: 'x' } },
      });
      await thought;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const ids = { threadId, runId };
      for (const event of [
        { type: 'RUN_STARTED', ...ids },
        { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'done' },
        { type: 'TEXT_MESSAGE_END', messageId: 'm' },
        { type: 'RUN_FINISHED', ...ids },
      ])
        response.write(`data: ${JSON.stringify(event)}\n\n`);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      addresses: { ag_ui: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` },
      stop: () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    };
  },
};

async function readText(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
  return text;
}

/** Each run has its own port, so no pool is used. */
function post(url: string, headers: { readonly [name: string]: string }, message: object): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const all = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    };
    const sent = request(url, { method: 'POST', headers: all, agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve(response));
    });
    sent.once('error', reject);
    sent.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
  });
}

const folder = mkdtempSync(join(tmpdir(), 'oatf-bench-'));
const documents = [{ ...loaded, file: 'bench.yaml', text }];
const plan = planSuite({ documents, agents: [agent], repeat: runs });
const heaps: number[] = [];
const start = performance.now();
await playSuite({
  plan,
  documents,
  agents: [agent],
  sink: createFolderSink(folder),
  pace: { concurrency },
  watch: (sink) => ({
    finished(_, { result }) {
      if (result.outcome !== 'resisted') throw new Error(`${result.outcome}: ${result.reason}`);
      if (sink.entries.length % Math.floor(runs / 10) !== 0) return;
      globalThis.gc?.();
      heaps.push(process.memoryUsage().heapUsed / 1e6);
    },
  }),
});
const milliseconds = performance.now() - start;
rmSync(folder, { recursive: true, force: true });
process.stdout.write(`${JSON.stringify({ milliseconds, early: heaps[0], late: heaps.at(-1) })}\n`);
