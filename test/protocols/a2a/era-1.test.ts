import { afterEach, describe, expect, test } from 'vitest';
import { evaluateTrace, type Value, type ValueMap } from '../../../src/index.ts';
import type { A2aServerModeOptions } from '../../../src/suite/play/playable-modes.ts';
import { eventually } from '../../support/http-peer.ts';
import { documentWith } from '../../support/records.ts';
import { errorsBySchema1, hasSchema1 } from './schema-1.ts';
import { type Played, playClient, playServer, rpc, task, userMessage } from './support.ts';

// A2A 1.0 on the wire, in records and in judgements.

let played: Played;

afterEach(() => played?.stop());

async function serve(state: ValueMap, options: A2aServerModeOptions = {}): Promise<Played> {
  played = await playServer({ state }, options);
  return played;
}

const message1 = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'Hello' }] };
const send1 = async (message: Value = message1): Promise<ValueMap> => rpc(played.url, 'SendMessage', { message });

const cardFor = async (version: string | undefined, path = '/.well-known/agent-card.json') => {
  const headers = version === undefined ? {} : { 'A2A-Version': version };
  const response = await fetch(new URL(path, played.url), { headers });
  return { vary: response.headers.get('vary'), card: (await response.json()) as ValueMap };
};

describe('A2A server, response content', () => {
  test.each<[string, Value, Value]>([
    [
      'a task of 0.3',
      task({
        artifacts: [{ artifactId: 'a', parts: [{ kind: 'file', file: { uri: 'u', name: 'n', mimeType: 'm' } }] }],
      }),
      {
        task: {
          id: 't1',
          contextId: 'c1',
          status: { state: 'TASK_STATE_COMPLETED' },
          artifacts: [{ artifactId: 'a', parts: [{ url: 'u', filename: 'n', mediaType: 'm' }] }],
        },
      },
    ],
    [
      'a task of 1.0',
      { id: 't1', status: { state: 'TASK_STATE_CANCELED' } },
      { task: { id: 't1', status: { state: 'TASK_STATE_CANCELED' } } },
    ],
    [
      'a message of 1.0, wrapped, with a part of several members',
      { message: { messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: 'x', url: 'u', raw: 'AA==' }] } },
      { message: { messageId: 'a', role: 'ROLE_AGENT', parts: [{ text: 'x', url: 'u', raw: 'AA==' }] } },
    ],
    ['an object that is neither task nor message', { anything: [1, null] }, { anything: [1, null] }],
    [
      'a task with a bare word for a status',
      { id: 't1', status: 'completed' },
      { task: { id: 't1', status: 'completed' } },
    ],
  ])('sends %s to a 1.0 client in the form of 1.0', async (_, content, wire) => {
    await serve({ task_responses: [{ content }] });
    expect((await send1()).result).toEqual(wire);
  });

  test.each<[string, Value, ValueMap]>([
    [
      'a task of 1.0',
      {
        id: 't1',
        status: { state: 'TASK_STATE_COMPLETED' },
        artifacts: [{ artifactId: 'a', parts: [{ text: 'x' }] }],
      },
      task({
        contextId: undefined,
        artifacts: [{ artifactId: 'a', parts: [{ kind: 'text', text: 'x' }] }],
      } as never),
    ],
    [
      'a wrapped message of 1.0',
      { message: { messageId: 'a', role: 'ROLE_AGENT', parts: [{ raw: 'AA==', mediaType: 'm' }] } },
      {
        kind: 'message',
        messageId: 'a',
        role: 'agent',
        parts: [{ kind: 'file', file: { bytes: 'AA==', mimeType: 'm' } }],
      },
    ],
  ])('sends %s to a 0.3 client in the form of 0.3', async (_, content, wire) => {
    await serve({ task_responses: [{ content }] });
    const { result } = await rpc(played.url, 'message/send', { message: userMessage('x') });
    expect(result).toEqual(JSON.parse(JSON.stringify(wire)));
  });
});

describe('A2A server, a stream written item by item', () => {
  const late = {
    taskId: 'of another',
    contextId: 'c1',
    artifact: { artifactId: 'a', parts: [{ text: 'x' }] },
  };
  const items = [
    { task: { id: 't1', contextId: 'c1', status: { state: 'TASK_STATE_COMPLETED' } } },
    { artifactUpdate: late },
    { anything: 1 },
  ];

  test.each<[string, string, readonly Value[]]>([
    ['1.0', 'SendStreamingMessage', items],
    [
      '0.3',
      'message/stream',
      [
        task(),
        {
          kind: 'artifact-update',
          ...late,
          artifact: { artifactId: 'a', parts: [{ kind: 'text', text: 'x' }] },
        },
        { anything: 1 },
      ],
    ],
  ])('sends the items to a %s client in the written order, even after a final state', async (_, method, wire) => {
    await serve({ task_responses: [{ stream: items }] });
    const response = await fetch(played.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { message: message1 } }),
    });
    const frames = [...(await response.text()).matchAll(/^data: (.*)$/gm)];
    expect(frames.map(([, data = '']) => JSON.parse(data).result)).toEqual(wire);
  });

  test('sends only its task to a client that does not stream, and leaves the stream piece undelivered', async () => {
    await serve({ task_responses: [{ stream: items }] });
    expect((await send1()).result).toEqual(items[0]);
    const { coverage } = await played.stop();
    expect(coverage.pieces.map(({ at, delivered }) => [at, delivered])).toEqual([
      ['/phases/0/state/task_responses/0/stream', false],
    ]);
  });
});

test('A2A server: records the era of the requests, not of the card fetch before them', async () => {
  await serve({});
  await cardFor(undefined);
  await send1();
  const { delivery } = await played.stop();
  expect(delivery.default?.eras).toEqual(['1.0']);
});

describe('A2A server, requests in both eras', () => {
  test('records a 1.0 request in OATF’s shape with the wire form beside it', async () => {
    await serve({ task_responses: [{ content: task() }] });
    await rpc(played.url, 'SendMessage', {
      tenant: 'acme',
      message: message1,
      configuration: {
        returnImmediately: true,
        taskPushNotificationConfig: { url: 'u', authentication: { scheme: 'Bearer', credentials: 'c' } },
      },
    });
    await eventually(() => played.messages('message/send')[0]).toMatchObject({
      era: '1.0',
      content: {
        tenant: 'acme',
        message: userMessage('Hello'),
        configuration: {
          blocking: false,
          pushNotificationConfig: { url: 'u', authentication: { schemes: ['Bearer'], credentials: 'c' } },
        },
      },
      wire: { tenant: 'acme', message: message1, configuration: { returnImmediately: true } },
    });
  });

  test.each([
    ['JSON-RPC', '/', 'SendMessage', 200],
    ['HTTP+JSON', '/message:send', undefined, 400],
  ])('refuses an unsupported version over %s and records the request as refused', async (_, path, method, status) => {
    await serve({});
    const body =
      method === undefined ? { message: message1 } : { jsonrpc: '2.0', id: 1, method, params: { message: message1 } };
    const response = await fetch(new URL(path, played.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'A2A-Version': '7.1' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expect([response.status, text.includes('VERSION_NOT_SUPPORTED')]).toEqual([status, true]);
    await eventually(() => played.messages('message/send').map(({ refused }) => refused !== undefined)).toEqual([true]);
  });

  test.each([
    ['legacy', 'SendMessage', -32601],
    ['modern', 'message/send', -32009],
  ] as const)('refuses a request of the other era when the server is %s', async (era, method, code) => {
    await serve({}, { era });
    const message = method === 'SendMessage' ? message1 : userMessage('x');
    expect((await rpc(played.url, method, { message })).error).toMatchObject({ code });
  });

  test('names the error reason TASK_NOT_FOUND over JSON-RPC and HTTP+JSON', async () => {
    await serve({});
    expect((await rpc(played.url, 'GetTask', { id: 'nobody' })).error).toMatchObject({
      code: -32001,
      data: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'TASK_NOT_FOUND',
          domain: 'a2a-protocol.org',
        },
      ],
    });
    const response = await fetch(new URL('/tasks/nobody', played.url));
    expect([response.status, response.headers.get('content-type'), await response.json()]).toMatchObject([
      404,
      'application/a2a+json',
      { error: { code: 404, status: 'NOT_FOUND', details: [{ reason: 'TASK_NOT_FOUND' }] } },
    ]);
  });

  test('refuses a subscription to a task that has ended', async () => {
    await serve({ task_responses: [{ content: task() }] });
    await send1();
    const response = await fetch(new URL('/tasks/t1:subscribe', played.url));
    expect(await response.text()).toContain('UNSUPPORTED_OPERATION');
  });

  test('returns a task list page by page, filtered by state', async () => {
    await serve({
      task_responses: [
        { when: { 'message.messageId': 'a' }, content: task({ id: 'a', artifacts: [] }) },
        { content: task({ id: 'b', status: { state: 'working' } }) },
      ],
    });
    await send1({ ...message1, messageId: 'a' });
    await send1();
    const list = async (params: ValueMap) => (await rpc(played.url, 'ListTasks', params)).result as ValueMap;
    const first = await list({ pageSize: 1 });
    expect(first).toEqual({
      tasks: [{ id: 'a', contextId: 'c1', status: { state: 'TASK_STATE_COMPLETED' } }],
      nextPageToken: '1',
      pageSize: 1,
      totalSize: 2,
    });
    expect(await list({ pageToken: '1', pageSize: 1 })).toMatchObject({
      tasks: [{ id: 'b' }],
      nextPageToken: '',
    });
    expect(await list({ status: 'TASK_STATE_WORKING' })).toMatchObject({
      tasks: [{ id: 'b' }],
      totalSize: 1,
    });
  });
});

describe('A2A server, the agent card in both eras', () => {
  const written = {
    name: 'Poisoned',
    description: 'x',
    supportsAuthenticatedExtendedCard: true,
    capabilities: { streaming: true },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    security: [{ key: [] }],
  };

  test('serves a 0.3 card unchanged, and adds interfaces for clients of 1.0', async () => {
    await serve({ agent_card: written });
    const { host } = new URL(played.url);
    const before = await cardFor(undefined);
    expect([before.vary, before.card.supportedInterfaces]).toEqual(['A2A-Version', undefined]);
    expect(before.card).toMatchObject(written);
    const { card } = await cardFor('1.0');
    expect(card).toMatchObject({
      name: 'Poisoned',
      url: played.url,
      capabilities: { streaming: true, extendedAgentCard: true },
      supportedInterfaces: [
        { url: played.url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: `http://${host}`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
        { url: host, protocolBinding: 'GRPC', protocolVersion: '1.0' },
      ],
      securitySchemes: { key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } } },
      securityRequirements: [{ schemes: { key: { list: [] } } }],
    });
    expect(Object.keys(card)).not.toContain('security');
  });

  test.each<[string, ValueMap]>([
    ['its own interfaces', { name: 'x', url: 'http://127.0.0.1:9/', supportedInterfaces: [{ url: 7 }] }],
    ['signatures', { name: 'x', url: 'http://127.0.0.1:9/', signatures: [{ protected: 'e30', signature: 'AA' }] }],
    ['a URL that is null', { name: 'x', url: null }],
  ])('serves the same card to 0.3 and 1.0 clients when it has %s', async (_, agent_card) => {
    await serve({ agent_card });
    expect((await cardFor('1.0')).card).toEqual(agent_card);
    expect((await cardFor(undefined)).card).toEqual(agent_card);
  });

  test('lists 1.0 interfaces in the default card, unless the server speaks 0.3 only', async () => {
    await serve({});
    expect((await cardFor(undefined)).card).toMatchObject({
      url: played.url,
      supportedInterfaces: [{}, {}, {}],
    });
    await played.stop();
    await serve({}, { era: 'legacy' });
    expect((await cardFor('1.0')).card).not.toHaveProperty('supportedInterfaces');
  });
});

describe('A2A documents and 1.0 names', () => {
  test('matches triggers and actions that use the method names of 1.0', async () => {
    played = await playServer({
      phases: [
        {
          name: 'first',
          state: { task_responses: [{ content: task() }] },
          trigger: { event: 'SendMessage' },
        },
        { name: 'second', state: { task_responses: [{ content: task({ id: 'second' }) }] } },
      ],
    });
    const actions = [
      { method: 'SendMessage', params: { message: message1 } },
      { method: 'message/send', params: { message: message1 } },
    ];
    const { messages } = await playClient(played.url, actions);
    expect(messages('message/send').map(({ content }) => content)).toMatchObject([
      { message: userMessage('Hello') },
      { id: 't1' },
      { message: userMessage('Hello') },
      { id: 'second' },
    ]);
  });

  const trace = async () => {
    await serve({ task_responses: [{ content: task() }] });
    await send1();
    const { records } = played;
    await eventually(() => records.length).toBeGreaterThan(2);
    return records;
  };

  test.each<[string, ValueMap, string]>([
    ['a target in OATF’s spelling', { target: 'message.role', pattern: { contains: 'user' } }, 'matched'],
    ['a value in the spelling of 1.0', { target: 'message.role', pattern: { condition: 'ROLE_USER' } }, 'matched'],
    [
      'the absence of a field that only the wire form lacks',
      { target: 'message.parts[*].kind', pattern: { condition: { exists: false } } },
      'not_matched',
    ],
    [
      'an expression that fails on the wire form alone',
      { target: '', expression: { cel: 'message.message.parts[0].kind + "x" == "data"' } },
      'not_matched',
    ],
    [
      'the surface name of 1.0',
      { surface: 'SendMessage', target: 'message.messageId', pattern: { condition: 'm1' } },
      'matched',
    ],
  ])('judges a 1.0 request by %s', async (_, how, result) => {
    const indicator = { id: 'X-01', protocol: 'a2a', ...how };
    const document = documentWith({ execution: { mode: 'a2a_server', state: {} }, indicators: [indicator] });
    const { verdict } = evaluateTrace(document, await trace());
    expect(verdict.indicatorVerdicts[0]?.result).toBe(result);
  });
});

describe('A2A server over gRPC', () => {
  test('counts content that gRPC cannot carry as not delivered', async () => {
    await serve({ task_responses: [{ content: task({ status: 'completed' }) }] });
    const { host } = new URL(played.url);
    await playClient(`grpc://${host}`, [{ method: 'message/send', params: { message: userMessage('x') } }]);
    await eventually(() => played.messages('message/send')[1]).toMatchObject({
      noted: 'gRPC cannot carry task.status',
    });
    expect(played.messages('message/send')[1]).not.toHaveProperty('pieces');
  });
});

describe('A2A client, the agent’s answer', () => {
  test('does not match an indicator on our own words repeated in the agent’s history', async () => {
    const history = [
      { kind: 'message', role: 'user', messageId: 'm1', parts: [{ kind: 'text', text: 'the secret word' }] },
    ];
    await serve({ task_responses: [{ content: task({ history }) }] });
    const { records } = await playClient(played.url, [
      { method: 'message/send', params: { message: userMessage('the secret word') } },
    ]);
    const document = documentWith({
      execution: { mode: 'a2a_client', state: { actions: [] } },
      indicators: [{ id: 'X-01', protocol: 'a2a', target: '', pattern: { contains: 'secret word' } }],
    });
    const { verdict } = evaluateTrace(document, records);
    expect(verdict.indicatorVerdicts[0]?.result).toBe('not_matched');
  });
});

describe.skipIf(!hasSchema1)('A2A 1.0 JSON Schema', () => {
  const rich = task({
    status: {
      state: 'input-required',
      timestamp: '2026-01-02T03:04:05.000Z',
      message: { kind: 'message', role: 'agent', messageId: 'a', parts: [{ kind: 'text', text: 'so far' }] },
    },
    artifacts: [
      {
        artifactId: 'x',
        name: 'n',
        parts: [
          { kind: 'data', data: { a: 1 } },
          { kind: 'file', file: { bytes: 'AA==', name: 'n', mimeType: 'm' } },
        ],
      },
    ],
    history: [userMessage('earlier')],
  });

  test('accepts our answers to a message, streamed or not', async () => {
    await serve({ task_responses: [{ content: rich }] });
    expect(errorsBySchema1('SendMessageResponse', (await send1()).result as Value)).toEqual([]);
    const response = await fetch(new URL('/message:stream', played.url), {
      method: 'POST',
      body: JSON.stringify({ message: message1 }),
      headers: { 'content-type': 'application/a2a+json' },
    });
    const items = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(
      ([, data = '']) => JSON.parse(data) as Value,
    );
    expect(items).toHaveLength(4);
    expect(items.flatMap((item) => errorsBySchema1('StreamResponse', item))).toEqual([]);
  });

  test('accepts our requests with a message', async () => {
    await serve({ task_responses: [{ content: rich }] });
    const params = {
      message: userMessage('Hello', { contextId: 'c1' }),
      configuration: { blocking: true, pushNotificationConfig: { url: 'http://127.0.0.1:9/', token: 't' } },
    };
    await playClient(played.url, [{ method: 'message/send', params }]);
    await eventually(() => played.messages('message/send')[0]?.wire).toBeTruthy();
    expect(errorsBySchema1('SendMessageRequest', played.messages('message/send')[0]?.wire as Value)).toEqual([]);
  });

  test('accepts our default card apart from its 0.3 fields', async () => {
    await serve({});
    const { url: _, preferredTransport, additionalInterfaces, protocolVersion, ...card } = (await cardFor('1.0')).card;
    expect(errorsBySchema1('AgentCard', card)).toEqual([]);
  });

  test('rejects an answer that the document makes invalid', async () => {
    await serve({ task_responses: [{ content: task({ status: { state: 'exploded' } }) }] });
    expect(errorsBySchema1('SendMessageResponse', (await send1()).result as Value)).not.toEqual([]);
  });
});
