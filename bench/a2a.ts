import { connect } from 'node:net';
import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { a2aSchema03 } from '../src/attack/transport/a2a/proto/a2a-operations.ts';
import { encodeProto } from '../src/attack/transport/proto/encode-proto.ts';
import type { Figure } from './measure.ts';
import { middle, type Peer, requestsPerSecond, spin, startPeer } from './serve.ts';

const rounds = 15;
const roundMs = 500;
const callsAtOnce = 16;
const streamsAtOnce = 4;

const params = {
  message: { kind: 'message', role: 'user', messageId: 'm1', parts: [{ kind: 'text', text: 'Hello' }] },
};

/** An A2A server with a trace on disk, against bare servers that only answer. */
export async function benchA2a(): Promise<Figure[]> {
  const names = ['serve-a2a', 'serve-a2a-stream', 'serve-echo', 'serve-items', 'serve-grpc-echo'];
  const peers = await Promise.all(names.map((name) => startPeer(name)));
  const [ours, streaming, echo, items, grpc] = peers as [Peer, Peer, Peer, Peer, Peer];
  try {
    const send = { jsonrpc: '2.0', id: 1, method: 'message/send', params };
    const stream = { jsonrpc: '2.0', id: 1, method: 'message/stream', params };
    return [
      await compare(
        'A2A message/send with tracing, requests per second',
        () => requestsPerSecond(ours.url, send, {}),
        () => requestsPerSecond(echo.url, send, {}),
        0.25,
      ),
      await compare(
        'A2A message/stream with tracing, items per second',
        () => itemsPerSecond(streaming.url, stream),
        () => itemsPerSecond(items.url, stream),
      ),
      await compare(
        'A2A over gRPC with tracing, calls per second',
        () => callsPerSecond(ours.url),
        () => callsPerSecond(grpc.url),
      ),
    ];
  } finally {
    for (const { process: child } of peers) child.kill();
  }
}

async function compare(
  name: string,
  ours: () => Promise<number>,
  bare: () => Promise<number>,
  least?: number,
): Promise<Figure> {
  const rates = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    rates.bare.push(await bare());
    rates.ours.push(await ours());
  }
  const [our, baseline] = [middle(rates.ours), middle(rates.bare)];
  const value = `${(our / baseline).toFixed(2)} × (${Math.round(our)}/s against ${Math.round(baseline)}/s)`;
  return least === undefined ? { name, value } : { name, value, bound: `≥ ${least} ×`, ok: our / baseline >= least };
}

/** Opens streams on plain sockets, one after the other on each; items are only counted. */
async function itemsPerSecond(url: URL, body: unknown): Promise<number> {
  const text = JSON.stringify(body);
  const head = `POST / HTTP/1.1\r\nHost: ${url.host}\r\nContent-Type: application/json\r\n`;
  const request = Buffer.from(`${head}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  let items = 0;
  const sockets = Array.from({ length: streamsAtOnce }, () => {
    const socket = connect(Number(url.port), url.hostname, () => socket.write(request));
    socket.on('data', (chunk) => {
      for (let at = chunk.indexOf('data: '); at >= 0; at = chunk.indexOf('data: ', at + 6)) items += 1;
      // A chunk of length zero ends the response.
      if (chunk.subarray(-5).toString('latin1') === '0\r\n\r\n') socket.write(request);
    });
    return socket;
  });
  await spin(50);
  items = 0;
  const start = performance.now();
  await spin(roundMs);
  const rate = (items / (performance.now() - start)) * 1_000;
  for (const socket of sockets) socket.destroy();
  return rate;
}

async function callsPerSecond(url: URL): Promise<number> {
  const request = {
    message: { messageId: 'm1', role: 'ROLE_USER', content: [{ text: 'Hello' }] },
  };
  const bytes = Buffer.from(encodeProto(a2aSchema03(), 'SendMessageRequest', request, () => {}));
  const client = new Client(url.host, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
  const asIs = (buffer: Buffer): Buffer => buffer;
  let calls = 0;
  let isOver = false;
  const call = (): void => {
    client.makeUnaryRequest('/a2a.v1.A2AService/SendMessage', asIs, asIs, bytes, new Metadata(), (error) => {
      if (isOver) return;
      if (error !== null) throw error;
      calls += 1;
      call();
    });
  };
  for (let count = 0; count < callsAtOnce; count++) call();
  await spin(100);
  calls = 0;
  const start = performance.now();
  await spin(roundMs);
  const rate = (calls / (performance.now() - start)) * 1_000;
  isOver = true;
  client.close();
  return rate;
}
