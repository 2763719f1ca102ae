import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Value } from '../../src/index.ts';
import { type OfficialServerV1, openOfficialServerV1 } from './official-server-v1.ts';
import { type ClientRunOptions, playClient, userMessage } from './support.ts';

// Our client actor against the official server 1.3, over each transport that its card may prefer: through its layer for
// 0.3, and in 1.0 with the layer and without.

const send = (text: string): Value => ({ method: 'message/send', params: { message: userMessage(text) } });

type Spoken = { readonly words: string; readonly era: 'legacy' | 'both'; readonly hasLayer: boolean };

const ways: readonly Spoken[] = [
  { words: '0.3 through its layer', era: 'legacy', hasLayer: true },
  { words: '1.0 beside its layer', era: 'both', hasLayer: true },
  { words: '1.0 without a layer', era: 'both', hasLayer: false },
];
const rows = ['JSONRPC', 'HTTP+JSON', 'GRPC'].flatMap((transport) =>
  ways.map((way) => ({ transport, ...way })),
);

describe.each(rows)(
  'the official server 1.3 over $transport, speaking $words',
  ({ transport, era, hasLayer }) => {
    let server: OfficialServerV1;
    const play = (url: string, actions: readonly Value[], options: ClientRunOptions = {}) =>
      playClient(url, actions, { era, ...options });

    beforeEach(async () => {
      server = await openOfficialServerV1(transport, hasLayer);
    });
    afterEach(() => server.close());

    test('is found by its card, and answers with a task', async () => {
      const { messages } = await play(server.url, [{ method: 'agent_card/get' }, send('hello')]);
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

    test('answers with a message', async () => {
      const { messages } = await play(server.url, [send('just talk')]);
      expect(messages('message/send')[1]?.content).toMatchObject({
        kind: 'message',
        role: 'agent',
        parts: [{ kind: 'text', text: 'a direct answer' }],
      });
    });

    test('streams: each item under its own names', async () => {
      const action = { method: 'message/stream', params: { message: userMessage('hello') } };
      const { messages, outcome } = await play(server.url, [action]);
      const got = messages().filter(({ origin }) => origin === 'agent');
      expect(got.map(({ method, content }) => [method, (content as { kind: string }).kind])).toEqual([
        ['message/stream', 'task'],
        ['message/stream', 'artifact-update'],
        ['task/artifact', 'artifact-update'],
        ['message/stream', 'status-update'],
        ['task/status', 'status-update'],
      ]);
      expect(got.at(-1)?.content).toMatchObject({ status: { state: 'completed' }, final: true });
      expect(outcome).toMatchObject({
        reason: 'the document has no indicators, so there is nothing to judge by',
      });
    });

    test('is asked for tasks and push configurations, by ids that it gave', async () => {
      const phases = [
        {
          name: 'begin',
          state: { actions: [send('keep going')] },
          extractors: [{ name: 'task', source: 'response', type: 'json_path', selector: '$.id' }],
          trigger: { event: 'message/send' },
        },
        {
          name: 'ask',
          state: {
            actions: [
              { method: 'tasks/get', params: { id: '{{task}}' } },
              {
                method: 'tasks/pushNotificationConfig/set',
                params: {
                  taskId: '{{task}}',
                  pushNotificationConfig: { id: 'p1', url: 'http://127.0.0.1:9/', token: 'x' },
                },
              },
              {
                method: 'tasks/pushNotificationConfig/get',
                params: { id: '{{task}}', pushNotificationConfigId: 'p1' },
              },
              { method: 'tasks/pushNotificationConfig/list', params: { id: '{{task}}' } },
              {
                method: 'tasks/pushNotificationConfig/delete',
                params: { id: '{{task}}', pushNotificationConfigId: 'p1' },
              },
              { method: 'agent/getAuthenticatedExtendedCard' },
              { method: 'tasks/cancel', params: { id: '{{task}}' } },
              { method: 'tasks/get', params: { id: 'nobody' } },
            ],
          },
        },
      ];
      const { messages } = await play(server.url, [], { phases });
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

    // Unlike 0.3.14, it keeps the stream of a task that waits for input until the task ends.
    test('streams a task to who comes back, until another client cancels it', async () => {
      const begun = await play(server.url, [send('keep going')]);
      const { id = '' } = (begun.messages('message/send')[1]?.content ?? {}) as { id?: string };
      const following = play(server.url, [{ method: 'tasks/resubscribe', params: { id } }]);
      await server.followed;
      const canceling = await play(server.url, [{ method: 'tasks/cancel', params: { id } }]);
      expect(canceling.messages()[1]?.content).toMatchObject({ id, status: { state: 'canceled' } });
      const { messages } = await following;
      expect(messages('tasks/resubscribe').slice(1)).toMatchObject([
        { kind: 'event', content: { kind: 'task', id, status: { state: 'input-required' } } },
        { content: { kind: 'status-update', taskId: id, status: { state: 'canceled' }, final: true } },
      ]);
    });
  },
);
