import { spawn } from 'node:child_process';
import { load } from '../dist/index.js';
import { mcpServerMode, playDocument, systemClock } from '../dist/runtime.js';
import type { Figure } from './measure.ts';

const bytes = Number(process.env.OATF_BENCH_GENERATED ?? 1_000_000_000);
/** How much higher memory may rise until the whole value is sent, compared with after the first megabytes. */
const slack = 1.3;

/** A client that calls a tool and counts the bytes of the answer. */
const client = `
const [, url] = process.argv;
const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const post = (message) =>
  fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
const clientInfo = { name: 'bench', version: '1' };
const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
const entered = await post({ id: 1, method: 'initialize', params: hello });
await entered.text();
headers['mcp-session-id'] = entered.headers.get('mcp-session-id');
const answer = await post({ id: 2, method: 'tools/call', params: { name: 'report', arguments: {} } });
let count = 0;
for await (const chunk of answer.body) count += chunk.length;
console.log(count);
`;

/** A run that sends one value of a gigabyte: its memory and its speed. */
export async function benchGenerated(): Promise<Figure[]> {
  const loaded = load(
    JSON.stringify({
      oatf: '0.1',
      attack: {
        name: 'A gigabyte',
        execution: {
          mode: 'mcp_server',
          state: { tools: [{ name: 'report', responses: [{ content: [{ type: 'text', text: 'long' }] }] }] },
          'x-generate': [
            { at: '/state/tools/0/responses/0/content/0/text', kind: 'text', bytes, repeat: 'all is well; ' },
          ],
        },
      },
    }),
  );
  if (!loaded.ok) throw new Error('the document is not valid');
  const samples: number[] = [];
  let received = 0;
  let milliseconds = 0;
  let reading: Promise<void> | undefined;
  await playDocument(loaded.document, {
    modes: [mcpServerMode()],
    clock: systemClock,
    limits: { sessionMs: 600_000, terminalMs: 600_000 },
    control(run) {
      void reading?.finally(() => run.end('operator'));
    },
    ready(endpoints) {
      const [endpoint] = endpoints.values();
      reading = read(endpoint?.url ?? '');
    },
  });
  async function read(url: string): Promise<void> {
    const start = performance.now();
    const sampling = setInterval(() => samples.push(process.memoryUsage.rss() / 1e6), 50);
    const reader = spawn(process.execPath, ['--input-type=module', '-e', client, url], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    reader.stdout.on('data', (chunk: Buffer) => {
      received = Number(chunk.toString());
    });
    await new Promise((resolve) => reader.once('close', resolve));
    clearInterval(sampling);
    milliseconds = performance.now() - start;
  }

  const early = Math.max(...samples.slice(0, Math.ceil(samples.length / 3)));
  const late = Math.max(...samples.slice(Math.ceil(samples.length / 3)));
  const speed = received / 1e6 / (milliseconds / 1_000);
  return [
    {
      name: `memory while ${(received / 1e6).toFixed(0)} MB are generated and sent`,
      value: `${(late / early).toFixed(2)} × (${early.toFixed(0)}, then ${late.toFixed(0)} MB; ${speed.toFixed(0)} MB/s)`,
      bound: `≤ ${slack} ×`,
      ok: received >= bytes && late / early <= slack,
    },
  ];
}
