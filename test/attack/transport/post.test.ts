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

const toolCall = call('tools/call', { name: 'add' });
const echoed = { jsonrpc: '2.0', id: 1, result: { name: 'add' } };

describe('a POST to the Streamable HTTP server', () => {
  test('opens a session if it is initialize', async () => {
    const session = await open({ newSessionId: () => 'first' });
    expect(session).toEqual({ 'mcp-session-id': 'first' });
    expect(peer.transport.openSessions()).toBe(1);
    expect(peer.received).toMatchObject([
      { kind: 'connection', session: 'first', event: 'opened' },
      { kind: 'request', session: 'first', method: 'initialize', id: 0, params: {} },
    ]);
  });

  test('is answered with JSON if there is nothing but the answer', async () => {
    const session = await open();
    const response = await post(peer.url, toolCall, session);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('content-length')).not.toBeNull();
    expect(await response.json()).toEqual(echoed);
  });

  test('is answered with events if the peer accepts nothing else', async () => {
    const session = await open();
    const events = await openEvents(peer.url, { ...session, accept: 'text/event-stream' }, toolCall);
    expect(events.response.headers.get('content-type')).toBe('text/event-stream');
    expect(await events.all()).toEqual([echoed]);
  });

  test('is answered with events if something goes out before the answer', async () => {
    const sent: string[] = [];
    const session = await open({}, (request, transport) => {
      const within = { exchange: request.exchange };
      transport.notify(within, 'notifications/progress', { progress: 1 }, (id) => sent.push(id));
      echo(request, transport);
    });
    const events = await openEvents(peer.url, session, toolCall);
    expect(await events.all()).toEqual([
      { jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } },
      echoed,
    ]);
    expect(sent).toEqual([session['mcp-session-id']]);
  });

  test('is answered with JSON if the peer accepts no events, and the rest goes over its GET stream', async () => {
    const session = await open({}, (request, transport) => {
      transport.notify({ exchange: request.exchange }, 'notifications/progress', {}, ignoreSent);
      echo(request, transport);
    });
    const stream = await openEvents(peer.url, session);
    const response = await post(peer.url, toolCall, { ...session, accept: 'application/json' });
    expect(await response.json()).toEqual(echoed);
    expect((await stream.next())?.message).toMatchObject({ method: 'notifications/progress' });
    stream.leave();
  });

  test('may be answered late, and with an error', async () => {
    let late: Request | undefined;
    const session = await open({}, (request) => {
      late = request;
    });
    const waiting = post(peer.url, toolCall, session);
    await eventually(() => late).toBeDefined();
    peer.transport.answer(late?.exchange ?? '', { kind: 'error', error: { code: 5, message: 'no' } }, () => {});
    peer.transport.answer(late?.exchange ?? '', { kind: 'result', result: 'a second one goes nowhere' }, () => {});
    expect(await (await waiting).json()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: 5, message: 'no' },
    });
  });

  test.each([null, 1.5, 'x', 0, { a: [1] }, [], true, ''])('with the id %j is answered under that id', async (id) => {
    const session = await open();
    const response = await post(peer.url, { ...toolCall, id }, session);
    expect(await response.json()).toEqual({ ...echoed, id });
    expect(peer.received.at(-1)).toMatchObject({ kind: 'request', id });
  });

  test('of a notification is answered with 202', async () => {
    const session = await open();
    const message = { jsonrpc: '2.0', method: 'notifications/initialized', params: { a: 1 } };
    const response = await post(peer.url, message, session);
    expect([response.status, await response.text()]).toEqual([202, '']);
    expect(peer.received.at(-1)).toEqual({
      kind: 'notification',
      session: session['mcp-session-id'],
      method: 'notifications/initialized',
      params: { a: 1 },
    });
  });

  test.each(['', '0000-00-00', '2024-11-05', 'DRAFT', '9999-99-99'])(
    'with the protocol version %j is accepted',
    async (version) => {
      const session = await open();
      expect((await post(peer.url, toolCall, { ...session, 'mcp-protocol-version': version })).status).toBe(200);
    },
  );

  test('may have a query, or be a second initialize in the same session', async () => {
    const session = await open();
    expect((await post(`${peer.url}?a=1`, toolCall, session)).status).toBe(200);
    const again = await post(peer.url, call('initialize', {}), session);
    expect(again.headers.get('mcp-session-id')).toBe(session['mcp-session-id']);
    expect(peer.transport.openSessions()).toBe(1);
  });
});

describe('a batch to the Streamable HTTP server', () => {
  const note = { jsonrpc: '2.0', method: 'notifications/x' };

  test('of requests is answered with a list', async () => {
    const session = await open();
    const response = await post(peer.url, [call('a', { n: 1 }, 1), note, call('b', { n: 2 }, 'two')], session);
    expect(await response.json()).toEqual([
      { jsonrpc: '2.0', id: 1, result: { n: 1 } },
      { jsonrpc: '2.0', id: 'two', result: { n: 2 } },
    ]);
    expect(peer.received.slice(-3).map(({ kind }) => kind)).toEqual(['request', 'notification', 'request']);
  });

  test('of one request is answered with a list', async () => {
    const session = await open();
    expect(await (await post(peer.url, [toolCall], session)).json()).toEqual([echoed]);
  });

  test('is answered with events if something goes out before the last answer', async () => {
    const session = await open({}, (request, transport) => {
      if (request.method === 'b')
        transport.notify({ exchange: request.exchange }, 'notifications/progress', {}, ignoreSent);
      echo(request, transport);
    });
    const events = await openEvents(peer.url, session, [call('a', {}, 1), call('b', {}, 2)]);
    expect(await events.all()).toMatchObject([{ id: 1 }, { method: 'notifications/progress' }, { id: 2 }]);
  });

  test('of notifications is answered with 202', async () => {
    const session = await open();
    expect((await post(peer.url, [note, note], session)).status).toBe(202);
  });

  test('has an error for each invalid entry', async () => {
    const session = await open();
    const response = await post(peer.url, [toolCall, 5, { id: 'x' }], session);
    expect(await response.json()).toEqual([
      echoed,
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32600 }) }),
      expect.objectContaining({ id: 'x', error: expect.objectContaining({ code: -32600 }) }),
    ]);
    expect(peer.malformed()).toHaveLength(2);
  });

  test.each([
    ['that is empty', []],
    ['with initialize', [call('initialize', {})]],
  ])('%s is refused with 400', async (_, batch) => {
    const session = await open();
    const response = await post(peer.url, batch, session);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: null, error: { code: -32600 } });
  });
});
