import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { a2aSchema03, dialect03 } from '../../../src/attack/transport/a2a/proto/a2a-operations.ts';
import { decodeProto } from '../../../src/attack/transport/proto/decode-proto.ts';
import { encodeProto } from '../../../src/attack/transport/proto/encode-proto.ts';
import { readConnect } from '../../../src/cli/run/addresses/connect.ts';
import type { Value, ValueMap } from '../../../src/index.ts';
import { documentWith } from '../../support/records.ts';
import { playClient, playServer, rpc, task, userMessage } from './support.ts';

// What peers other than the official JavaScript ones send, and what they need to receive.

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function served(state: ValueMap) {
  const played = await playServer({ state });
  closing.push(() => played.stop());
  return played;
}

async function post(url: string, body: Value | string, verb = 'POST'): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': 'application/json' };
  return fetch(url, { method: verb, headers, ...(verb !== 'GET' && { body: text }) });
}

describe('A2A server over HTTP+JSON with proto names', () => {
  test('records a message with proto names in the same form as one in camel case', async () => {
    const played = await served({ task_responses: [{ content: task() }] });
    const body = {
      request: {
        message_id: 'm1',
        context_id: 'c9',
        role: 1,
        content: [
          { text: 'hello', metadata: { a: 1 } },
          { file: { file_with_uri: 'http://127.0.0.1:9/x', mime_type: 'text/plain', name: 'x.txt' } },
        ],
      },
      configuration: { push_notification: { url: 'http://127.0.0.1:9/' }, history_length: 3 },
    };
    const response = await post(new URL('/v1/message:send', played.url).href, body);
    expect(response.status).toBe(201);
    await played.stop();
    expect(played.messages('message/send')[0]?.content).toEqual({
      message: {
        kind: 'message',
        messageId: 'm1',
        contextId: 'c9',
        role: 'user',
        parts: [
          { kind: 'text', text: 'hello', metadata: { a: 1 } },
          { kind: 'file', file: { mimeType: 'text/plain', name: 'x.txt', uri: 'http://127.0.0.1:9/x' } },
        ],
      },
      configuration: { historyLength: 3, pushNotificationConfig: { url: 'http://127.0.0.1:9/' } },
    });
  });

  test('keeps both keys when a message has one field under two names', () => {
    const params = dialect03.operations['message/send']?.paramsFromProto({
      message: { messageId: 'one', message_id: 'other' },
    });
    expect(params).toEqual({ message: { kind: 'message', messageId: 'one', message_id: 'other' } });
  });

  test.each([
    [
      'the procedure’s request',
      { parent: 'tasks/t1', config_id: 'p1', config: { push_notification_config: { id: 'p1', url: 'u' } } },
    ],
    [
      'the bare configuration',
      { name: 'tasks/t1/pushNotificationConfigs/p1', push_notification_config: { id: 'p1', url: 'u' } },
    ],
  ])('accepts a push configuration sent as %s', async (_, body) => {
    const played = await served({ task_responses: [{ content: task() }] });
    await rpc(played.url, 'message/send', { message: userMessage('hello') });
    const response = await post(new URL('/v1/tasks/t1/pushNotificationConfigs', played.url).href, body);
    expect(response.status).toBe(201);
    await played.stop();
    expect(played.messages('tasks/pushNotificationConfig/set')[0]?.content).toEqual({
      taskId: 't1',
      pushNotificationConfig: { id: 'p1', url: 'u' },
    });
  });

  test.each(['GET', 'POST'])('accepts a subscription to a task by %s', async (verb) => {
    const played = await served({ task_responses: [{ content: task() }] });
    await rpc(played.url, 'message/send', { message: userMessage('hello') });
    const response = await post(new URL('/v1/tasks/t1:subscribe', played.url).href, {}, verb);
    expect(await response.text()).toContain('"statusUpdate"');
  });

  test('records double-encoded bytes unchanged, with a note', async () => {
    const played = await served({});
    const twice = Buffer.from(Buffer.from('a file of the agent').toString('base64')).toString('base64');
    const message = { messageId: 'm1', role: 'ROLE_USER', content: [{ file: { fileWithBytes: twice } }] };
    await post(new URL('/v1/message:send', played.url).href, { message });
    await played.stop();
    expect(played.messages('message/send')[0]).toMatchObject({
      content: { message: { parts: [{ file: { bytes: twice } }] } },
      noted: 'the bytes of a file are base64 of base64: they may have been encoded twice',
    });
  });
});

describe('A2A gRPC encoding', () => {
  test.each<[string, string, Value]>([
    ['the name of a file', 'Part', { file: { fileWithUri: 'u', mimeType: 'text/plain', name: 'x.txt' } }],
    ['the metadata of a part', 'Part', { text: 'x', metadata: { a: 1 } }],
    ['the icon of an agent', 'AgentCard', { name: 'x', iconUrl: 'http://127.0.0.1:9/i.png' }],
  ])('carries %s', (_, type, value) => {
    const bytes = encodeProto(a2aSchema03(), type, value, (path) => {
      throw new Error(`${path} is lost`);
    });
    expect(decodeProto(a2aSchema03(), type, bytes)).toEqual(value);
  });

  test('reports bytes that are not base64, and sends none instead', () => {
    const lost: string[] = [];
    const value = { file: { fileWithBytes: 'no base64!' } };
    const bytes = encodeProto(a2aSchema03(), 'Part', value, (path) => lost.push(path));
    expect([lost, decodeProto(a2aSchema03(), 'Part', bytes)]).toEqual([['file.fileWithBytes'], { file: {} }]);
  });
});

describe('A2A server over JSON-RPC', () => {
  test.each([
    ['a body that is not JSON', '{"jsonrpc": ', -32700],
    ['JSON that is not a request', '[1]', -32600],
    ['a response', '{"jsonrpc":"2.0","id":1,"result":{}}', -32600],
    ['a request whose id is an object', '{"jsonrpc":"2.0","id":{"a":1},"method":"tasks/list"}', -32600],
    ['a request whose id is a list', '{"jsonrpc":"2.0","id":[1],"method":"tasks/list"}', -32600],
  ])('refuses %s with HTTP 200 and a JSON-RPC error', async (_, body, code) => {
    const played = await served({});
    const response = await post(played.url, body);
    expect([response.status, await response.json()]).toMatchObject([200, { id: null, error: { code } }]);
  });

  test('records the message of a request whose id is an object', async () => {
    const played = await served({});
    const body = { jsonrpc: '2.0', id: {}, method: 'message/send', params: { message: userMessage('leak') } };
    await post(played.url, body);
    await played.stop();
    expect(played.messages('message/send')).toMatchObject([
      { refused: expect.stringContaining('`id`'), content: { message: userMessage('leak') } },
    ]);
  });

  test.each([
    ['SendStreamingMessage', 'application/json'],
    ['message/stream', 'text/event-stream'],
  ])('refuses %s with -32004 as %s', async (method, type) => {
    const played = await served({ agent_card: { name: 'x', capabilities: { streaming: false } } });
    const response = await post(played.url, { jsonrpc: '2.0', id: 7, method, params: {} });
    const text = await response.text();
    expect(response.headers.get('content-type')).toBe(type);
    expect(JSON.parse(text.replace(/^data: /, ''))).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code: -32004 } });
  });

  test('applies a wire rule to the refusal of a stream of 1.0', async () => {
    const played = await playServer({
      state: { agent_card: { name: 'x', capabilities: { streaming: false } } },
      'x-wire': [{ on: 'message/stream', http: { status: 418 } }],
    });
    closing.push(() => played.stop());
    const body = { jsonrpc: '2.0', id: 7, method: 'SendStreamingMessage', params: {} };
    const response = await post(played.url, body);
    expect([response.status, await response.json()]).toMatchObject([418, { id: 7, error: { code: -32004 } }]);
  });

  test('refuses to delete a push configuration by the task id alone', async () => {
    const played = await served({ task_responses: [{ content: task() }] });
    await rpc(played.url, 'message/send', { message: userMessage('hello') });
    const deleted = await rpc(played.url, 'tasks/pushNotificationConfig/delete', { id: 't1' });
    expect(deleted).toMatchObject({ error: { code: -32602 } });
  });
});

describe('the headers of A2A cards', () => {
  const cardPath = '/.well-known/agent-card.json';
  const headersOf = async (url: string): Promise<readonly (string | null)[]> => {
    const { headers } = await fetch(new URL(cardPath, url));
    return ['cache-control', 'vary', 'etag'].map((name) => headers.get(name));
  };

  test('let a client keep a card, and have it ask each time', async () => {
    const played = await served({ agent_card: { name: 'x' } });
    const [caching, vary, tag] = await headersOf(played.url);
    expect([caching, vary]).toEqual(['max-age=0, must-revalidate', 'A2A-Version']);
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    expect((await headersOf(played.url))[2]).toBe(tag);
  });

  test('have another ETag when a phase has changed the card', async () => {
    const played = await playServer({
      phases: [
        { state: { agent_card: { name: 'x' } }, trigger: { event: 'agent_card/get' } },
        { state: { agent_card: { name: 'y' } } },
      ],
    });
    closing.push(() => played.stop());
    const tags = [await headersOf(played.url), await headersOf(played.url), await headersOf(played.url)];
    const [before, after, again] = tags.map(([, , tag]) => tag);
    expect([before === after, after === again]).toEqual([false, true]);
  });

  test.each([cardPath, '/v1/card', '/v1/tasks/t1', '/tasks', '/extendedAgentCard'])(
    'are what HEAD %s gives, which is no event',
    async (path) => {
      const played = await served({ agent_card: { name: 'x' } });
      const response = await fetch(new URL(path, played.url), { method: 'HEAD' });
      expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
        200,
        'application/json',
        '',
      ]);
      expect(response.headers.get('cache-control')).toBe(path === cardPath ? 'max-age=0, must-revalidate' : null);
      await played.stop();
      expect(played.messages()).toMatchObject([{ method: 'HEAD', refused: expect.any(String) }]);
    },
  );

  test('HEAD is refused where only POST is served', async () => {
    const played = await served({});
    const statuses = ['/', '/v1/message:send'].map(
      async (path) => (await fetch(new URL(path, played.url), { method: 'HEAD' })).status,
    );
    expect(await Promise.all(statuses)).toEqual([405, 404]);
  });
});

/** A server of another maker: it answers each request by its path. */
async function otherServer(
  answer: (request: { verb: string; path: string; body: ValueMap }, url: string) => [number, Value] | string,
): Promise<string> {
  let url = '';
  const server: Server = createServer((request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    request.on('end', () => {
      const body = text === '' ? {} : (JSON.parse(text) as ValueMap);
      const given = answer({ verb: request.method ?? '', path: request.url ?? '', body }, url);
      if (typeof given === 'string') {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).end(given);
        return;
      }
      response.writeHead(given[0], { 'content-type': 'application/json' }).end(JSON.stringify(given[1]));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return url;
}

const cardFor = (url: string, preferredTransport: string, ...others: readonly string[]): ValueMap => ({
  name: 'Other',
  url,
  preferredTransport,
  additionalInterfaces: others.map((transport) => ({ transport, url: `${url}rpc` })),
});

const last = async (url: string, action: ValueMap) => (await playClient(url, [action])).messages().at(-1);

describe('our A2A client', () => {
  test.each([
    [404, 'Task not found', -32001],
    [409, 'Task cannot be canceled', -32002],
    [422, 'Parameter error', -32602],
    [501, 'This operation is not supported', -32004],
  ])('reads HTTP %i with only a message as a failed answer', async (status, message, code) => {
    const url = await otherServer(({ path }, own) =>
      path.startsWith('/.well-known') ? [200, cardFor(own, 'HTTP+JSON')] : [status, { message }],
    );
    expect(await last(url, { method: 'tasks/get', params: { id: 't1' } })).toMatchObject({
      kind: 'response',
      failed: true,
      content: { code, message, data: { http: status } },
    });
  });

  test('does not read an HTTP 500 crash as an answer', async () => {
    const url = await otherServer(({ path }, own) =>
      path.startsWith('/.well-known') ? [200, cardFor(own, 'HTTP+JSON')] : [500, { message: 'unknown exception' }],
    );
    const { messages } = await playClient(url, [{ method: 'tasks/get', params: { id: 't1' } }]);
    expect(messages().filter(({ kind, refused }) => kind === 'response' && refused === undefined)).toEqual([]);
  });

  test('asks again in proto form when the server refuses unknown fields', async () => {
    const bodies: ValueMap[] = [];
    const url = await otherServer(({ path, body }, own) => {
      if (path.startsWith('/.well-known')) return [200, cardFor(own, 'HTTP+JSON')];
      bodies.push(body);
      const unknown = Object.keys(body).find((key) => !['parent', 'configId', 'config'].includes(key));
      return unknown === undefined ? [200, body.config ?? null] : [500, { message: 'unknown exception' }];
    });
    const config = { id: 'p1', url: 'http://127.0.0.1:9/' };
    const params = { taskId: 't1', pushNotificationConfig: config };
    const answer = await last(url, { method: 'tasks/pushNotificationConfig/set', params });
    expect(answer?.content).toEqual({ taskId: 't1', pushNotificationConfig: config });
    expect(bodies).toHaveLength(2);
  });

  test('subscribes by POST when the server does not serve GET', async () => {
    const url = await otherServer(({ verb, path }, own) => {
      if (path.startsWith('/.well-known')) return [200, cardFor(own, 'HTTP+JSON')];
      if (verb === 'GET') return [405, { detail: 'Method Not Allowed' }];
      return 'data: {"statusUpdate":{"taskId":"t1","status":{"state":"TASK_STATE_COMPLETED"},"final":true}}\n\n';
    });
    const item = await last(url, { method: 'tasks/resubscribe', params: { id: 't1' } });
    expect(item?.content).toMatchObject({ status: { state: 'completed' } });
  });

  test('reads answers with proto names', async () => {
    const found = { id: 't1', context_id: 'c1', status: { state: 3, update: { message_id: 'm2', role: 2 } } };
    const url = await otherServer(({ path }, own) =>
      path.startsWith('/.well-known') ? [200, cardFor(own, 'HTTP+JSON')] : [200, found],
    );
    expect((await last(url, { method: 'tasks/get', params: { id: 't1' } }))?.content).toEqual({
      kind: 'task',
      id: 't1',
      contextId: 'c1',
      status: { state: 'completed', message: { kind: 'message', messageId: 'm2', role: 'agent' } },
    });
  });

  test('notes and accepts an answer under another id', async () => {
    const url = await otherServer(({ path }) =>
      path.startsWith('/.well-known') ? [404, {}] : [200, { jsonrpc: '2.0', id: 'theirs', result: task() }],
    );
    expect(await last(url, { method: 'message/send', params: { message: userMessage('x') } })).toMatchObject({
      content: { kind: 'task' },
      noted: 'it answers under the id "theirs"',
    });
  });

  test('records the request parameters with every item of a stream, under each of its names', async () => {
    const item = { kind: 'status-update', taskId: 't1', status: { state: 'completed' }, final: true };
    const url = await otherServer(({ path, body }) =>
      path.startsWith('/.well-known')
        ? [404, {}]
        : `data: ${JSON.stringify({ jsonrpc: '2.0', id: body.id ?? null, result: item })}\n\n`,
    );
    const params = { message: userMessage('x') };
    const { messages } = await playClient(url, [{ method: 'message/stream', params }]);
    const items = messages().filter(({ origin }) => origin === 'agent');
    expect(items.map(({ method, request }) => [method, request])).toEqual([
      ['message/stream', params],
      ['task/status', params],
    ]);
  });

  test.each(['HTTP+JSON', 'GRPC'])(
    'falls back from %s to JSON-RPC for a method that the binding lacks',
    async (preferred) => {
      const url = await otherServer(({ path, body }, own) =>
        path.startsWith('/.well-known')
          ? [200, cardFor(own, preferred, 'JSONRPC')]
          : [200, { jsonrpc: '2.0', id: body.id ?? null, result: { method: body.method ?? null, path } }],
      );
      expect((await last(url, { method: 'debug/dump', params: {} }))?.content).toEqual({
        method: 'debug/dump',
        path: '/rpc',
      });
    },
  );

  test('sends no params for an action without params, and those that are written', async () => {
    const bodies: ValueMap[] = [];
    const url = await otherServer(({ path, body }) => {
      if (path.startsWith('/.well-known')) return [404, {}];
      bodies.push(body);
      return [200, { jsonrpc: '2.0', id: body.id ?? null, result: null }];
    });
    const { messages } = await playClient(url, [{ method: 'tasks/list' }, { method: 'tasks/list', params: {} }]);
    expect(bodies.map(({ params }) => params)).toEqual([undefined, {}]);
    expect(messages().filter(({ origin }) => origin === 'attacker')).toHaveLength(2);
  });

  test('fetches the card and sends messages when connected to gRPC alone', async () => {
    const played = await served({ agent_card: { name: 'Ours' }, task_responses: [{ content: task() }] });
    const { host } = new URL(played.url);
    const actions = [
      { method: 'agent_card/get' },
      { method: 'message/send', params: { message: userMessage('hello') } },
    ];
    const { messages } = await playClient(`grpc://${host}`, actions);
    expect(messages().filter(({ kind }) => kind === 'response')).toMatchObject([
      { content: { name: 'Ours' } },
      { content: { kind: 'task', id: 't1' } },
    ]);
  });
});

describe('A2A server over gRPC, an error longer than gRPC can carry', () => {
  test.each(['legacy', 'modern'] as const)('sends the error with a shortened message (%s)', async (era) => {
    const { url } = await served({});
    const actions = [{ method: 'tasks/get', params: { id: 'x'.repeat(70_000) } }];
    const { messages } = await playClient(`grpc://${new URL(url).host}`, actions, { era });
    const [answer] = messages().filter(({ kind }) => kind === 'response');
    expect(answer?.content).toMatchObject({
      code: -32001,
      message: expect.stringMatching(/^Task not found: x{2984}$/),
    });
  });
});

describe('readConnect with a grpc:// address', () => {
  const connectTo = (mode: string, url: string) => {
    return readConnect({ connect: [url], header: [] }, [documentWith({ execution: { mode, state: {} } })], {});
  };

  test('accepts it for an A2A client', () => {
    const targets = connectTo('a2a_client', 'grpc://127.0.0.1:50051');
    expect(typeof targets).toBe('function');
  });

  test.each([
    ['mcp_client', 'grpc://127.0.0.1:50051'],
    ['a2a_client', 'grpc:127.0.0.1'],
  ])('refuses it for %s with %s', (mode, url) => {
    expect(connectTo(mode, url)).toHaveProperty('message');
  });
});
