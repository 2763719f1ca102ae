import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Value, ValueMap } from '../../../src/index.ts';
import { type OfficialServer, openOfficialServer } from './official-server.ts';
import { type OfficialServerV1, openOfficialServerV1 } from './official-server-v1.ts';
import { type ClientRunOptions, playClient, userMessage } from './support.ts';

// Our client actor against the official servers, over each transport that their cards may prefer: 0.3.14; 1.3 through
// its layer for 0.3, and in 1.0 with the layer and without.

const send = (text: string): Value => ({ method: 'message/send', params: { message: userMessage(text) } });
const keepGoing: ValueMap = {
  name: 'begin',
  state: { actions: [send('keep going')] },
  extractors: [{ name: 'task', source: 'response', type: 'json_path', selector: '$.id' }],
  trigger: { event: 'message/send' },
};

const transports = ['JSONRPC', 'HTTP+JSON', 'GRPC'];
const waysOf1 = [
  { words: '1.3, speaking 0.3 through its layer', era: 'legacy', hasLayer: true },
  { words: '1.3, speaking 1.0 beside its layer', era: 'both', hasLayer: true },
  { words: '1.3, speaking 1.0 without a layer', era: 'both', hasLayer: false },
] as const;
const ways = [
  { words: '0.3.14', era: undefined, open: openOfficialServer },
  ...waysOf1.map(({ hasLayer, ...way }) => ({
    ...way,
    open: (transport: string): Promise<OfficialServer> => openOfficialServerV1(transport, hasLayer),
  })),
];
const rows = transports.flatMap((transport) => ways.map((way) => ({ transport, ...way })));

describe.each(rows)('our A2A client and the official server $words, over $transport', ({ transport, era, open }) => {
  let server: OfficialServer;
  const play = (actions: readonly Value[], options: ClientRunOptions = {}) =>
    playClient(server.url, actions, { ...(era && { era }), ...options });

  beforeEach(async () => {
    server = await open(transport);
  });
  afterEach(() => server.close());

  test('finds the server by its card and records its task', async () => {
    const { messages } = await play([{ method: 'agent_card/get' }, send('hello')]);
    expect(messages('agent_card/get')[1]).toMatchObject({
      kind: 'response',
      content: { name: 'Official' },
    });
    expect(messages('message/send')[1]).toMatchObject({
      kind: 'response',
      origin: 'agent',
      content: {
        kind: 'task',
        status: { state: 'completed' },
        artifacts: [{ parts: [{ kind: 'text', text: 'you said: hello' }] }],
      },
      request: { message: { parts: [{ text: 'hello' }] } },
      ...(era === 'both' && { era: '1.0', wire: { task: { status: { state: 'TASK_STATE_COMPLETED' } } } }),
    });
    expect(server.received).toEqual(['hello']);
  });

  test('records an answer that is a message', async () => {
    const { messages } = await play([send('just talk')]);
    expect(messages('message/send')[1]?.content).toMatchObject({
      kind: 'message',
      role: 'agent',
      parts: [{ kind: 'text', text: 'a direct answer' }],
    });
  });

  test('records each streamed item under its own event names', async () => {
    const action = { method: 'message/stream', params: { message: userMessage('hello') } };
    const { messages, ...run } = await play([action]);
    const got = messages().filter(({ origin }) => origin === 'agent');
    expect(got.map(({ method, content }) => [method, (content as { kind: string }).kind])).toEqual([
      ['message/stream', 'task'],
      ['message/stream', 'artifact-update'],
      ['task/artifact', 'artifact-update'],
      ['message/stream', 'status-update'],
      ['task/status', 'status-update'],
    ]);
    expect(got.at(-1)?.content).toMatchObject({ status: { state: 'completed' }, final: true });
    expect(run).toMatchObject({
      reason: 'the document has no indicators, so there is nothing to judge by',
    });
  });

  test('asks for tasks and push configurations by ids that the server gave', async () => {
    const id = '{{task}}';
    const pushNotificationConfig = { id: 'p1', url: 'http://127.0.0.1:9/', token: 'x' };
    const actions = [
      { method: 'tasks/get', params: { id } },
      { method: 'tasks/pushNotificationConfig/set', params: { taskId: id, pushNotificationConfig } },
      { method: 'tasks/pushNotificationConfig/get', params: { id, pushNotificationConfigId: 'p1' } },
      { method: 'tasks/pushNotificationConfig/list', params: { id } },
      { method: 'tasks/pushNotificationConfig/delete', params: { id, pushNotificationConfigId: 'p1' } },
      { method: 'agent/getAuthenticatedExtendedCard' },
      { method: 'tasks/cancel', params: { id } },
      { method: 'tasks/get', params: { id: 'nobody' } },
    ];
    const { messages } = await play([], { phases: [keepGoing, { name: 'ask', state: { actions } }] });
    const answers = messages()
      .filter(({ kind }) => kind === 'response')
      .slice(1)
      .map(({ content }) => content);
    const config = { pushNotificationConfig: { id: 'p1', url: 'http://127.0.0.1:9/' } };
    expect(answers).toMatchObject([
      { kind: 'task', status: { state: 'input-required' } },
      config,
      config,
      [config],
      null,
      // Only a client that has logged in gets the extended card.
      { name: 'Official', description: 'An official server' },
      { kind: 'task', status: { state: 'canceled' } },
      { code: -32001 },
    ]);
  });
});

describe.each(transports)('our A2A client, resubscribing to a task over %s', (transport) => {
  test('receives the task so far from the official server 0.3.14', async () => {
    const server = await openOfficialServer(transport);
    try {
      const follow = { actions: [{ method: 'tasks/resubscribe', params: { id: '{{task}}' } }] };
      const phases = [keepGoing, { name: 'follow', state: follow }];
      const { messages } = await playClient(server.url, [], { phases });
      expect(messages('tasks/resubscribe')[1]).toMatchObject({ kind: 'event', content: { kind: 'task' } });
    } finally {
      await server.close();
    }
  });

  // It keeps the stream of a task that waits for input until the task ends.
  test.each(waysOf1)(
    'receives the task of the official server $words until another client cancels it',
    async ({ era, hasLayer }) => {
      const server: OfficialServerV1 = await openOfficialServerV1(transport, hasLayer);
      const play = (action: Value) => playClient(server.url, [action], { era });
      try {
        const begun = await play(send('keep going'));
        const { id = '' } = (begun.messages('message/send')[1]?.content ?? {}) as { id?: string };
        const following = play({ method: 'tasks/resubscribe', params: { id } });
        await server.followed;
        const canceling = await play({ method: 'tasks/cancel', params: { id } });
        expect(canceling.messages()[1]?.content).toMatchObject({ id, status: { state: 'canceled' } });
        const { messages } = await following;
        expect(messages('tasks/resubscribe').slice(1)).toMatchObject([
          { kind: 'event', content: { kind: 'task', id, status: { state: 'input-required' } } },
          { content: { kind: 'status-update', taskId: id, status: { state: 'canceled' }, final: true } },
        ]);
      } finally {
        await server.close();
      }
    },
  );
});
