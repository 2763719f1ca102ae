import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HttpServerOptions } from '../../../src/attack/transport/mcp-server/streamable-http.ts';
import {
  bothTypes,
  call,
  echo,
  eventually,
  ignoreSent,
  initialize,
  isFree,
  type OpenTransport,
  openEvents,
  openSocket,
  openTransport,
  openUnread,
  post,
  type Request,
} from '../../support/http-peer.ts';

let peer: OpenTransport;
const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
});

/** Whatever the peer did, the transport still serves, then closes and releases its port. */
afterEach(async () => {
  expect((await post(peer.url, call('initialize', {}))).status).toBe(200);
  await peer.transport.close();
  expect(await isFree(peer.port)).toBe(true);
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
  expect(unhandled).toEqual([]);
});

async function open(options?: HttpServerOptions, onRequest?: Parameters<typeof openTransport>[1]) {
  peer = await openTransport(options, onRequest);
  return initialize(peer.url);
}

function head(session: Record<string, string>, length: number | 'chunked'): string {
  const framing = length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  return [
    'POST /mcp HTTP/1.1',
    `Host: 127.0.0.1:${peer.port}`,
    'Content-Type: application/json',
    `Accept: ${bothTypes}`,
    `Mcp-Session-Id: ${session['mcp-session-id']}`,
    framing,
    '\r\n',
  ].join('\r\n');
}

const request = JSON.stringify(call('tools/call', { name: 'add' }));

describe('the Streamable HTTP server survives a peer that', () => {
  test('connects and says nothing, which gets 408', async () => {
    await open({ limits: { headersMs: 50 } });
    const { closed } = openSocket(peer.port);
    expect(await closed).toMatch(/^HTTP\/1\.1 408/);
    expect(peer.malformed()).toMatchObject([{ raw: '' }]);
  });

  test('connects, says nothing, and is still there at the end', async () => {
    await open();
    const { socket } = openSocket(peer.port);
    await new Promise((resolve) => socket.once('connect', resolve));
  });

  test('sends its headers slowly, which gets 408', async () => {
    await open({ limits: { headersMs: 50 } });
    const { socket, closed } = openSocket(peer.port);
    socket.write('POST /mcp HTTP/1.1\r\nHost: ');
    expect(await closed).toMatch(/^HTTP\/1\.1 408/);
  });

  test('sends its body slowly, which gets 408', async () => {
    const session = await open({ limits: { headersMs: 50, requestMs: 100 } });
    const { socket, closed } = openSocket(peer.port);
    socket.write(`${head(session, 1_000)}{"jsonrpc"`);
    expect(await closed).toMatch(/^HTTP\/1\.1 408/);
    expect(peer.malformed().map(({ raw }) => raw)).toContain(Buffer.from('{"jsonrpc"').toString('base64'));
  });

  test.each([
    ['not HTTP', 'hello there\r\n\r\n', '400'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', '400'],
    ['no host', 'POST /mcp HTTP/1.1\r\n\r\n', '400'],
    ['headers without end', `GET /mcp HTTP/1.1\r\nX: ${'y'.repeat(100_000)}`, '431'],
  ])('sends garbage: %s', async (_, bytes, status) => {
    await open();
    const { socket, closed } = openSocket(peer.port);
    socket.write(bytes, 'latin1');
    expect(await closed).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`));
  });

  test('sends garbage, which is recorded', async () => {
    await open();
    const { socket, closed } = openSocket(peer.port);
    socket.write('hello there\r\n\r\n');
    await closed;
    expect(peer.malformed().map(({ raw }) => Buffer.from(raw, 'base64').toString())).toEqual(['hello there\r\n\r\n']);
  });

  test('sends broken chunks', async () => {
    const session = await open();
    const { socket, closed } = openSocket(peer.port);
    socket.write(`${head(session, 'chunked')}5\r\n{"jso\r\nZZ\r\n`);
    await closed;
    expect(peer.malformed().length).toBeGreaterThan(0);
  });

  test('sends garbage after an open stream, which stays as it was', async () => {
    const session = await open({}, (incoming, transport) => {
      transport.notify({ exchange: incoming.exchange }, 'first', undefined, ignoreSent);
    });
    const { socket, closed, text } = openSocket(peer.port);
    socket.write(head(session, request.length) + request);
    await eventually(text).toContain('"first"');
    socket.write('garbage\r\n\r\n');
    expect((await closed).match(/HTTP\/1\.1/g)).toHaveLength(1);
  });

  test('sends 50 MB, which gets 413', async () => {
    const session = await open();
    const response = await post(peer.url, 'x'.repeat(50_000_000), session);
    expect(response.status).toBe(413);
    const [record] = peer.malformed();
    expect(Buffer.from(record?.raw ?? '', 'base64').toString()).toBe('x'.repeat(65_536));
  });

  test('sends a body without end', async () => {
    const session = await open({ limits: { bodyBytes: 10_000 } });
    const { socket, closed } = openSocket(peer.port);
    const chunk = `1000\r\n${'x'.repeat(4_096)}\r\n`;
    const more = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', more);
    socket.write(head(session, 'chunked'));
    more();
    await closed;
    expect(peer.malformed()).toMatchObject([{ reason: expect.stringContaining('413') }]);
  });

  test('sends, together with others, more than there is room for', async () => {
    const session = await open({ limits: { allBodiesBytes: 10_000 } });
    const held = openSocket(peer.port);
    held.socket.write(head(session, 20_000) + 'x'.repeat(9_000));
    const many = openSocket(peer.port);
    await new Promise((resolve) => setImmediate(resolve));
    many.socket.write(head(session, 9_000) + 'y'.repeat(9_000));
    held.socket.write('x'.repeat(11_000));
    await eventually(() => held.text() + many.text()).toContain(' 503 ');
    held.socket.destroy();
    many.socket.destroy();
  });

  test('disconnects within its body', async () => {
    const session = await open();
    const { socket } = openSocket(peer.port);
    socket.write(`${head(session, 1_000)}{"half`);
    socket.end();
    await eventually(() => peer.malformed().map(({ raw }) => raw)).toContain(Buffer.from('{"half').toString('base64'));
    socket.destroy();
  });

  test('disconnects before its answer', async () => {
    const waiting: Request[] = [];
    const session = await open({}, (incoming) => waiting.push(incoming));
    const { socket, closed } = openSocket(peer.port);
    socket.write(head(session, request.length) + request);
    await eventually(() => waiting.length).toBe(1);
    socket.resetAndDestroy();
    await closed;
    const within = { exchange: waiting[0]?.exchange ?? '' };
    peer.transport.notify(within, 'm', undefined, ignoreSent);
    peer.transport.answer(within.exchange, { kind: 'result', result: {} }, () => {});
  });

  test('reads only the beginning of a long answer and then disconnects', async () => {
    const reported: unknown[] = [];
    const session = await open({}, ({ exchange }, transport) =>
      transport.answer(exchange, { kind: 'result', result: 'y'.repeat(20_000_000) }, (_, cut) => reported.push(cut)),
    );
    const { host } = new URL(peer.url);
    const headers = { host, 'content-type': 'application/json', accept: bothTypes, ...session };
    const socket = await openUnread(peer.url, headers, JSON.stringify(call('tools/list')));
    await eventually(() => peer.received.at(-1)).toMatchObject({ method: 'tools/list' });
    expect(reported).toEqual([]);
    socket.destroy();
    await eventually(() => reported).toEqual(['the peer was gone before all of it was sent']);
    expect(peer.malformed()).toMatchObject([{ cause: 'cut_off' }]);
  });

  test('disconnects in the middle of a stream', async () => {
    const waiting: Request[] = [];
    const session = await open({}, (incoming, transport) => {
      waiting.push(incoming);
      transport.ask({ exchange: incoming.exchange }, 'k', 'sampling/createMessage', {}, ignoreSent);
    });
    const stream = await openEvents(peer.url, session, call('tools/call', {}));
    await stream.next();
    stream.leave();
    const within = { exchange: waiting[0]?.exchange ?? '' };
    for (let count = 0; count < 10_000; count++) peer.transport.notify(within, 'm', undefined, ignoreSent);
    peer.transport.answer(within.exchange, { kind: 'result', result: {} }, () => {});
  });

  test('opens streams and disconnects, over and over', async () => {
    const session = await open();
    for (let round = 0; round < 100; round++) (await openEvents(peer.url, session)).leave();
    peer.transport.notify('every session', 'm', undefined, ignoreSent);
    const stream = await openEvents(peer.url, session);
    peer.transport.notify('every session', 'n', undefined, ignoreSent);
    let method: unknown;
    while (method !== 'n') method = ((await stream.next())?.message as { method?: string })?.method;
    stream.leave();
  });

  test('floods one connection with requests, which are answered in order', async () => {
    const session = await open();
    const { socket, text } = openSocket(peer.port);
    const count = 5_000;
    for (let id = 0; id < count; id++) {
      const body = JSON.stringify(call('m', { id }, id));
      socket.write(head(session, body.length) + body);
    }
    await eventually(() => text().match(/"result":\{"id":\d+\}/g)?.length).toBe(count);
    const ids = [...text().matchAll(/"result":\{"id":(\d+)\}/g)].map(([, id]) => Number(id));
    expect(ids).toEqual(Array.from({ length: count }, (_, id) => id));
    socket.destroy();
  });

  test('floods with requests that are not answered', async () => {
    const session = await open({ limits: { exchangesPerSession: 10 } }, () => {});
    const { socket, closed } = openSocket(peer.port);
    for (let id = 0; id < 30; id++) socket.write(head(session, request.length) + request);
    await eventually(() => peer.turnedAway().length).toBe(20);
    expect(peer.received.filter(({ kind }) => kind === 'request')).toHaveLength(1 + 10);
    socket.destroy();
    await closed;
    // Its resources are free again once it has left.
    await eventually(async () => {
      const leaves = openSocket(peer.port);
      leaves.socket.write(head(session, request.length) + request);
      const before = peer.received.length;
      await eventually(() => peer.received.length).toBeGreaterThan(before);
      leaves.socket.destroy();
      return peer.received.at(-1)?.kind;
    }).toBe('request');
  });

  test('floods after an unanswered request until the server reads no further', async () => {
    const waiting: Request[] = [];
    const session = await open({ limits: { exchangesPerSession: 1 } }, (incoming) => waiting.push(incoming));
    const { socket, text } = openSocket(peer.port);
    for (let id = 0; id < 5_000; id++) socket.write(head(session, request.length) + request);
    await eventually(() => peer.turnedAway().length).toBeGreaterThan(10);
    expect(peer.turnedAway().length).toBeLessThan(5_000);
    echo(waiting[0] as Request, peer.transport);
    await eventually(text).toContain('"result"');
    socket.destroy();
  });

  test('opens more connections than are allowed', async () => {
    await open({ limits: { connections: 20 } });
    const sockets = Array.from({ length: 100 }, () => openSocket(peer.port));
    await Promise.race(sockets.map(({ closed }) => closed));
    for (const { socket } of sockets) socket.destroy();
    await Promise.all(sockets.map(({ closed }) => closed));
  });
});
