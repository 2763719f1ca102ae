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

describe('resuming a stream of the Streamable HTTP server', () => {
  test('goes on after the last event that was seen', async () => {
    const session = await open();
    const stream = await openEvents(peer.url, session);
    for (const name of ['a', 'b', 'c']) peer.transport.notify(everyone, name, undefined, ignoreSent);
    const seen = await stream.next();
    stream.leave();
    const back = await openEvents(peer.url, { ...session, 'last-event-id': seen?.id ?? '' });
    expect([await back.next(), await back.next()].map((event) => event?.message)).toMatchObject([
      { method: 'b' },
      { method: 'c' },
    ]);
    peer.transport.notify(everyone, 'd', undefined, ignoreSent);
    expect((await back.next())?.message).toMatchObject({ method: 'd' });
    back.leave();
  });

  test('brings an answer whose stream was lost', async () => {
    const waiting: Request[] = [];
    const sent: string[] = [];
    const session = await open({}, (request, transport) => {
      waiting.push(request);
      transport.notify({ exchange: request.exchange }, 'first', undefined, ignoreSent);
    });
    const stream = await openEvents(peer.url, session, toolCall);
    const seen = await stream.next();
    stream.leave();
    const [request] = waiting as [Request];
    await eventually(() => {
      let lost = true;
      peer.transport.notify({ exchange: request.exchange }, 'meanwhile', undefined, () => {
        lost = false;
        sent.push('meanwhile');
      });
      return lost;
    }).toBe(true);
    const before = sent.length;
    echo(request, peer.transport);
    const back = await openEvents(peer.url, { ...session, 'last-event-id': seen?.id ?? '' });
    const messages = await back.all();
    expect(messages.at(-1)).toMatchObject({ id: 1, result: {} });
    expect(messages.slice(0, -1).every((message) => (message as { method?: string }).method === 'meanwhile')).toBe(
      true,
    );
    expect(sent.length).toBe(before + 1);
  });

  test('gives 204 for a stream that was read to its end, so that nobody comes back again', async () => {
    const session = await open();
    const events = await openEvents(peer.url, { ...session, accept: 'text/event-stream' }, toolCall);
    const last = await events.next();
    expect(await events.next()).toBeUndefined();
    const back = await openEvents(peer.url, { ...session, 'last-event-id': last?.id ?? '' });
    expect(back.response.status).toBe(204);
  });

  test('replaces the old connection of the stream', async () => {
    const session = await open();
    const stream = await openEvents(peer.url, { ...session, 'mcp-protocol-version': '2025-11-25' });
    const primed = await stream.next();
    const back = await openEvents(peer.url, { ...session, 'last-event-id': primed?.id ?? '' });
    expect(await stream.next()).toBeUndefined();
    peer.transport.notify(everyone, 'a', undefined, ignoreSent);
    expect((await back.next())?.message).toMatchObject({ method: 'a' });
    back.leave();
  });

  test.each(['', 'nonsense', '99-1', '1', '-', '1-1-1'])(
    'opens a new stream for the unknown event id %j',
    async (id) => {
      const session = await open();
      const stream = await openEvents(peer.url, { ...session, 'last-event-id': id });
      peer.transport.notify(everyone, 'a', undefined, ignoreSent);
      expect((await stream.next())?.message).toMatchObject({ method: 'a' });
      stream.leave();
    },
  );

  test('gives no events of another session', async () => {
    const session = await open();
    const stream = await openEvents(peer.url, session);
    peer.transport.notify(everyone, 'secret', undefined, ignoreSent);
    await stream.next();
    stream.leave();
    const other = await openEvents(peer.url, { ...(await initialize(peer.url)), 'last-event-id': '1-0' });
    peer.transport.notify(everyone, 'public', undefined, ignoreSent);
    expect((await other.next())?.message).toMatchObject({ method: 'public' });
    other.leave();
  });

  test('gives only a limited number of past events', async () => {
    const session = await open({ limits: { replayEvents: 2, streamsPerSession: 2 } });
    const stream = await openEvents(peer.url, session);
    for (const name of ['a', 'b', 'c', 'd']) peer.transport.notify(everyone, name, undefined, ignoreSent);
    const seen = await stream.next();
    stream.leave();
    const back = await openEvents(peer.url, { ...session, 'last-event-id': seen?.id ?? '' });
    expect((await back.next())?.message).toMatchObject({ method: 'c' });
    const more = [await openEvents(peer.url, session), await openEvents(peer.url, session)];
    // The oldest of three is given up.
    expect((await back.next())?.message).toMatchObject({ method: 'd' });
    expect(await back.next()).toBeUndefined();
    for (const open of more) open.leave();
  });
});
