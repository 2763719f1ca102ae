import { afterEach, describe, expect, test } from 'vitest';
import type { MessageRecord, Value, ValueMap } from '../../src/index.ts';
import { eventually } from '../support/http-peer.ts';
import type { Recorded } from '../support/run-actor.ts';

// What holds for an MCP server of ours over any transport. A transport brings a peer that speaks it, and passes.

/** A client, connected and past its initialize. */
export interface ContractPeer {
  /** The answer's `result` or `error`. */
  request(method: string, params?: Value): Promise<Value>;
  notify(method: string, params?: Value): Promise<void>;
  /** Something that is not a message. */
  garbage(bytes: string): Promise<void>;
  /** What the server has sent by itself, requests and notifications, as they stand on the wire. */
  readonly fromServer: readonly ValueMap[];
  answer(id: Value, result: Value): Promise<void>;
  leave(): Promise<void>;
}

export interface PlayedServer {
  readonly records: readonly Recorded[];
  connect(): Promise<ContractPeer>;
  stop(): Promise<void>;
}

const document = (phases: readonly object[]): string =>
  JSON.stringify({ oatf: '0.1', attack: { execution: { mode: 'mcp_server', phases } } });

const odd = { text: null, list: [{}, []], 'x-y': 1.5, nested: { type: ['no', 'type'] } };
const tool = {
  name: 'read',
  description: 'Reads',
  oddity: odd,
  responses: [{ content: { content: odd, isError: 'maybe' } }],
};

export function serverContract(name: string, play: (document: string) => Promise<PlayedServer>): void {
  let played: PlayedServer;

  async function serve(...phases: object[]): Promise<ContractPeer> {
    played = await play(document(phases));
    return played.connect();
  }

  const messages = (): MessageRecord[] =>
    played.records.filter((record): record is Recorded & MessageRecord => 'origin' in record);

  describe(`${name} keeps the contract`, () => {
    afterEach(() => played.stop());

    test('a request is answered, both recorded', async () => {
      const peer = await serve({ state: { tools: [tool] } });
      await peer.request('tools/call', { name: 'read', arguments: { path: '/etc' } });
      expect(messages().slice(-2)).toMatchObject([
        {
          kind: 'request',
          origin: 'agent',
          method: 'tools/call',
          content: { name: 'read' },
          protocol: 'mcp',
        },
        {
          kind: 'response',
          origin: 'attacker',
          method: 'tools/call',
          request: { name: 'read' },
          mode: 'mcp_server',
        },
      ]);
    });

    test('what the document orders goes out as ordered', async () => {
      const peer = await serve({ state: { tools: [tool] } });
      const { responses: _, ...listed } = tool;
      expect(await peer.request('tools/list')).toEqual({ tools: [listed] });
      expect(await peer.request('tools/call', { name: 'read' })).toEqual({ content: odd, isError: 'maybe' });
    });

    test('an unknown method is an error', async () => {
      const peer = await serve({ state: {} });
      expect(await peer.request('no/such')).toMatchObject({ code: -32601 });
    });

    test('a notification is recorded and can trigger', async () => {
      const peer = await serve(
        { state: {}, trigger: { event: 'notifications/roots/list_changed' } },
        { state: { tools: [tool] } },
      );
      await peer.notify('notifications/roots/list_changed');
      await eventually(() => messages().at(-1)?.method).toBe('notifications/roots/list_changed');
      expect(await peer.request('tools/list')).toMatchObject({ tools: [{ name: 'read' }] });
    });

    test('what is no message is recorded with its bytes, and survived', async () => {
      const peer = await serve({ state: {} });
      await peer.garbage('{"jsonrpc": ');
      await eventually(() => played.records.find(({ kind }) => kind === 'malformed')).toMatchObject({
        raw: Buffer.from('{"jsonrpc": ').toString('base64'),
      });
      expect(await peer.request('ping')).toEqual({});
    });

    test('sessions are apart, even with the same ids', async () => {
      const first = await serve({ state: { tools: [tool] } });
      const second = await played.connect();
      await Promise.all([first.request('ping'), second.request('ping'), first.request('ping')]);
      const sessions = new Set(messages().map(({ session }) => session));
      expect(sessions.size).toBe(2);
    });

    test('a call waits for what the client is asked in it', async () => {
      const peer = await serve({
        state: { tools: [tool], elicitations: [{ message: 'your key?', requestedSchema: {} }] },
      });
      const answer = peer.request('tools/call', { name: 'read' });
      await eventually(() => peer.fromServer[0]).toMatchObject({
        method: 'elicitation/create',
        params: { message: 'your key?' },
      });
      await peer.answer(peer.fromServer[0]?.id ?? null, { action: 'accept', content: { key: 'k' } });
      expect(await answer).toMatchObject({ isError: 'maybe' });
      expect(
        messages().find(({ method, origin }) => method === 'elicitation/create' && origin === 'agent'),
      ).toMatchObject({
        kind: 'response',
        content: { action: 'accept' },
        request: { message: 'your key?' },
      });
    });

    test('an entry action reaches every session', async () => {
      const on_enter = [{ send: { method: 'notifications/tools/list_changed' } }];
      const first = await serve(
        { state: {}, trigger: { event: 'tools/call' } },
        { name: 'second', on_enter },
      );
      const second = await played.connect();
      await first.request('tools/call', { name: 'any' });
      for (const peer of [first, second])
        await eventually(() => peer.fromServer.map(({ method }) => method)).toEqual([
          'notifications/tools/list_changed',
        ]);
    });

    test('what is sent before anybody is there waits', async () => {
      const peer = await serve({
        state: {},
        on_enter: [{ send: { method: 'notifications/message', params: { a: 1 } } }],
      });
      await eventually(() => peer.fromServer).toMatchObject([
        { method: 'notifications/message', params: { a: 1 } },
      ]);
    });

    test('a peer that has left is recorded, and hurts nobody', async () => {
      const first = await serve({ state: {} });
      const second = await played.connect();
      await first.leave();
      await eventually(() =>
        played.records.some(
          (record) => record.kind === 'connection' && 'event' in record && record.event === 'closed',
        ),
      ).toBe(true);
      expect(await second.request('ping')).toEqual({});
    });
  });
}
