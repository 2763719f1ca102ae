import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createA2aServer } from '../../../src/attack/transport/a2a/a2a-server.ts';
import { eventually, isFree, openSocket } from '../../support/http-peer.ts';

test.each<[string, string]>([
  ['has sent nothing', ''],
  ['is in the middle of a request', 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n{'],
  ['has begun to speak HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['has sent bytes of no known protocol', '\u0000\u0001\u0002\u0003'],
])('A2A server: close() frees the port at once although a peer %s', async (_, words) => {
  const transport = createA2aServer();
  const { url } = await transport.open(() => {});
  const port = Number(new URL(url).port);
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.on('connect', () => resolve()));
  if (words !== '') await new Promise<void>((resolve) => socket.write(words, () => resolve()));
  await eventually(() => transport.isConnected() || words.startsWith('\u0000')).toBe(true);
  await transport.close();
  expect(await isFree(port)).toBe(true);
  socket.destroy();
});

test('A2A server: a peer that disconnects without sending anything no longer counts as connected', async () => {
  const transport = createA2aServer();
  const { url } = await transport.open(() => {});
  const { socket } = openSocket(Number(new URL(url).port));
  await eventually(() => transport.isConnected()).toBe(true);
  socket.end();
  await eventually(() => transport.isConnected()).toBe(false);
  await transport.close();
});
