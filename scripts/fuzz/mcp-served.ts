import { type Agent, get, type IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import type { PlayableMode } from '../../src/attack/engine/run-document.ts';
import { createMemoryServer, type MemoryServer } from '../../src/attack/transport/mcp-server/in-memory.ts';
import { mirrorRequest } from '../../src/attack/transport/mcp-server/mirrored-headers.ts';
import { createStdioServer } from '../../src/attack/transport/mcp-server/stdio-server.ts';
import { isValueMap, type Value } from '../../src/format/model/value.ts';
import { mcpServerMode } from '../../src/suite/play/playable-modes.ts';
import { type Era, eras, initialize, mcpRequests } from './frames.ts';
import { mutatedFrame, mutatedLine } from './mutate.ts';
import type { Random } from './random.ts';
import type { Batch, FrameRow } from './rows.ts';
import { post, served, sharedWork } from './served.ts';

const mode = 'mcp_server';
const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

export const mcpServed: readonly FrameRow[] = [
  { protocol: 'mcp', wire: 'Streamable HTTP', role: 'server', eras, play: overStreamableHttp },
  { protocol: 'mcp', wire: 'HTTP+SSE', role: 'server', eras: ['legacy'], play: overSse },
  { protocol: 'mcp', wire: 'stdio', role: 'server', eras, play: overStdio },
  { protocol: 'mcp', wire: 'memory', role: 'server', eras, play: overMemory },
];

function overStreamableHttp(frames: number, random: Random, era: Era): Promise<Batch> {
  const sessions = new Map<number, string>();
  return served(mode, [mcpServerMode()], async ({ url }) => {
    const at = new URL(url);
    await sharedWork(frames, async (agent, connection) => {
      if (era === 'legacy' && !sessions.has(connection)) {
        const body = Buffer.from(JSON.stringify(initialize));
        const { headers } = await post({ url: at, agent, headers: json, body });
        sessions.set(connection, String(headers['mcp-session-id'] ?? ''));
      }
      const frame = random.pick(mcpRequests[era]);
      const headers = { ...json, ...headersFor(frame, sessions.get(connection), random) };
      const { status } = await post({ url: at, agent, headers, body: mutatedFrame(frame, random) });
      // If the session has ended, a new one begins; otherwise nothing more would be read.
      if (status === 404 || status === undefined) sessions.delete(connection);
    });
  });
}

function headersFor(frame: Value, session: string | undefined, random: Random): Record<string, string> {
  const { method, params } = isValueMap(frame) ? frame : {};
  return {
    ...mirrorRequest(String(method), params),
    ...(session !== undefined && { 'mcp-session-id': session }),
    ...(random.chance(0.05) && { 'content-type': 'text/plain' }),
    ...(random.chance(0.05) && { 'mcp-protocol-version': random.pick(['2025-06-18', '2026-07-28', 'x']) }),
    ...(random.chance(0.05) && { 'mcp-session-id': 'nobody' }),
  };
}

function overSse(frames: number, random: Random, era: Era): Promise<Batch> {
  return served(mode, [mcpServerMode()], async ({ url }) => {
    const streams = new Map<number, { readonly at: URL; readonly stream: IncomingMessage }>();
    await sharedWork(frames, async (agent, connection) => {
      const open = streams.get(connection) ?? (await openStream(new URL('/sse', url)));
      streams.set(connection, open);
      const body = mutatedFrame(random.pick(mcpRequests[era]), random);
      const { status } = await post({ url: open.at, agent, headers: json, body });
      if (status === undefined || status === 404) {
        open.stream.destroy();
        streams.delete(connection);
      }
    });
    for (const { stream } of streams.values()) stream.destroy();
  });
}

/** Opens a session of HTTP+SSE: a stream whose first event names the address to post to. */
function openStream(url: URL): Promise<{ readonly at: URL; readonly stream: IncomingMessage }> {
  return new Promise((resolve, reject) => {
    const request = get(
      url,
      { agent: false as unknown as Agent, headers: { accept: 'text/event-stream' } },
      (stream) => {
        let text = '';
        stream.on('error', () => {});
        stream.on('data', (chunk) => {
          if (text.includes('\n\n')) return;
          text += chunk;
          const [, place] = /data: ?(.*)\n/.exec(text) ?? [];
          if (place !== undefined) resolve({ at: new URL(place, url), stream });
        });
      },
    );
    request.on('error', reject);
  });
}

function overStdio(frames: number, random: Random, era: Era): Promise<Batch> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  output.resume();
  const played: PlayableMode = { ...mcpServerMode(), transport: () => createStdioServer({ input, output }) };
  return served(mode, [played], async () => {
    for (let left = frames; left > 0; left--) {
      const line = Buffer.concat([mutatedLine(random.pick(mcpRequests[era]), random), Buffer.from('\n')]);
      if (!input.write(line)) await new Promise((resolve) => input.once('drain', resolve));
      if (left % 100 === 0) await new Promise(setImmediate);
    }
    await emptied(input);
  });
}

/** Waits until the reader has taken all lines. */
async function emptied(input: Readable): Promise<void> {
  while (input.readableLength > 0) await new Promise((resolve) => setTimeout(resolve, 10));
}

function overMemory(frames: number, random: Random, era: Era): Promise<Batch> {
  const servers: MemoryServer[] = [];
  const transport = (): MemoryServer => {
    const server = createMemoryServer();
    servers.push(server);
    return server;
  };
  return served(mode, [{ ...mcpServerMode(), transport }], async () => {
    const joined = servers[0]?.join({ hear: () => {}, closed: () => {} });
    if (joined === undefined || typeof joined === 'string') throw new Error(`no session: ${joined}`);
    for (let left = frames; left > 0; left--) {
      joined.send(mutatedFrame(random.pick(mcpRequests[era]), random));
      if (left % 20 === 0) await new Promise(setImmediate);
    }
  });
}
