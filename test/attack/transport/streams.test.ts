import { afterEach, describe, expect, test } from 'vitest';
import type { HttpServerOptions } from '../../../src/attack/transport/mcp-server/streamable-http.ts';
import {
  call,
  echo,
  eventually,
  ignoreSent,
  initialize,
  type OpenTransport,
  openEvents,
  openTransport,
  post,
  type Request,
} from '../../support/http-peer.ts';

let peer: OpenTransport;
afterEach(() => peer.transport.close());

async function open(options?: HttpServerOptions, onRequest?: Parameters<typeof openTransport>[1]) {
  peer = await openTransport(options, onRequest);
  return initialize(peer.url);
}

const everyone = 'every session';
const toolCall = call('tools/call', {});
const changed = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };

describe('messages of the Streamable HTTP server that belong to no request', () => {
  test('go over the GET stream', async () => {
    const session = await open();
    const stream = await openEvents(peer.url, session);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    const sent: string[] = [];
    peer.transport.notify(everyone, changed.method, undefined, (id) => sent.push(id));
    expect(sent).toEqual([session['mcp-session-id']]);
    expect((await stream.next())?.message).toEqual(changed);
    stream.leave();
  });

  test('go over the stream of an open request if there is no GET stream', async () => {
    const waiting: Request[] = [];
    const session = await open({}, (request) => waiting.push(request));
    const call = openEvents(peer.url, session, toolCall);
    await eventually(() => waiting.length).toBe(1);
    peer.transport.notify(everyone, changed.method, undefined, ignoreSent);
    for (const request of waiting) echo(request, peer.transport);
    expect(await (await call).all()).toMatchObject([changed, { id: 1 }]);
  });

  test('wait for a stream, and then go out in order', async () => {
    const session = await open();
    const sent: string[] = [];
    peer.transport.notify(everyone, 'notifications/a', undefined, () => sent.push('a'));
    peer.transport.notify(everyone, 'notifications/b', undefined, () => sent.push('b'));
    expect(sent).toEqual([]);
    const stream = await openEvents(peer.url, session);
    expect((await stream.next())?.message).toMatchObject({ method: 'notifications/a' });
    expect((await stream.next())?.message).toMatchObject({ method: 'notifications/b' });
    expect(sent).toEqual(['a', 'b']);
    stream.leave();
  });

  test('wait for a request whose answer can be a stream', async () => {
    const session = await open();
    peer.transport.notify(everyone, changed.method, undefined, ignoreSent);
    const json = await post(peer.url, toolCall, { ...session, accept: 'application/json' });
    expect(await json.json()).toMatchObject({ id: 1 });
    const events = await openEvents(peer.url, session, toolCall);
    expect(await events.all()).toMatchObject([changed, { id: 1 }]);
    expect((await post(peer.url, toolCall, session)).headers.get('content-type')).toBe('application/json');
  });

  test('wait for the first session only, and do not mix with the answer to its initialize', async () => {
    peer = await openTransport();
    const sent: string[] = [];
    peer.transport.notify(everyone, changed.method, undefined, (id) => sent.push(id));
    const first = await initialize(peer.url);
    const second = await initialize(peer.url);
    expect(sent).toEqual([]);
    const streams = [await openEvents(peer.url, second), await openEvents(peer.url, first)];
    expect((await streams[1]?.next())?.message).toEqual(changed);
    expect(sent).toEqual([first['mcp-session-id']]);
    for (const stream of streams) stream.leave();
  });

  test('are kept if they were sent before the server is open', async () => {
    const { createMcpServer } = await import('../../../src/attack/transport/mcp-server/streamable-http.ts');
    const transport = createMcpServer();
    transport.notify(everyone, changed.method, undefined, ignoreSent);
    const { url } = await transport.open((message) => {
      if (message.kind === 'request') echo(message, transport);
    });
    peer = { url, port: 0, transport, received: [], malformed: () => [], turnedAway: () => [] };
    const stream = await openEvents(url, await initialize(url));
    expect((await stream.next())?.message).toEqual(changed);
    stream.leave();
  });

  test('wait in a limited number', async () => {
    const session = await open({ limits: { waitingPerSession: 2 } });
    for (const name of ['a', 'b', 'c']) peer.transport.notify(everyone, name, undefined, ignoreSent);
    const stream = await openEvents(peer.url, session);
    peer.transport.notify(everyone, 'd', undefined, ignoreSent);
    const methods = [await stream.next(), await stream.next(), await stream.next()].map((event) => event?.message);
    expect(methods).toMatchObject([{ method: 'a' }, { method: 'b' }, { method: 'd' }]);
    stream.leave();
  });

  test('go to each of fifty sessions once', async () => {
    peer = await openTransport();
    const sessions = await Promise.all(Array.from({ length: 50 }, () => initialize(peer.url)));
    const streams = await Promise.all(sessions.map((session) => openEvents(peer.url, session)));
    const sent: string[] = [];
    peer.transport.notify(everyone, changed.method, undefined, (id) => sent.push(id));
    for (const stream of streams) expect((await stream.next())?.message).toEqual(changed);
    expect(new Set(sent)).toEqual(new Set(sessions.map((session) => session['mcp-session-id'])));
    expect(sent).toHaveLength(50);
    for (const stream of streams) stream.leave();
  });
});

describe('requests of the Streamable HTTP server to its client', () => {
  test('are answered under their key, once, in their own session', async () => {
    const session = await open();
    const other = await initialize(peer.url);
    const stream = await openEvents(peer.url, session);
    peer.transport.ask(everyone, 'actor-1', 'roots/list', { a: 1 }, ignoreSent);
    expect((await stream.next())?.message).toEqual({
      jsonrpc: '2.0',
      id: 'actor-1',
      method: 'roots/list',
      params: { a: 1 },
    });
    const answer = { jsonrpc: '2.0', id: 'actor-1', result: { roots: [] } };
    // It has not been sent to the other session yet, so an answer from there answers nothing.
    expect((await post(peer.url, answer, other)).status).toBe(202);
    expect((await post(peer.url, answer, session)).status).toBe(202);
    expect((await post(peer.url, { ...answer, id: 'actor-2' }, session)).status).toBe(202);
    expect((await post(peer.url, answer, session)).status).toBe(202);
    expect(peer.received.filter(({ kind }) => kind === 'answer')).toEqual([
      {
        kind: 'answer',
        session: session['mcp-session-id'],
        ask: 'actor-1',
        answer: { kind: 'result', result: { roots: [] } },
      },
    ]);
    expect(peer.turnedAway().map((record) => record.session)).toEqual([
      other['mcp-session-id'],
      session['mcp-session-id'],
      session['mcp-session-id'],
    ]);
    stream.leave();
  });

  test('go over the stream of the request they belong to, even beside a GET stream', async () => {
    const session = await open({}, (request, transport) => {
      transport.ask({ exchange: request.exchange }, 'k', 'sampling/createMessage', {}, ignoreSent);
    });
    const stream = await openEvents(peer.url, session);
    const within = await openEvents(peer.url, session, toolCall);
    expect((await within.next())?.message).toMatchObject({ id: 'k' });
    await post(peer.url, { jsonrpc: '2.0', id: 'k', error: { code: 1, message: 'no' } }, session);
    expect(peer.received.at(-1)).toMatchObject({ kind: 'answer', ask: 'k', answer: { kind: 'error' } });
    const asked = peer.received.findLast((message) => message.kind === 'request') as Request;
    echo(asked, peer.transport);
    expect(await within.all()).toMatchObject([{ id: 1, result: {} }]);
    stream.leave();
  });
});

describe('GET streams of the Streamable HTTP server', () => {
  test('may be two: the newest carries messages, and the older one takes over from it', async () => {
    const session = await open();
    const older = await openEvents(peer.url, session);
    const newer = await openEvents(peer.url, session);
    peer.transport.notify(everyone, 'a', undefined, ignoreSent);
    expect((await newer.next())?.message).toMatchObject({ method: 'a' });
    newer.leave();
    const stepsIn = older.next();
    let arrived = false;
    stepsIn.then(() => {
      arrived = true;
    });
    // Until the server notices that the newer one has left, messages to it are lost.
    await eventually(() => {
      peer.transport.notify(everyone, 'b', undefined, ignoreSent);
      return arrived;
    }).toBe(true);
    expect((await stepsIn)?.message).toMatchObject({ method: 'b' });
    older.leave();
  });

  test('send heartbeats', async () => {
    const session = await open({ limits: { heartbeatMs: 10 } });
    const stream = await openEvents(peer.url, session);
    expect(await stream.chunk()).toMatch(/^: \n\n/);
    stream.leave();
  });

  test.each([
    ['2025-11-25', true],
    ['2026-07-28', true],
    ['2025-06-18', false],
    ['nonsense', false],
  ])('begin with an event id for protocol version %s: %s', async (version, primed) => {
    const session = await open();
    const stream = await openEvents(peer.url, { ...session, 'mcp-protocol-version': version });
    peer.transport.notify(everyone, 'a', undefined, ignoreSent);
    expect(await stream.next()).toEqual(
      primed ? { id: '1-0', message: undefined } : { id: '1-1', message: { jsonrpc: '2.0', method: 'a' } },
    );
    stream.leave();
  });

  test('hold only a limited number of messages for a peer that does not read', async () => {
    const session = await open({ limits: { waitingPerSession: 50 } });
    const stream = await openEvents(peer.url, session);
    const params = { text: 'x'.repeat(100_000) };
    let written = 0;
    for (let count = 0; count < 200; count++)
      peer.transport.notify(everyone, 'flood', { ...params, count }, () => {
        written += 1;
      });
    expect(written).toBeLessThan(150);
    // Those that are read come in order and without a gap; there is room again as soon as some are.
    for (let count = 0; count < 50; count++)
      expect((await stream.next())?.message).toMatchObject({ method: 'flood', params: { count } });
    expect(written).toBeGreaterThanOrEqual(50);
    peer.transport.notify(everyone, 'after', undefined, ignoreSent);
    const rest: unknown[] = [];
    while (rest.at(-1) !== 'after')
      rest.push(((await stream.next())?.message as { method?: string } | undefined)?.method);
    expect(rest.length).toBeLessThan(150);
    stream.leave();
  });
});

describe('sessions of the Streamable HTTP server', () => {
  test('end with a DELETE, after which streams end and requests get 404', async () => {
    const waiting: Request[] = [];
    const session = await open({}, (request) => waiting.push(request));
    const other = await initialize(peer.url);
    const stream = await openEvents(peer.url, session);
    const held = post(peer.url, toolCall, session);
    await eventually(() => waiting.length).toBe(1);
    const gone = await fetch(peer.url, { method: 'DELETE', headers: session });
    expect(gone.status).toBe(204);
    expect(await stream.next()).toBeUndefined();
    expect((await held).status).toBe(404);
    expect(peer.received.at(-1)).toEqual({
      kind: 'connection',
      session: session['mcp-session-id'],
      event: 'closed',
    });
    for (const request of waiting) echo(request, peer.transport);
    expect(peer.transport.openSessions()).toBe(1);
    expect((await post(peer.url, toolCall, session)).status).toBe(404);
    expect((await post(peer.url, [], other)).status).toBe(400);
  });

  test('have ids and exchanges of their own', async () => {
    const waiting: Request[] = [];
    const session = await open({}, (request) => waiting.push(request));
    const other = await initialize(peer.url);
    const one = post(peer.url, call('m', { from: 'one' }, 7), session);
    await eventually(() => waiting.length).toBe(1);
    const two = post(peer.url, call('m', { from: 'two' }, 7), other);
    await eventually(() => waiting.length).toBe(2);
    for (const request of waiting.reverse()) echo(request, peer.transport);
    expect(await (await one).json()).toMatchObject({ id: 7, result: { from: 'one' } });
    expect(await (await two).json()).toMatchObject({ id: 7, result: { from: 'two' } });
  });
});
