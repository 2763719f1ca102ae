import { afterEach, describe, expect, test } from 'vitest';
import { evaluateTrace, type Value, type ValueMap } from '../../src/index.ts';
import type { A2aServerModeOptions } from '../../src/suite/modes.ts';
import { eventually } from '../support/http-peer.ts';
import { documentWith } from '../support/records.ts';
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
const send1 = async (message: Value = message1): Promise<ValueMap> =>
  rpc(played.url, 'SendMessage', { message });

const cardFor = async (version: string | undefined, path = '/.well-known/agent-card.json') => {
  const headers = version === undefined ? {} : { 'A2A-Version': version };
  const response = await fetch(new URL(path, played.url), { headers });
  return { vary: response.headers.get('vary'), card: (await response.json()) as ValueMap };
};

describe('content', () => {
  test.each<[string, Value, Value]>([
    [
      'a task of 0.3',
      task({
        artifacts: [
          { artifactId: 'a', parts: [{ kind: 'file', file: { uri: 'u', name: 'n', mimeType: 'm' } }] },
        ],
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
    ['what is neither', { anything: [1, null] }, { anything: [1, null] }],
    [
      'a bare word for a status',
      { id: 't1', status: 'completed' },
      { task: { id: 't1', status: 'completed' } },
    ],
  ])('that is %s goes out as 1.0 writes it', async (_, content, wire) => {
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
  ])('that is %s reaches clients of 0.3 as they write it', async (_, content, wire) => {
    await serve({ task_responses: [{ content }] });
    const { result } = await rpc(played.url, 'message/send', { message: userMessage('x') });
    expect(result).toEqual(JSON.parse(JSON.stringify(wire)));
  });
});

describe('a stream that the document gives item by item', () => {
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
  ])('goes out in that order in %s, whatever follows its end', async (_, method, wire) => {
    await serve({ task_responses: [{ stream: items }] });
    const response = await fetch(played.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { message: message1 } }),
    });
    const frames = [...(await response.text()).matchAll(/^data: (.*)$/gm)];
    expect(frames.map(([, data = '']) => JSON.parse(data).result)).toEqual(wire);
  });

  test('has its task for clients that do not stream, and is a piece of its own', async () => {
    await serve({ task_responses: [{ stream: items }] });
    expect((await send1()).result).toEqual(items[0]);
    const { coverage } = await played.stop();
    expect(coverage.pieces.map(({ at, delivered }) => [at, delivered])).toEqual([
      ['/phases/0/state/task_responses/0/stream', false],
    ]);
  });
});

test('the era is that of the requests; who fetches the card has not chosen yet', async () => {
  await serve({});
  await cardFor(undefined);
  await send1();
  const { delivery } = await played.stop();
  expect(delivery.default?.eras).toEqual(['1.0']);
});

describe('a request', () => {
  test('is recorded in OATF’s shape, with the wire beside it', async () => {
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
  ])('a version that is not supported is refused over %s', async (_, path, method, status) => {
    await serve({});
    const body =
      method === undefined
        ? { message: message1 }
        : { jsonrpc: '2.0', id: 1, method, params: { message: message1 } };
    const response = await fetch(new URL(path, played.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'A2A-Version': '7.1' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expect([response.status, text.includes('VERSION_NOT_SUPPORTED')]).toEqual([status, true]);
    await eventually(() =>
      played.messages('message/send').map(({ refused }) => refused !== undefined),
    ).toEqual([true]);
  });

  test.each([
    ['legacy', 'SendMessage', -32601],
    ['modern', 'message/send', -32009],
  ] as const)('of the other era is refused by a server that is %s', async (era, method, code) => {
    await serve({}, { era });
    const message = method === 'SendMessage' ? message1 : userMessage('x');
    expect((await rpc(played.url, method, { message })).error).toMatchObject({ code });
  });

  test('that fails says which error it is', async () => {
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

  test('to follow a task that has ended is refused', async () => {
    await serve({ task_responses: [{ content: task() }] });
    await send1();
    const response = await fetch(new URL('/tasks/t1:subscribe', played.url));
    expect(await response.text()).toContain('UNSUPPORTED_OPERATION');
  });

  test('for a list of tasks gets a page of it', async () => {
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

describe('the card', () => {
  const written = {
    name: 'Poisoned',
    description: 'x',
    supportsAuthenticatedExtendedCard: true,
    capabilities: { streaming: true },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    security: [{ key: [] }],
  };

  test('that an author wrote for 0.3 goes out as it is, and with interfaces where 1.0 is asked for', async () => {
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
    [
      'signatures',
      { name: 'x', url: 'http://127.0.0.1:9/', signatures: [{ protected: 'e30', signature: 'AA' }] },
    ],
    ['an address that is none', { name: 'x', url: null }],
  ])('with %s is the same for both', async (_, agent_card) => {
    await serve({ agent_card });
    expect((await cardFor('1.0')).card).toEqual(agent_card);
    expect((await cardFor(undefined)).card).toEqual(agent_card);
  });

  test('of our own is for both, unless only one is spoken', async () => {
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

describe('a document', () => {
  test('may name events and actions as 1.0 does', async () => {
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
    ['OATF’s spelling', { target: 'message.role', pattern: { contains: 'user' } }, 'matched'],
    ['the spelling of 1.0', { target: 'message.role', pattern: { condition: 'ROLE_USER' } }, 'matched'],
    [
      'what is absent from the wire alone',
      { target: 'message.parts[*].kind', pattern: { condition: { exists: false } } },
      'not_matched',
    ],
    [
      'an expression that fails on the wire',
      { target: '', expression: { cel: 'message.message.parts[0].kind + "x" == "data"' } },
      'not_matched',
    ],
    [
      'the surface by the name of 1.0',
      { surface: 'SendMessage', target: 'message.messageId', pattern: { condition: 'm1' } },
      'matched',
    ],
  ])('is judged by %s', async (_, how, result) => {
    const indicator = { id: 'X-01', protocol: 'a2a', ...how };
    const document = documentWith({ execution: { mode: 'a2a_server', state: {} }, indicators: [indicator] });
    const { verdict } = evaluateTrace(document, await trace());
    expect(verdict.indicatorVerdicts[0]?.result).toBe(result);
  });
});

describe('what gRPC cannot carry', () => {
  test('has delivered nothing of the document', async () => {
    await serve({ task_responses: [{ content: task({ status: 'completed' }) }] });
    const { host } = new URL(played.url);
    await playClient(`grpc://${host}`, [{ method: 'message/send', params: { message: userMessage('x') } }]);
    await eventually(() => played.messages('message/send')[1]).toMatchObject({
      noted: 'gRPC cannot carry task.status',
    });
    expect(played.messages('message/send')[1]).not.toHaveProperty('pieces');
  });
});

describe('the agent’s answer', () => {
  test('repeats our words in its history, and they stay ours on the wire too', async () => {
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

describe.skipIf(!hasSchema1)('by the schema of 1.0', () => {
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

  test('what answers a message is valid', async () => {
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
    expect(items).toHaveLength(3);
    expect(items.flatMap((item) => errorsBySchema1('StreamResponse', item))).toEqual([]);
  });

  test('what asks for one is valid', async () => {
    await serve({ task_responses: [{ content: rich }] });
    const params = {
      message: userMessage('Hello', { contextId: 'c1' }),
      configuration: { blocking: true, pushNotificationConfig: { url: 'http://127.0.0.1:9/', token: 't' } },
    };
    await playClient(played.url, [{ method: 'message/send', params }]);
    await eventually(() => played.messages('message/send')[0]?.wire).toBeTruthy();
    expect(errorsBySchema1('SendMessageRequest', played.messages('message/send')[0]?.wire as Value)).toEqual(
      [],
    );
  });

  test('our own card is valid, but for what it says to clients of 0.3', async () => {
    await serve({});
    const {
      url: _,
      preferredTransport,
      additionalInterfaces,
      protocolVersion,
      ...card
    } = (await cardFor('1.0')).card;
    expect(errorsBySchema1('AgentCard', card)).toEqual([]);
  });

  test('what a document makes invalid goes out invalid', async () => {
    await serve({ task_responses: [{ content: task({ status: { state: 'exploded' } }) }] });
    expect(errorsBySchema1('SendMessageResponse', (await send1()).result as Value)).not.toEqual([]);
  });
});
