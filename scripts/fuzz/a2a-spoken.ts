import { once } from 'node:events';
import { Server, ServerCredentials, type ServerWritableStream } from '@grpc/grpc-js';
import {
  type A2aDialect,
  dialect1,
  dialect03,
  findOperation,
  findRpc,
} from '../../src/attack/transport/a2a/proto/a2a-operations.ts';
import type { Value, ValueMap } from '../../src/format/model/value.ts';
import { bytesOf } from './a2a-served.ts';
import { a2aItems, a2aLastItem, type Era, eras } from './frames.ts';
import { mutatedBytes, mutatedLine, mutatedValue } from './mutate.ts';
import type { Random } from './random.ts';
import type { Batch, FrameRow } from './rows.ts';
import { beginEvents, json, spoken, spokenOverHttp, writeEvents } from './spoken.ts';

const mode = 'a2a_client';
const method = 'message/stream';

export const a2aSpoken: readonly FrameRow[] = [
  {
    protocol: 'a2a',
    wire: 'JSONRPC',
    role: 'client',
    eras,
    play: (frames, random, era) => overHttp('JSONRPC', frames, random, era),
  },
  {
    protocol: 'a2a',
    wire: 'HTTP+JSON',
    role: 'client',
    eras,
    play: (frames, random, era) => overHttp('HTTP+JSON', frames, random, era),
  },
  { protocol: 'a2a', wire: 'GRPC', role: 'client', eras, play: overGrpc },
];

function overHttp(wire: string, frames: number, random: Random, era: Era): Promise<Batch> {
  return spokenOverHttp(mode, era, async ({ verb, path, body, response, url }) => {
    if (verb === 'GET' && path.startsWith('/.well-known/')) json(response, cardOf(wire, url, era));
    else if (verb !== 'POST') response.writeHead(404).end();
    else {
      const framed = (result: Value): Value =>
        wire === 'JSONRPC' ? { jsonrpc: '2.0', id: body.id ?? null, result } : result;
      beginEvents(response);
      await writeEvents(response, frames, () => mutatedItem(wire, era, framed, random), [framed(lastItem(wire, era))]);
      response.end();
    }
  });
}

function cardOf(wire: string, url: string, era: Era): Value {
  const said = { name: 'a', description: 'b', version: '1', skills: [], capabilities: { streaming: true } };
  return era === 'modern'
    ? { ...said, supportedInterfaces: [{ url, protocolBinding: wire, protocolVersion: '1.0' }] }
    : { ...said, url, preferredTransport: wire, protocolVersion: '0.3.0' };
}

/** Over HTTP+JSON and gRPC, items of 0.3 have proto's form, too. */
function itemsFor(wire: string, era: Era): readonly ValueMap[] {
  return a2aItems[wire === 'JSONRPC' ? era : 'modern'];
}

function lastItem(wire: string, era: Era): ValueMap {
  return a2aLastItem[wire === 'JSONRPC' ? era : 'modern'];
}

/** The envelope is rarely broken: an answer without an envelope ends the stream. */
function mutatedItem(wire: string, era: Era, framed: (result: Value) => Value, random: Random): Buffer {
  const item = random.pick(itemsFor(wire, era));
  if (random.chance(0.002)) return mutatedLine(framed(item), random);
  return Buffer.from(JSON.stringify(framed('R')).replace('"R"', () => safeJson(mutatedLine(item, random))));
}

function safeJson(written: Buffer): string {
  const text = written.toString('utf8');
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}

async function overGrpc(frames: number, random: Random, era: Era): Promise<Batch> {
  const dialect: A2aDialect = era === 'modern' ? dialect1 : dialect03;
  const rpc = findRpc(dialect.schema(), findOperation(dialect, method)?.rpc ?? '');
  if (rpc === undefined) throw new Error(`gRPC has no ${method}`);
  const server = new Server();
  const [, service = '', name = ''] = rpc.path.split('/');
  const asIs = (bytes: Buffer): Buffer => bytes;
  const way = { path: rpc.path, requestStream: false, responseStream: true, requestSerialize: asIs };
  const forms = { requestDeserialize: asIs, responseSerialize: asIs, responseDeserialize: asIs };
  server.addService({ [name]: { ...way, ...forms } }, { [name]: stream });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (failed, bound) =>
      failed === null ? resolve(bound) : reject(new Error(`${service}: ${failed.message}`)),
    ),
  );
  try {
    return await spoken(mode, { url: `grpc://127.0.0.1:${port}` }, era);
  } finally {
    server.forceShutdown();
  }

  async function stream(call: ServerWritableStream<Buffer, Buffer>): Promise<void> {
    const cancelled = once(call, 'cancelled');
    for (let left = frames; left > 0 && !call.cancelled; left--) {
      const item = random.pick(itemsFor('GRPC', era));
      const honest = bytesOf(dialect, rpc?.response ?? '', random.chance(0.6) ? mutatedValue(item, random) : item);
      const isTaken = call.write(random.chance(0.5) ? mutatedBytes(honest, random) : honest);
      if (!isTaken) await Promise.race([once(call, 'drain'), cancelled]);
    }
    call.write(bytesOf(dialect, rpc?.response ?? '', lastItem('GRPC', era)));
    call.end();
  }
}
