import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ValueMap } from '../../../src/index.ts';
import { openRecorder, type Recorder } from './client-recorder.ts';
import { type Ask, bindings, type Came } from './conformance-bindings.ts';
import { errorsBySchema1, hasSchema1 } from './schema-1.ts';
import { type Played, playClient, playServer, task, userMessage } from './support.ts';

// Our own requests for what A2A 1.0 requires of a server, grouped like the requirements of the protocol's test kit.
// Each row is sent over all three bindings, which must give the same result.

const card: ValueMap = {
  name: 'Conformant',
  description: 'Does as its table says.',
  version: '1.0.0',
  capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: true },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [{ id: 's', name: 'Skill', description: 'Does it.', tags: ['t'] }],
};

const agentMessage = (messageId: string, text: string): ValueMap => ({
  kind: 'message',
  role: 'agent',
  messageId,
  parts: [{ kind: 'text', text }],
});

/** The answers, by the id of the message that asks. */
const answers: { readonly [messageId: string]: ValueMap } = {
  'complete-task': task({
    id: 'done',
    history: [userMessage('one'), userMessage('two', { messageId: 'm2' })],
    artifacts: [{ artifactId: 'a1', parts: [{ kind: 'text', text: 'done' }] }],
  }),
  'every-part': task({
    id: 'parts',
    artifacts: [
      {
        artifactId: 'a1',
        parts: [
          { kind: 'text', text: 'x' },
          { kind: 'file', file: { bytes: 'AA==', name: 'n.bin', mimeType: 'application/octet-stream' } },
          { kind: 'file', file: { uri: 'https://files.example/n', mimeType: 'text/plain' } },
          { kind: 'data', data: { a: [1, true, null] } },
        ],
      },
    ],
  }),
  'message-response': agentMessage('r1', 'hello'),
  'input-required': task({
    id: 'asks',
    status: { state: 'input-required', message: agentMessage('r2', 'which one?') },
  }),
  'auth-required': task({ id: 'locked', status: { state: 'auth-required' } }),
  'reject-task': task({ id: 'refused', status: { state: 'rejected' } }),
  'working-task': task({ id: 'busy', contextId: 'c2', status: { state: 'working' } }),
};

const state: ValueMap = {
  agent_card: card,
  task_responses: [
    ...Object.entries(answers).map(([messageId, content]) => ({
      when: { 'message.messageId': messageId },
      content,
    })),
    { when: { 'message.messageId': 'wrong' }, content: task({ id: 'odd', status: { state: 'exploded' } }) },
  ],
};

const asking = (messageId: string, fields: ValueMap = {}): ValueMap => ({
  message: { messageId, role: 'ROLE_USER', parts: [{ text: 'go' }], ...fields },
});

interface Row {
  readonly group: string;
  readonly says: string;
  readonly method: string;
  readonly params: ValueMap;
  readonly headers?: { readonly [name: string]: string };
  /** Requests that must be sent before. */
  readonly after?: readonly (readonly [method: string, params: ValueMap])[];
  /** The expected answer: a part of the result, the items of a stream, or the reason of an error. */
  readonly gives: { readonly result: ValueMap } | { readonly items: readonly ValueMap[] } | { readonly reason: string };
  /** The schema definition of the result, or of each item. */
  readonly schema?: string;
}

const send = (messageId: string): readonly ['SendMessage', ValueMap] => ['SendMessage', asking(messageId)];
const state1 = (word: string): ValueMap => ({ status: { state: `TASK_STATE_${word}` } });

const rows: readonly Row[] = [
  {
    group: 'CORE-SEND',
    says: 'wraps a task in its response, with the state in proto spelling',
    method: 'SendMessage',
    params: asking('complete-task'),
    gives: { result: { task: { id: 'done', contextId: 'c1', ...state1('COMPLETED') } } },
    schema: 'SendMessageResponse',
  },
  {
    group: 'CORE-SEND',
    says: 'wraps a message in its response, with the role in proto spelling',
    method: 'SendMessage',
    params: asking('message-response'),
    gives: { result: { message: { messageId: 'r1', role: 'ROLE_AGENT', parts: [{ text: 'hello' }] } } },
    schema: 'SendMessageResponse',
  },
  ...(
    [
      ['input-required', 'INPUT_REQUIRED'],
      ['auth-required', 'AUTH_REQUIRED'],
      ['reject-task', 'REJECTED'],
    ] as const
  ).map(([messageId, word]) => ({
    group: 'CORE-SEND',
    says: `reports the task state ${word}`,
    method: 'SendMessage',
    params: asking(messageId),
    gives: { result: { task: state1(word) } },
    schema: 'SendMessageResponse',
  })),
  {
    group: 'CORE-EXECUTION-MODE',
    says: 'returns the unfinished task when the client asks not to wait',
    method: 'SendMessage',
    params: { ...asking('working-task'), configuration: { returnImmediately: true } },
    gives: { result: { task: { id: 'busy', ...state1('WORKING') } } },
    schema: 'SendMessageResponse',
  },
  {
    group: 'CORE-MULTI',
    says: 'keeps the task and context ids when a message continues a task',
    method: 'SendMessage',
    params: asking('anything', { taskId: 'asks', contextId: 'c1' }),
    after: [send('input-required')],
    gives: { result: { task: { id: 'asks', contextId: 'c1' } } },
    schema: 'SendMessageResponse',
  },
  {
    group: 'CORE-STREAM',
    says: 'streams a message as the only item',
    method: 'SendStreamingMessage',
    params: asking('message-response'),
    gives: { items: [{ message: { messageId: 'r1' } }] },
    schema: 'StreamResponse',
  },
  {
    group: 'STREAM-ORDER',
    says: 'streams the task, its state, its artifacts and its state again, and closes the stream',
    method: 'SendStreamingMessage',
    params: asking('complete-task'),
    gives: {
      items: [
        { task: { id: 'done' } },
        { statusUpdate: { taskId: 'done', contextId: 'c1', ...state1('COMPLETED') } },
        {
          artifactUpdate: {
            taskId: 'done',
            contextId: 'c1',
            artifact: { artifactId: 'a1' },
            lastChunk: true,
          },
        },
        { statusUpdate: { taskId: 'done', contextId: 'c1', ...state1('COMPLETED') } },
      ],
    },
    schema: 'StreamResponse',
  },
  {
    group: 'STREAM-SUB',
    says: 'streams the current task and its state to a client that subscribes',
    method: 'SubscribeToTask',
    params: { id: 'busy' },
    after: [send('working-task')],
    gives: { items: [{ task: { id: 'busy' } }, { statusUpdate: state1('WORKING') }] },
    schema: 'StreamResponse',
  },
  {
    group: 'STREAM-SUB',
    says: 'refuses a subscription to a task that has ended',
    method: 'SubscribeToTask',
    params: { id: 'done' },
    after: [send('complete-task')],
    gives: { reason: 'UNSUPPORTED_OPERATION' },
  },
  {
    group: 'CORE-GET',
    says: 'returns a task by its id, without a wrapper',
    method: 'GetTask',
    params: { id: 'done' },
    after: [send('complete-task')],
    gives: { result: { id: 'done', history: [{ messageId: 'm1' }, { messageId: 'm2' }] } },
    schema: 'Task',
  },
  {
    group: 'CORE-HIST',
    says: 'returns only the latest messages of the history, as many as were asked for',
    method: 'GetTask',
    params: { id: 'done', historyLength: 1 },
    after: [send('complete-task')],
    gives: { result: { id: 'done', history: [{ messageId: 'm2', role: 'ROLE_USER' }] } },
    schema: 'Task',
  },
  {
    group: 'CORE-LIST',
    says: 'lists tasks filtered by context and state',
    method: 'ListTasks',
    params: { contextId: 'c2', status: 'TASK_STATE_WORKING' },
    after: [send('complete-task'), send('working-task')],
    gives: { result: { tasks: [{ id: 'busy' }], totalSize: 1, pageSize: 50 } },
    schema: 'ListTasksResponse',
  },
  {
    group: 'CORE-LIST',
    says: 'gives a page of tasks a token for the next page',
    method: 'ListTasks',
    params: { pageSize: 1 },
    after: [send('complete-task'), send('working-task')],
    gives: { result: { tasks: [{}], nextPageToken: '1', pageSize: 1 } },
    schema: 'ListTasksResponse',
  },
  {
    group: 'CORE-CANCEL',
    says: 'cancels a task that is still working',
    method: 'CancelTask',
    params: { id: 'busy' },
    after: [send('working-task')],
    gives: { result: { id: 'busy', ...state1('CANCELED') } },
    schema: 'Task',
  },
  {
    group: 'CORE-CANCEL',
    says: 'refuses to cancel a task that has ended',
    method: 'CancelTask',
    params: { id: 'done' },
    after: [send('complete-task')],
    gives: { reason: 'TASK_NOT_CANCELABLE' },
  },
  ...['GetTask', 'CancelTask', 'SubscribeToTask'].map((method) => ({
    group: 'CORE-ERR',
    says: `refuses ${method} for an unknown task`,
    method,
    params: { id: 'nobody' },
    gives: { reason: 'TASK_NOT_FOUND' },
  })),
  {
    group: 'CORE-ERR',
    says: 'refuses a request without a message',
    method: 'SendMessage',
    params: {},
    gives: { reason: 'INVALID_PARAMS' },
  },
  {
    group: 'VER-SERVER',
    says: 'refuses an unknown protocol version',
    method: 'SendMessage',
    params: asking('complete-task'),
    headers: { 'A2A-Version': '9.9' },
    gives: { reason: 'VERSION_NOT_SUPPORTED' },
  },
  {
    group: 'VER-SERVER',
    says: 'ignores the patch level of the protocol version',
    method: 'SendMessage',
    params: asking('complete-task'),
    headers: { 'A2A-Version': '1.0.7' },
    gives: { result: { task: { id: 'done' } } },
  },
  {
    group: 'CARD-EXT',
    says: 'returns the extended card to a client that asks',
    method: 'GetExtendedAgentCard',
    params: {},
    gives: { result: { name: 'Conformant', capabilities: { extendedAgentCard: true } } },
  },
  {
    group: 'BIND-FIELD',
    says: 'accepts a request that names a tenant',
    method: 'SendMessage',
    params: { tenant: 'acme', ...asking('complete-task') },
    gives: { result: { task: { id: 'done' } } },
    schema: 'SendMessageResponse',
  },
  {
    group: 'DM-PART',
    says: 'writes each kind of part with its single member',
    method: 'SendMessage',
    params: asking('every-part'),
    gives: {
      result: {
        task: {
          artifacts: [
            {
              parts: [
                { text: 'x' },
                { raw: 'AA==', filename: 'n.bin', mediaType: 'application/octet-stream' },
                { url: 'https://files.example/n', mediaType: 'text/plain' },
                { data: { a: [1, true, null] } },
              ],
            },
          ],
        },
      },
    },
    schema: 'SendMessageResponse',
  },
  {
    group: 'PUSH-CREATE',
    says: 'stores a push configuration as a flat object of its task',
    method: 'CreateTaskPushNotificationConfig',
    params: { taskId: 'done', id: 'p1', url: 'http://127.0.0.1:9/', token: 't' },
    after: [send('complete-task')],
    gives: { result: { taskId: 'done', id: 'p1', url: 'http://127.0.0.1:9/', token: 't' } },
    schema: 'TaskPushNotificationConfig',
  },
  ...(
    [
      ['PUSH-GET', 'GetTaskPushNotificationConfig', { taskId: 'done', id: 'p1' }, { id: 'p1' }],
      ['PUSH-LIST', 'ListTaskPushNotificationConfigs', { taskId: 'done' }, { configs: [{ id: 'p1' }] }],
      ['PUSH-DEL', 'DeleteTaskPushNotificationConfig', { taskId: 'done', id: 'p1' }, {}],
    ] as const
  ).map(([group, method, params, result]) => ({
    group,
    says: 'answers for the push configuration that was created before',
    method,
    params,
    after: [
      send('complete-task'),
      ['CreateTaskPushNotificationConfig', { taskId: 'done', id: 'p1', url: 'http://127.0.0.1:9/' }] as const,
    ],
    gives: { result },
  })),
];

async function asked(ask: Ask, url: string, { method, params, headers, after = [] }: Row): Promise<Came> {
  for (const [before, with_] of after) await ask(url, before, with_);
  return ask(url, method, params, headers);
}

describe.each(bindings)('our A2A 1.0 server over $name', ({ name, ask }) => {
  let played: Played;
  beforeAll(async () => {
    played = await playServer({ state });
  });
  afterAll(() => played.stop());

  // `$says` would be cut off in the title.
  const titled = rows.map((row): [string, Row] => [`${row.group}: ${row.says}`, row]);
  test.each(titled)('%s', async (_, row) => {
    const came = await asked(ask, played.url, row);
    expect(came).toMatchObject(row.gives);
    const { items = [], result } = came;
    const reported = result === undefined ? items : [result];
    if ('items' in row.gives) expect(items).toHaveLength(row.gives.items.length);
    if (row.schema !== undefined && hasSchema1)
      expect(reported.flatMap((each) => errorsBySchema1(row.schema ?? '', each))).toEqual([]);
  });

  test.runIf(hasSchema1 && name !== 'gRPC')(
    'sends content that the document makes invalid without correcting it',
    async () => {
      const { result } = await ask(played.url, 'SendMessage', asking('wrong'));
      expect(result).toMatchObject({ task: { status: { state: 'exploded' } } });
      expect(errorsBySchema1('SendMessageResponse', result ?? null)).not.toEqual([]);
    },
  );
});

/** The form of each error in each binding. */
const errorForms: readonly (readonly [string, string, number | string, string?])[] = [
  ['JSON-RPC', 'TASK_NOT_FOUND', -32001],
  ['HTTP+JSON', 'TASK_NOT_FOUND', 404, 'application/a2a+json'],
  ['gRPC', 'TASK_NOT_FOUND', 'NOT_FOUND'],
];

describe('our A2A 1.0 server, errors in the form of each binding', () => {
  let played: Played;
  beforeAll(async () => {
    played = await playServer({ state });
  });
  afterAll(() => played.stop());

  test.each(errorForms)('%s-ERR: answers %s with the status of this binding', async (name, reason, status, type) => {
    const ask = bindings.find((binding) => binding.name === name)?.ask;
    expect(await ask?.(played.url, 'GetTask', { id: 'nobody' })).toMatchObject({
      reason,
      status,
      ...(type !== undefined && { type }),
    });
  });

  test.each([
    ['JSONRPC-ERR: refuses an unknown method', '{"jsonrpc":"2.0","id":7,"method":"Explode"}', -32601, 7],
    ['JSONRPC-ERR: refuses a body that is not JSON', '{"jsonrpc":', -32700, null],
    ['JSONRPC-FMT: refuses JSON that is not a request', '{"jsonrpc":"2.0","id":7}', -32600, 7],
  ])('%s', async (_, body, code, id) => {
    const response = await fetch(played.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'A2A-Version': '1.0' },
      body,
    });
    expect([response.status, await response.json()]).toMatchObject([200, { jsonrpc: '2.0', id, error: { code } }]);
  });

  test('CARD-DISC, CARD-STRUCT: serves a valid card at its well-known path to clients of 1.0', async () => {
    const response = await fetch(new URL('/.well-known/agent-card.json', played.url), {
      headers: { 'A2A-Version': '1.0' },
    });
    const { url: _, preferredTransport, additionalInterfaces, ...served } = (await response.json()) as ValueMap;
    expect([response.status, response.headers.get('content-type'), response.headers.get('vary')]).toEqual([
      200,
      'application/json',
      'A2A-Version',
    ]);
    expect(served.supportedInterfaces).toMatchObject([
      { protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      { protocolBinding: 'GRPC', protocolVersion: '1.0' },
    ]);
    if (hasSchema1) expect(errorsBySchema1('AgentCard', served)).toEqual([]);
  });
});

describe.each(bindings)('our A2A 1.0 server over $name, capabilities of its card', ({ ask }) => {
  const uri = 'https://ext.example/priority/v1';
  const withCapabilities = (capabilities: ValueMap): ValueMap => ({
    ...state,
    agent_card: { ...card, capabilities },
  });

  test.each<[string, ValueMap, Row['gives'], Row['headers']]>([
    [
      'CORE-CAP: refuses push configurations when the card has no push notifications',
      { pushNotifications: false },
      { reason: 'PUSH_NOTIFICATION_NOT_SUPPORTED' },
      undefined,
    ],
    [
      'EXT: refuses a request that does not list a required extension',
      { extensions: [{ uri, required: true }] },
      { reason: 'EXTENSION_SUPPORT_REQUIRED' },
      { 'A2A-Extensions': 'https://ext.example/another' },
    ],
    [
      'EXT: accepts a request that lists the required extension',
      { extensions: [{ uri, required: true }] },
      { reason: 'TASK_NOT_FOUND' },
      { 'A2A-Extensions': `https://ext.example/another, ${uri}` },
    ],
    [
      'EXT: accepts a request without an extension that is optional',
      { extensions: [{ uri, required: false }] },
      { reason: 'TASK_NOT_FOUND' },
      undefined,
    ],
  ])('%s', async (_, capabilities, gives, headers) => {
    const played = await playServer({ state: withCapabilities(capabilities) });
    const params = { taskId: 'nobody', id: 'p1' };
    const came = await ask(played.url, 'GetTaskPushNotificationConfig', params, headers);
    const { end } = await played.stop();
    expect(came).toMatchObject(gives);
    expect(end.diagnostics.some(({ code }) => code === 'O-126')).toBe(
      'reason' in gives && gives.reason === 'EXTENSION_SUPPORT_REQUIRED',
    );
  });
});

describe('our A2A 1.0 client', () => {
  let peer: Recorder;
  beforeEach(async () => {
    peer = await openRecorder((url) => ({
      ...card,
      capabilities: { extensions: [{ uri: 'https://ext.example/a', required: true }] },
      supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: 'acme' }],
    }));
  });
  afterEach(() => peer.close());

  const bodies = (): readonly ValueMap[] => peer.requests.flatMap(({ body }) => (body === undefined ? [] : [body]));

  test('VER-CLIENT, EXT: sends its version, the required extensions and the tenant of the interface', async () => {
    const message = userMessage('hello', { extensions: ['https://ext.example/b'] });
    await playClient(peer.url, [
      { method: 'message/send', params: { message } },
      { method: 'tasks/get', params: { id: 't1' } },
    ]);
    expect(
      peer.requests.map(({ headers, body }) => [
        headers['a2a-version'],
        headers['a2a-extensions'],
        body?.method,
        (body?.params as ValueMap | undefined)?.tenant,
      ]),
    ).toEqual([
      ['1.0', undefined, undefined, undefined],
      ['1.0', 'https://ext.example/a, https://ext.example/b', 'SendMessage', 'acme'],
      ['1.0', 'https://ext.example/a', 'GetTask', 'acme'],
    ]);
  });

  test('EXT: sends the extensions under the older header name in the legacy era', async () => {
    const message = userMessage('hello', { extensions: ['https://ext.example/b'] });
    await playClient(peer.url, [{ method: 'message/send', params: { message } }], { era: 'legacy' });
    const [, asked] = peer.requests;
    expect([asked?.headers['x-a2a-extensions'], asked?.headers['a2a-extensions']]).toEqual([
      'https://ext.example/a, https://ext.example/b',
      undefined,
    ]);
  });

  test('EXT: sends the extensions header of the operator instead of its own', async () => {
    await playClient(peer.url, [{ method: 'tasks/get', params: { id: 't1' } }], {
      headers: { 'a2a-extensions': 'https://ext.example/c' },
    });
    expect(peer.requests[1]?.headers['a2a-extensions']).toBe('https://ext.example/c');
  });

  const params = {
    message: userMessage('hello', { contextId: 'c1' }),
    configuration: { blocking: false, pushNotificationConfig: { url: 'http://127.0.0.1:9/', token: 't' } },
  };
  test.runIf(hasSchema1).each<[string, string, ValueMap]>([
    ['message/send', 'SendMessageRequest', params],
    ['message/stream', 'SendMessageRequest', params],
    ['tasks/get', 'GetTaskRequest', { id: 't1', historyLength: 2 }],
    ['tasks/list', 'ListTasksRequest', { contextId: 'c1', pageSize: 3 }],
    ['tasks/cancel', 'CancelTaskRequest', { id: 't1' }],
    ['tasks/resubscribe', 'SubscribeToTaskRequest', { id: 't1' }],
    [
      'tasks/pushNotificationConfig/set',
      'TaskPushNotificationConfig',
      { taskId: 't1', pushNotificationConfig: { id: 'p1', url: 'http://127.0.0.1:9/' } },
    ],
    [
      'tasks/pushNotificationConfig/get',
      'GetTaskPushNotificationConfigRequest',
      { id: 't1', pushNotificationConfigId: 'p1' },
    ],
    ['tasks/pushNotificationConfig/list', 'ListTaskPushNotificationConfigsRequest', { id: 't1' }],
    [
      'tasks/pushNotificationConfig/delete',
      'DeleteTaskPushNotificationConfigRequest',
      { id: 't1', pushNotificationConfigId: 'p1' },
    ],
    ['agent/getAuthenticatedExtendedCard', 'GetExtendedAgentCardRequest', {}],
  ])('turns the 0.3 parameters of %s into a valid %s', async (method, definition, written) => {
    await playClient(peer.url, [{ method, params: written }]);
    const [asked] = bodies();
    expect(errorsBySchema1(definition, asked?.params ?? null)).toEqual([]);
  });

  test.runIf(hasSchema1)('sends a message that the document makes invalid without correcting it', async () => {
    const message = { role: 'boss', messageId: 7, parts: 'none' };
    await playClient(peer.url, [{ method: 'message/send', params: { message } }]);
    const [asked] = bodies();
    expect(asked?.params).toMatchObject({ message });
    expect(errorsBySchema1('SendMessageRequest', asked?.params ?? null)).not.toEqual([]);
  });
});
