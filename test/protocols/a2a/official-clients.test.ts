import type { Message, Task } from '@a2a-js/sdk';
import { type Client, ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client';
import { GrpcTransportFactory } from '@a2a-js/sdk/client/grpc';
import {
  ListTaskPushNotificationConfigsRequest as ListConfigs,
  ListTasksRequest,
  Message as MessageV1,
} from 'a2a-sdk-v1';
import {
  DefaultAgentCardResolver as CardResolverV1,
  type Client as ClientV1,
  ClientFactory as FactoryV1,
  JsonRpcTransportFactory as JsonRpcV1,
  RestTransportFactory as RestV1,
} from 'a2a-sdk-v1/client';
import { GrpcTransportFactory as GrpcV1 } from 'a2a-sdk-v1/client/grpc';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../support/http-peer.ts';
import { type Played, playServer, task } from './support.ts';

// The official clients, over each transport, against one actor: their calls and the answers.

const message: Message = {
  kind: 'message',
  role: 'user',
  messageId: 'm1',
  parts: [{ kind: 'text', text: 'Hello' }],
};
const working = task({
  status: {
    state: 'working',
    message: {
      kind: 'message',
      role: 'agent',
      messageId: 'a1',
      parts: [{ kind: 'text', text: 'poison in a status' }],
    },
  },
  artifacts: [{ artifactId: 'a', name: 'file', parts: [{ kind: 'text', text: 'poison in an artifact' }] }],
});

let played: Played;

afterEach(() => played.stop());

async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of stream) items.push(item);
  return items;
}

const textsIn = (value: unknown): string[] =>
  [...JSON.stringify(value).matchAll(/"(poison [^"]*)"/g)].map(([, text = '']) => text);

describe.each(['JSONRPC', 'HTTP+JSON', 'GRPC'])(
  'our A2A server and the official client 0.3.14 over %s',
  (transport) => {
    let client: Client;

    beforeEach(async () => {
      played = await playServer({ state: { task_responses: [{ content: working }] } });
      const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
        transports: [new GrpcTransportFactory()],
      });
      client = await new ClientFactory({ ...options, preferredTransports: [transport] }).createFromUrl(played.url);
    });

    test('answers a sent message with the task and records both', async () => {
      const answer = (await client.sendMessage({ message })) as Task;
      expect([answer.id, answer.contextId, answer.status.state, textsIn(answer)]).toEqual([
        't1',
        'c1',
        'working',
        ['poison in a status', 'poison in an artifact'],
      ]);
      await eventually(() => played.messages('message/send')).toMatchObject([
        { kind: 'request', content: { message: { parts: [{ kind: 'text', text: 'Hello' }] } } },
        { kind: 'response', content: working },
      ]);
    });

    test('streams the task, its artifact and its end', async () => {
      const items = await all(client.sendMessageStream({ message }));
      expect(items.map(({ kind }) => kind)).toEqual(['task', 'status-update', 'artifact-update', 'status-update']);
      expect(items.at(-1)).toMatchObject({ final: true, taskId: 't1', contextId: 'c1' });
      await eventually(() => played.messages('message/stream').map(({ kind }) => kind)).toEqual([
        'request',
        'event',
        'event',
        'event',
        'response',
      ]);
    });

    test('serves resubscribe, get and cancel for a task', async () => {
      await client.sendMessage({ message });
      expect((await all(client.resubscribeTask({ id: 't1' }))).map(({ kind }) => kind)).toEqual([
        'task',
        'status-update',
        'artifact-update',
        'status-update',
      ]);
      expect(await client.getTask({ id: 't1' })).toMatchObject({ id: 't1', status: { state: 'working' } });
      expect(await client.cancelTask({ id: 't1' })).toMatchObject({ status: { state: 'canceled' } });
      await expect(client.cancelTask({ id: 't1' })).rejects.toThrow(/cancel/);
      await expect(client.getTask({ id: 'nobody' })).rejects.toThrow(/not found/i);
    });

    test('stores, lists and deletes push configurations', async () => {
      await client.sendMessage({ message });
      const config = { id: 'p1', url: 'http://127.0.0.1:9/hook', token: 'tok' };
      const place = { id: 't1', pushNotificationConfigId: 'p1' };
      const set = await client.setTaskPushNotificationConfig({
        taskId: 't1',
        pushNotificationConfig: config,
      });
      expect(set).toMatchObject({ taskId: 't1', pushNotificationConfig: config });
      expect(await client.getTaskPushNotificationConfig(place)).toMatchObject({
        pushNotificationConfig: config,
      });
      expect(await client.listTaskPushNotificationConfig({ id: 't1' })).toHaveLength(1);
      await client.deleteTaskPushNotificationConfig(place);
      expect(await client.listTaskPushNotificationConfig({ id: 't1' })).toEqual([]);
    });
  },
);

const attackedState = {
  name: 'Poisoned',
  description: 'poison in a card',
  version: '1',
  capabilities: { streaming: true },
  supportsAuthenticatedExtendedCard: true,
  securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
  security: [{ key: ['read'] }],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 's', name: 'S', description: 'poison in a skill', tags: [] }],
};

describe.each(['JSONRPC', 'HTTP+JSON', 'GRPC'])('our A2A server and the extended card over %s', (transport) => {
  test('serves the document’s card as the extended card', async () => {
    const agent_card = attackedState;
    played = await playServer({ state: { agent_card } });
    const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new GrpcTransportFactory()],
    });
    const factory = new ClientFactory({ ...options, preferredTransports: [transport] });
    const card = await (await factory.createFromUrl(played.url)).getAgentCard();
    expect(textsIn(card)).toEqual(['poison in a card', 'poison in a skill']);
    expect([card.securitySchemes, card.security]).toEqual([agent_card.securitySchemes, agent_card.security]);
    await eventually(() => played.messages('agent/getAuthenticatedExtendedCard')).toHaveLength(2);
  });
});

describe.each(['JSONRPC', 'HTTP+JSON', 'GRPC'])(
  'our A2A server and the official client 1.3 over %s, speaking 0.3',
  (transport) => {
    const legacyCompat = { enabled: true };
    const said = {
      messageId: 'm1',
      role: 1,
      parts: [{ content: { $case: 'text', value: 'Hello' }, metadata: undefined, filename: '', mediaType: '' }],
      contextId: '',
      taskId: '',
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
    let client: ClientV1;

    beforeEach(async () => {
      const state = { task_responses: [{ content: working }] };
      played = await playServer({ state }, { era: 'legacy' });
      const factory = new FactoryV1({
        transports: [new JsonRpcV1({ legacyCompat }), new RestV1({ legacyCompat }), new GrpcV1({ legacyCompat })],
        cardResolver: new CardResolverV1({ legacyCompat }),
        preferredTransports: [transport],
      });
      client = await factory.createFromUrl(played.url);
    });

    test('answers a sent message and streams another', async () => {
      const params = { message: said } as unknown as Parameters<ClientV1['sendMessage']>[0];
      expect(textsIn(await client.sendMessage(params))).toEqual(['poison in a status', 'poison in an artifact']);
      const items = await all(client.sendMessageStream(params));
      expect(items).toHaveLength(4);
      expect(new Set(textsIn(items))).toEqual(new Set(['poison in a status', 'poison in an artifact']));
    });
  },
);

describe.each(['JSONRPC', 'HTTP+JSON', 'GRPC'])('our A2A server and the official client 1.3 over %s', (transport) => {
  const said = (text: string) =>
    ({
      message: MessageV1.fromJSON({ messageId: 'm1', role: 'ROLE_USER', parts: [{ text }] }),
    }) as unknown as Parameters<ClientV1['sendMessage']>[0];

  async function clientOf(hasLayer: boolean): Promise<ClientV1> {
    const legacyCompat = { enabled: hasLayer };
    const factory = new FactoryV1({
      transports: [new JsonRpcV1({ legacyCompat }), new RestV1({ legacyCompat }), new GrpcV1({ legacyCompat })],
      cardResolver: new CardResolverV1({ legacyCompat }),
      preferredTransports: [transport],
    });
    return factory.createFromUrl(played.url);
  }

  const card = { ...attackedState, name: 'Written for 0.3' };
  const cases = [
    ['our own card', undefined, false],
    ['our own card, with its compatibility layer', undefined, true],
    ['a card that was written for 0.3', card, false],
  ] as const;

  test.each(cases)(
    'answers, streams and lists tasks when the client found it by %s',
    async (_, agent_card, hasLayer) => {
      const state = { task_responses: [{ content: working }], ...(agent_card && { agent_card }) };
      played = await playServer({ state });
      const client = await clientOf(hasLayer);
      const answer = (await client.sendMessage(said('Hello'))) as unknown as { id: string };
      expect([answer.id, textsIn(answer)]).toEqual(['t1', ['poison in a status', 'poison in an artifact']]);
      const items = await all(client.sendMessageStream(said('Hello')));
      expect(items).toHaveLength(4);
      expect(new Set(textsIn(items))).toEqual(new Set(['poison in a status', 'poison in an artifact']));
      expect(await client.getTask({ id: 't1' } as never)).toMatchObject({ id: 't1' });
      expect((await client.listTasks(ListTasksRequest.fromJSON({ contextId: 'c1' }))).tasks).toHaveLength(1);
      await expect(client.getTask({ id: 'nobody' } as never)).rejects.toThrow(/not found/i);
      await eventually(() => played.messages('message/send')).toMatchObject([
        {
          kind: 'request',
          era: '1.0',
          content: { message: { kind: 'message', role: 'user', parts: [{ kind: 'text', text: 'Hello' }] } },
          wire: { message: { role: 'ROLE_USER', parts: [{ text: 'Hello' }] } },
        },
        { kind: 'response', era: '1.0', content: working, wire: { task: { id: 't1' } } },
      ]);
    },
  );

  test('stores, lists and deletes push configurations', async () => {
    played = await playServer({ state: { task_responses: [{ content: working }] } });
    const client = await clientOf(false);
    await client.sendMessage(said('Hello'));
    const config = { taskId: 't1', id: 'p1', url: 'http://127.0.0.1:9/hook', token: 'tok' };
    const made = await client.createTaskPushNotificationConfig(config as never);
    expect(made).toMatchObject(config);
    const place = { taskId: 't1', id: 'p1' } as never;
    expect(await client.getTaskPushNotificationConfig(place)).toMatchObject(config);
    expect((await client.listTaskPushNotificationConfig(ListConfigs.fromJSON({ taskId: 't1' }))).configs).toHaveLength(
      1,
    );
    await client.deleteTaskPushNotificationConfig(place);
    await eventually(() => played.messages('tasks/pushNotificationConfig/set')[0]?.content).toMatchObject({
      taskId: 't1',
      pushNotificationConfig: { id: 'p1', url: 'http://127.0.0.1:9/hook', token: 'tok' },
    });
  });
});
