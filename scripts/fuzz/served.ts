import { Agent, request } from 'node:http';
import { PassThrough } from 'node:stream';
import { Client, credentials } from '@grpc/grpc-js';
import type { Value } from '../../src/model/value.ts';
import { a2aServerMode, mcpServerMode } from '../../src/suite/modes.ts';
import type { PlayOptions } from '../../src/suite/play.ts';
import { createStdioServer } from '../../src/transport/stdio-server.ts';
import { a2aRequests, mcpRequests } from './frames.ts';
import { judgedRun } from './judged-run.ts';
import { mutatedBytes, mutatedFrame, mutatedLine } from './mutate.ts';
import type { Random } from './random.ts';

// We serve, and a hostile client sends. Each run takes a batch, over connections that stay open.

export interface Batch {
  readonly recorded: number;
  readonly violations: readonly string[];
}

const limits = { sessionMs: 600_000, graceMs: 0 };
const connections = 8;

type Sender = (url: string, frames: number, random: Random) => Promise<void>;

async function served(
  mode: string,
  modes: PlayOptions['modes'],
  frames: number,
  random: Random,
  send: Sender,
) {
  let end: (() => void) | undefined;
  return judgedRun(mode, {
    modes,
    limits,
    control: (run) => {
      end = () => run.end('operator');
    },
    ready(endpoints) {
      const { url = '' } = [...endpoints.values()][0] ?? {};
      void send(url, frames, random).finally(() => setImmediate(() => end?.()));
    },
  });
}

/** POSTs over a few connections that are used again and again. */
function overHttp(
  bodyOf: (random: Random) => Buffer,
  pathOf: (random: Random) => string,
  headersOf: (random: Random) => Record<string, string>,
): Sender {
  return async (url, frames, random) => {
    const agent = new Agent({ keepAlive: true, maxSockets: connections });
    let left = frames;
    const work = async (): Promise<void> => {
      while (left-- > 0) await post(new URL(pathOf(random), url), agent, headersOf(random), bodyOf(random));
    };
    await Promise.all(Array.from({ length: connections }, work));
    agent.destroy();
  };
}

/** Whatever becomes of it: a refusal is an answer, and a stream is left after a moment. */
function post(url: URL, agent: Agent, headers: Record<string, string>, body: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const sent = request(url, { method: 'POST', agent, headers, timeout: 5_000 }, (response) => {
      if (/event-stream/.test(response.headers['content-type'] ?? ''))
        setTimeout(() => response.destroy(), 20).unref();
      response.resume();
      response.on('close', resolve);
      response.on('error', () => {});
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve());
    sent.end(body);
  });
}

const frameOf =
  (frames: readonly Value[]) =>
  (random: Random): Buffer =>
    mutatedFrame(random.pick(frames), random);

const mcpHeaders = (random: Random): Record<string, string> => ({
  'content-type': random.chance(0.95) ? 'application/json' : 'text/plain',
  accept: 'application/json, text/event-stream',
  ...(random.chance(0.3) && { 'mcp-protocol-version': random.pick(['2025-06-18', '2026-07-28', 'x']) }),
  ...(random.chance(0.1) && { 'mcp-session-id': 'nobody' }),
});
const a2aHeaders = (random: Random): Record<string, string> => ({
  'content-type': 'application/json',
  ...(random.chance(0.5) && { 'a2a-version': random.pick(['1.0', '0.3', '9']) }),
});
const restPaths = [
  '/v1/message:send',
  '/message:send',
  '/v1/tasks/t1:cancel',
  '/tasks/t1',
  '/v1/message:stream',
];

export const servedParts: { readonly [name: string]: (frames: number, random: Random) => Promise<Batch> } = {
  'MCP, Streamable HTTP, server': (frames, random) =>
    served(
      'mcp_server',
      [mcpServerMode()],
      frames,
      random,
      overHttp(frameOf(mcpRequests), () => '', mcpHeaders),
    ),
  'MCP, stdio, server': (frames, random) => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    output.resume();
    const mode = mcpServerMode();
    const modes = [{ ...mode, transport: () => createStdioServer({ input, output }) }];
    return served('mcp_server', modes, frames, random, async () => {
      for (let left = frames; left > 0; left--) {
        const line = Buffer.concat([mutatedLine(random.pick(mcpRequests), random), Buffer.from('\n')]);
        if (!input.write(line)) await new Promise((resolve) => input.once('drain', resolve));
        if (left % 100 === 0) await new Promise(setImmediate);
      }
      // What was written last is still to be read.
      await new Promise((resolve) => setTimeout(resolve, 200));
    });
  },
  'A2A, JSON-RPC, server': (frames, random) =>
    served(
      'a2a_server',
      [a2aServerMode()],
      frames,
      random,
      overHttp(frameOf(a2aRequests), () => '', a2aHeaders),
    ),
  'A2A, HTTP+JSON, server': (frames, random) =>
    served(
      'a2a_server',
      [a2aServerMode()],
      frames,
      random,
      overHttp(
        (chance) => mutatedFrame((chance.pick(a2aRequests).params ?? {}) as Value, chance),
        (chance) => chance.pick(restPaths),
        a2aHeaders,
      ),
    ),
  'A2A, gRPC, server': (frames, random) =>
    served('a2a_server', [a2aServerMode()], frames, random, async (url) => {
      const client = new Client(new URL(url).host, credentials.createInsecure());
      const asIs = (bytes: Buffer): Buffer => bytes;
      const methods = ['/a2a.v1.A2AService/SendMessage', '/lf.a2a.v1.A2AService/SendMessage'];
      const honest = Buffer.from([
        0x0a, 0x0d, 0x0a, 0x02, 0x6d, 0x31, 0x22, 0x07, 0x0a, 0x05, 104, 101, 108, 108, 111,
      ]);
      let left = frames;
      const work = async (): Promise<void> => {
        while (left-- > 0)
          await new Promise<void>((resolve) => {
            const deadline = Date.now() + 5_000;
            client.makeUnaryRequest(
              random.pick(methods),
              asIs,
              asIs,
              mutatedBytes(honest, random),
              { deadline },
              () => resolve(),
            );
          });
      };
      await Promise.all(Array.from({ length: connections }, work));
      client.close();
    }),
};
