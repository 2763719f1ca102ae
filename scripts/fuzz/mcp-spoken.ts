import type { ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Value, ValueMap } from '../../src/model/value.ts';
import { mcp2026 } from '../../src/registry/mcp-2026.ts';
import { type Era, eras, mcpFromServer } from './frames.ts';
import { mutatedLine } from './mutate.ts';
import type { Random } from './random.ts';
import type { Batch, FrameRow } from './rows.ts';
import { beginEvents, json, spoken, spokenOverHttp, writeEvents } from './spoken.ts';

const mode = 'mcp_client';

export const mcpSpoken: readonly FrameRow[] = [
  { protocol: 'mcp', wire: 'Streamable HTTP', role: 'client', eras, play: overStreamableHttp },
  { protocol: 'mcp', wire: 'HTTP+SSE', role: 'client', eras: ['legacy'], play: overSse },
  { protocol: 'mcp', wire: 'stdio', role: 'client', eras, play: overStdio },
];

const serverInfo = { name: 'x', version: '1' };

/** The answer of an honest server; undefined for a notification. */
export function honestAnswer({ id, method }: ValueMap, era: Era): Value | undefined {
  if (id === undefined || typeof method !== 'string') return undefined;
  const results: { readonly [method: string]: Value } = {
    initialize: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo },
    ...(era === 'modern' && {
      'server/discover': {
        resultType: 'complete',
        supportedVersions: [mcp2026],
        capabilities: { tools: {} },
        serverInfo,
      },
    }),
    'tools/list': { resultType: 'complete', tools: [] },
    'tools/call': { resultType: 'complete', content: [] },
  };
  return Object.hasOwn(results, method)
    ? { jsonrpc: '2.0', id, result: results[method] ?? null }
    : { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } };
}

function overStreamableHttp(frames: number, random: Random, era: Era): Promise<Batch> {
  return spokenOverHttp(mode, era, async ({ verb, body, response }) => {
    const answer = honestAnswer(body, era);
    if (verb !== 'POST') response.writeHead(405).end();
    else if (answer === undefined) response.writeHead(202).end();
    else if (body.method === 'tools/list') {
      beginEvents(response);
      await writeEvents(response, frames, frameFrom(random, era), [answer]);
      response.end();
    } else json(response, answer);
  });
}

function frameFrom(random: Random, era: Era): () => Buffer {
  return () => mutatedLine(random.pick(mcpFromServer[era]), random);
}

function overSse(frames: number, random: Random, era: Era): Promise<Batch> {
  let stream: ServerResponse | undefined;
  return spokenOverHttp(mode, era, async ({ verb, path, body, response }) => {
    if (verb === 'GET') {
      stream = response;
      beginEvents(response);
      response.write('event: endpoint\ndata: /messages\n\n');
    } else if (path !== '/messages' || stream === undefined) response.writeHead(405).end();
    else {
      response.writeHead(202).end();
      const answer = honestAnswer(body, era);
      const isAsked = body.method === 'tools/list';
      if (answer !== undefined)
        await writeEvents(stream, isAsked ? frames : 0, frameFrom(random, era), [answer]);
    }
  });
}

/** A client of stdio launches its server, so the hostile server is a program. */
function overStdio(frames: number, random: Random, era: Era): Promise<Batch> {
  const program = fileURLToPath(new URL('./stdio-peer.ts', import.meta.url));
  const args = [
    '--import',
    import.meta.resolve('tsx'),
    program,
    String(frames),
    String(random.int(2 ** 31)),
    era,
  ];
  return spoken(mode, { command: process.execPath, args }, era);
}
