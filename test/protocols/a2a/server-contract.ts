import { afterEach, describe, expect, test } from 'vitest';
import type { Value, ValueMap } from '../../../src/index.ts';
import type { A2aServerModeOptions } from '../../../src/suite/play/playable-modes.ts';
import { eventually } from '../../support/http-peer.ts';
import { type Played, playServer, task, userMessage } from './support.ts';

// The contract of our A2A servers over every framing. Each framing brings a peer that speaks it.

/** A client on its own connection. */
export interface ContractPeer {
  /** The result, or the error with its A2A code. */
  request(method: string, params: ValueMap): Promise<Value>;
  /** The items of a stream; an error is the last of them. */
  stream(method: string, params: ValueMap): Promise<readonly Value[]>;
  /** Sends bytes that are not a message of this framing. */
  garbage(): Promise<void>;
  leave(): Promise<void>;
}

export interface Framing {
  readonly name: string;
  /** Whether an update says that it is the last. */
  readonly saysFinal: boolean;
  connect(url: string): Promise<ContractPeer>;
  /** The code that a peer sees if its framing has no number for it. */
  codeOf(code: number): number;
}

const file = { kind: 'file', file: { uri: 'file:///etc/passwd', mimeType: 'text/plain' } };
const content = task({
  status: {
    state: 'working',
    timestamp: '2026-01-02T03:04:05.000Z',
    message: { kind: 'message', role: 'agent', messageId: 'a', parts: [{ kind: 'text', text: 'so far' }] },
  },
  history: [{ kind: 'message', role: 'user', messageId: 'h', parts: [{ kind: 'text', text: 'earlier' }] }],
  artifacts: [
    { artifactId: 'x', name: 'n', parts: [{ kind: 'data', data: { a: [1, 'b', null, { c: true }] } }, file] },
  ],
  metadata: { deep: { list: [1.5, -2] } },
});
const message = userMessage('Hello', { contextId: 'c9', metadata: { k: 'v' } });

export function serverContract({ name, saysFinal, connect, codeOf }: Framing): void {
  let played: Played;
  const peers: ContractPeer[] = [];

  async function serve(state: ValueMap = {}, options: A2aServerModeOptions = {}): Promise<ContractPeer> {
    played = await playServer({ state }, options);
    return join();
  }

  async function join(): Promise<ContractPeer> {
    const peer = await connect(played.url);
    peers.push(peer);
    return peer;
  }

  describe(`A2A server contract over ${name}`, () => {
    afterEach(async () => {
      await Promise.all(peers.splice(0).map((peer) => peer.leave()));
      await played.stop();
    });

    test('answers a message and records both sides unchanged', async () => {
      const peer = await serve({ task_responses: [{ content }] });
      expect(await peer.request('message/send', { message })).toEqual(content);
      await eventually(() => played.messages()).toMatchObject([
        { kind: 'request', origin: 'agent', method: 'message/send', protocol: 'a2a', content: { message } },
        {
          kind: 'response',
          origin: 'attacker',
          method: 'message/send',
          mode: 'a2a_server',
          content,
          request: { message },
        },
      ]);
    });

    test('streams a task, its status, its artifacts and its status again, marked final', async () => {
      const peer = await serve({ task_responses: [{ content }] });
      const place = { taskId: 't1', contextId: 'c1' };
      const [artifact] = content.artifacts as readonly Value[];
      expect(await peer.stream('message/stream', { message })).toMatchObject([
        content,
        { kind: 'status-update', ...place, status: content.status, final: false },
        { kind: 'artifact-update', ...place, artifact },
        { kind: 'status-update', ...place, status: content.status, final: saysFinal },
      ]);
    });

    test('streams a message as one item', async () => {
      const said = { kind: 'message', role: 'agent', messageId: 'a', parts: [{ kind: 'text', text: 'hi' }] };
      const peer = await serve({ task_responses: [{ content: said }] });
      expect(await peer.stream('message/stream', { message })).toEqual([said]);
    });

    test('answers with an empty completed task when the document has no responses', async () => {
      const peer = await serve();
      const first = (await peer.request('message/send', { message })) as ValueMap;
      expect(first).toMatchObject({ kind: 'task', contextId: 'c9', status: { state: 'completed' } });
      const taskId = first.id as string;
      expect(await peer.request('tasks/get', { id: taskId })).toMatchObject({ id: taskId });
    });

    test('answers failed requests with the codes of A2A', async () => {
      const when = { 'message.messageId': { exists: true }, 'message.taskId': { exists: false } };
      const peer = await serve({ task_responses: [{ when, content: task() }] });
      await peer.request('message/send', { message });
      const going = (fields: ValueMap) => ({ message: userMessage('more', fields) });
      expect([
        await peer.request('tasks/get', { id: 'nobody' }),
        await peer.request('tasks/cancel', { id: 't1' }),
        await peer.request('tasks/pushNotificationConfig/get', { id: 't1', pushNotificationConfigId: 'p' }),
        await peer.request('message/send', {}),
        await peer.request('message/send', going({ taskId: 'nobody' })),
        await peer.request('message/send', going({ taskId: 't1' })),
        (await peer.stream('message/stream', going({ taskId: 'nobody' }))).at(-1),
        (await peer.stream('message/stream', going({ taskId: 't1' }))).at(-1),
      ]).toMatchObject([
        { code: codeOf(-32001) },
        { code: codeOf(-32002) },
        { code: codeOf(-32001) },
        { code: codeOf(-32602) },
        { code: codeOf(-32001) },
        { code: codeOf(-32004) },
        { code: codeOf(-32001) },
        { code: codeOf(-32004) },
      ]);
      expect((await peer.stream('tasks/resubscribe', { id: 'nobody' })).at(-1)).toMatchObject({
        code: codeOf(-32001),
      });
    });

    test('answers what an entry of the document answers, whatever task the message names', async () => {
      const peer = await serve({ task_responses: [{ content: task() }] });
      const going = (taskId: string) => ({ message: userMessage('more', { taskId }) });
      expect([
        await peer.request('message/send', going('nobody')),
        await peer.request('message/send', going('t1')),
        await peer.request('message/send', {}),
      ]).toMatchObject([{ id: 't1' }, { id: 't1' }, { id: 't1' }]);
    });

    test('refuses push configurations when the card has no push notifications', async () => {
      const agent_card = { name: 'x', capabilities: { pushNotifications: false } };
      const peer = await serve({ agent_card });
      expect(await peer.request('tasks/pushNotificationConfig/list', { id: 't1' })).toMatchObject({
        code: codeOf(-32003),
      });
    });

    test.each<[string, ValueMap, ValueMap]>([
      ['refuses a stream', {}, { code: codeOf(-32004) }],
      ['streams a response that the document wrote as a stream', { stream: [task({ id: 't1' })] }, { id: 't1' }],
    ])('%s when the card has no streaming', async (_, entry, last) => {
      const agent_card = { name: 'x', capabilities: { streaming: false } };
      const peer = await serve({ agent_card, task_responses: [{ content: task({ id: 't1' }), ...entry }] });
      expect((await peer.stream('message/stream', { message })).at(-1)).toMatchObject(last);
      await peer.request('message/send', { message });
      expect((await peer.stream('tasks/resubscribe', { id: 't1' })).at(-1)).toMatchObject({
        code: codeOf(-32004),
      });
    });

    test('selects the response whose condition the message meets', async () => {
      const peer = await serve({
        task_responses: [
          { when: { 'message.contextId': 'c9' }, content: task({ id: 'nine' }) },
          { content: task({ id: 'other' }) },
        ],
      });
      expect(await peer.request('message/send', { message })).toMatchObject({ id: 'nine' });
      expect(await peer.request('message/send', { message: userMessage('x') })).toMatchObject({
        id: 'other',
      });
    });

    test('records bytes that are not a message, and serves the next request', async () => {
      const peer = await serve();
      await peer.garbage();
      await eventually(() => played.records.find(({ kind }) => kind === 'malformed')).toMatchObject({
        raw: expect.stringMatching(/.+/),
      });
      expect(await peer.request('message/send', { message })).toMatchObject({ kind: 'task' });
    });

    test('gives each peer its own session', async () => {
      const first = await serve();
      const second = await join();
      await first.request('message/send', { message });
      await second.request('message/send', { message });
      await eventually(() => new Set(played.messages().map(({ session }) => session)).size).toBe(2);
    });

    test('records a peer that disconnects, and serves the others', async () => {
      const first = await serve();
      const second = await join();
      await first.request('message/send', { message });
      await first.leave();
      await eventually(() =>
        played.records.some((record) => record.kind === 'connection' && record.event === 'closed'),
      ).toBe(true);
      expect(await second.request('message/send', { message })).toMatchObject({ kind: 'task' });
    });

    test('refuses a message above the size limit, and serves the next peer', async () => {
      const peer = await serve({}, { transport: { limits: { bodyBytes: 10_000 } } });
      const big = { message: userMessage('x'.repeat(20_000)) };
      const refused = await peer.request('message/send', big).catch(() => ({ code: 'refused' }));
      expect(refused).toHaveProperty('code');
      const next = await join();
      expect(await next.request('message/send', { message })).toMatchObject({ kind: 'task' });
    });
  });
}
