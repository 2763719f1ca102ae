import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpPeer } from '../../src/attack/transport/mcp-client/mcp-client-transport.ts';
import type { Value, ValueMap } from '../../src/format/model/value.ts';
import type { Era } from './frames.ts';
import { judgedRun } from './judged-run.ts';
import type { Batch } from './rows.ts';

// Rows in which we are the client and a hostile server answers: a stream of broken frames on one connection, then a
// proper end.

/** A request that the hostile server answers. */
export interface Asked {
  readonly verb: string;
  readonly path: string;
  readonly body: ValueMap;
  readonly response: ServerResponse;
  /** The address of the server. */
  readonly url: string;
}

/** Plays a client against a peer. */
export function spoken(mode: string, peer: McpPeer, era: Era): Promise<Batch> {
  return judgedRun(mode, { modes: [], era, connect: () => peer, limits: { sessionMs: 60_000, graceMs: 0 } });
}

/** Plays a client against an HTTP server. */
export async function spokenOverHttp(
  mode: string,
  era: Era,
  answer: (asked: Asked) => Promise<void> | void,
): Promise<Batch> {
  const faults: string[] = [];
  const server = createServer((request, response) => {
    response.on('error', () => {});
    void bodyOf(request)
      .then((body) => {
        const { method: verb = '', url: path = '' } = request;
        return answer({ verb, path, body, response, url });
      })
      .catch((thrown: unknown) => faults.push(`the peer of the fuzzer failed: ${String(thrown)}`));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const { recorded, violations } = await spoken(mode, { url }, era);
    return { recorded, violations: [...violations, ...faults] };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function bodyOf(request: IncomingMessage): Promise<ValueMap> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return {};
  }
}

/** Begins a stream of server-sent events. */
export function beginEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** Writes events with broken frames, then those in `last` unbroken. */
export async function writeEvents(
  response: ServerResponse,
  frames: number,
  frameOf: () => Buffer,
  last: readonly Value[],
): Promise<void> {
  const write = (data: Buffer): Promise<void> =>
    writeBytes(response, Buffer.concat([Buffer.from('data: '), data, Buffer.from('\n\n')]));
  for (let left = frames; left > 0 && !response.destroyed; left--) await write(frameOf());
  for (const frame of last) await write(Buffer.from(JSON.stringify(frame)));
}

/** Writes bytes, and waits if the reader is slow. */
export async function writeBytes(response: ServerResponse, bytes: Buffer): Promise<void> {
  if (response.write(bytes) || response.destroyed) return;
  await new Promise<void>((resolve) => {
    const goOn = (): void => {
      response.off('drain', goOn);
      response.off('close', goOn);
      resolve();
    };
    response.on('drain', goOn);
    response.on('close', goOn);
  });
}

export function json(response: ServerResponse, value: Value): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
