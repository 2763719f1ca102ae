import { Client, credentials, Metadata, status } from '@grpc/grpc-js';
import {
  type A2aDialect,
  dialect1,
  dialect03,
  findOperation,
  findRpc,
} from '../../src/attack/transport/a2a/proto/a2a-operations.ts';
import { createRestRequest } from '../../src/attack/transport/a2a/rest-routes.ts';
import { encodeProto } from '../../src/attack/transport/proto/encode-proto.ts';
import type { Value, ValueMap } from '../../src/format/model/value.ts';
import { namesIn1, versionHeader } from '../../src/format/registry/a2a/a2a-era.ts';
import { a2aServerMode } from '../../src/suite/play/playable-modes.ts';
import { a2aRequests, type Era, eras } from './frames.ts';
import { mutatedBytes, mutatedFrame, mutatedValue } from './mutate.ts';
import type { Random } from './random.ts';
import type { Batch, FrameRow } from './rows.ts';
import { patienceMs, post, served, sharedWork } from './served.ts';

const mode = 'a2a_server';
const dialects: { readonly [era in Era]: A2aDialect } = { legacy: dialect03, modern: dialect1 };

export const a2aServed: readonly FrameRow[] = [
  { protocol: 'a2a', wire: 'JSONRPC', role: 'server', eras, play: overJsonRpc },
  { protocol: 'a2a', wire: 'HTTP+JSON', role: 'server', eras, play: overRest },
  { protocol: 'a2a', wire: 'GRPC', role: 'server', eras, play: overGrpc },
];

function headersFor(era: Era, random: Random): Record<string, string> {
  const version = random.chance(0.05) ? '9' : era === 'modern' ? '1.0' : '0.3';
  return { 'content-type': 'application/json', ...(random.chance(0.9) && { [versionHeader]: version }) };
}

function overJsonRpc(frames: number, random: Random, era: Era): Promise<Batch> {
  return served(mode, [a2aServerMode()], async ({ url }) => {
    await sharedWork(frames, async (agent) => {
      const { as, params } = random.pick(a2aRequests[era]);
      const method = era === 'modern' ? (namesIn1[as] ?? as) : as;
      const body = mutatedFrame({ jsonrpc: '2.0', id: 1, method, params }, random);
      await post({ url: new URL(url), agent, headers: headersFor(era, random), body });
    });
  });
}

function overRest(frames: number, random: Random, era: Era): Promise<Batch> {
  return served(mode, [a2aServerMode()], async ({ url }) => {
    await sharedWork(frames, async (agent) => {
      const { as, params } = random.pick(a2aRequests[era]);
      const proto = protoParams(as, params, era);
      const { path = '/', rest = {} } = createRestRequest(dialects[era], as, proto) ?? {};
      const body = mutatedFrame(rest, random);
      const to = new URL(`.${random.chance(0.03) ? '/v1/nowhere:at' : path}`, url);
      await post({ url: to, agent, headers: headersFor(era, random), body });
    });
  });
}

/** Since A2A 1.0, requests are written in proto's form. Requests of 0.3 are converted to it. */
function protoParams(method: string, params: ValueMap, era: Era): ValueMap {
  return era === 'modern' ? params : (findOperation(dialect03, method)?.paramsToProto(params) ?? params);
}

function overGrpc(frames: number, random: Random, era: Era): Promise<Batch> {
  const dialect = dialects[era];
  return served(mode, [a2aServerMode()], async ({ url }) => {
    const client = new Client(new URL(url).host, credentials.createInsecure());
    await sharedWork(frames, async () => {
      const { as, params } = random.pick(a2aRequests[era]);
      const rpc = findRpc(dialect.schema(), findOperation(dialect, as)?.rpc ?? '');
      if (rpc === undefined) throw new Error(`gRPC has no ${as}`);
      const value = protoParams(as, params, era);
      const written = random.chance(0.5) ? mutatedValue(value, random) : value;
      const honest = bytesOf(dialect, rpc.request, written);
      const metadata = new Metadata();
      if (era === 'modern') metadata.set(versionHeader, '1.0');
      const body = random.chance(0.5) ? mutatedBytes(honest, random) : honest;
      const code = await new Promise<number | undefined>((resolve) => {
        const deadline = Date.now() + patienceMs;
        client.makeUnaryRequest(rpc.path, asIs, asIs, body, metadata, { deadline }, (error) => resolve(error?.code));
      });
      if (code === status.DEADLINE_EXCEEDED) throw new Error(`${as}: no answer to ${body.toString('hex')}`);
    });
    client.close();
  });
}

function asIs(bytes: Buffer): Buffer {
  return bytes;
}

/** Encodes a value; parts that the proto type cannot hold are left out. */
export function bytesOf(dialect: A2aDialect, type: string, value: Value): Buffer {
  return Buffer.from(encodeProto(dialect.schema(), type, value, () => {}));
}
