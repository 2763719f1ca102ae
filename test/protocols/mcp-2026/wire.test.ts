import { afterEach, describe, expect, test } from 'vitest';
import { createStdioServer } from '../../../src/attack/transport/mcp-server/stdio-server.ts';
import type { MessageRecord, Value, ValueMap } from '../../../src/index.ts';
import { linePeer, openPipes, type RawPeer } from '../../contract/raw-peers.ts';
import { bothTypes, eventually } from '../../support/http-peer.ts';
import { type Recorded, type RunningActor, runActor } from '../../support/run-actor.ts';

// Messages on the wire since 2026-07-28, byte by byte if that matters.

let actor: RunningActor;
afterEach(() => actor.stop());

const document = (phases: readonly object[]): string =>
  JSON.stringify({ oatf: '0.1', attack: { execution: { mode: 'mcp_server', phases } } });

const tool = { name: 'read', responses: [{ content: { content: [] } }] };
const tools = [tool];

const meta = (more: ValueMap = {}): ValueMap => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
  ...more,
});
const request = (method: string, params: ValueMap = {}, id: Value = 1): ValueMap => ({
  jsonrpc: '2.0',
  id,
  method,
  params: { _meta: meta(), ...params },
});

interface Answered {
  readonly status: number;
  readonly body: ValueMap;
}

/** A request of a conforming client, with some headers changed; `null` leaves a header out. */
async function post(message: ValueMap, changed: Record<string, string | null> = {}): Promise<Answered> {
  const params = (message.params ?? {}) as ValueMap;
  const name = params.name ?? params.uri;
  const headers = {
    'content-type': 'application/json',
    accept: bothTypes,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': String(message.method),
    ...(typeof name === 'string' && { 'mcp-name': name }),
    ...changed,
  };
  const kept = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null);
  const response = await fetch(actor.url, {
    method: 'POST',
    headers: Object.fromEntries(kept),
    body: JSON.stringify(message),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
}

const messages = (): MessageRecord[] =>
  actor.records.filter((record): record is Recorded & MessageRecord => 'origin' in record);

describe('a result that our MCP 2026 server sends', () => {
  const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'oatf-server', version: '1.0.0' } };
  const own = {
    resultType: 'odd',
    ttlMs: 5,
    cacheScope: 'public',
    _meta: { 'io.modelcontextprotocol/serverInfo': 7 },
  };
  const rows: [string, object, ValueMap, Value][] = [
    [
      'gets the fields that every list must have',
      { tools: [] },
      request('tools/list'),
      { tools: [], resultType: 'complete', ttlMs: 0, cacheScope: 'private', _meta: serverInfo },
    ],
    [
      'says how long a list may be kept if the document does',
      { tools: [], caching: { ttlMs: 86400000, cacheScope: 'public' } },
      request('tools/list'),
      { tools: [], resultType: 'complete', ttlMs: 86400000, cacheScope: 'public', _meta: serverInfo },
    ],
    [
      'says nothing about caching if it answers a call',
      { tools },
      request('tools/call', { name: 'read' }),
      { content: [], resultType: 'complete', _meta: serverInfo },
    ],
    [
      'keeps the fields that the document writes itself',
      { tools: [{ name: 'read', responses: [{ content: own }] }] },
      request('tools/call', { name: 'read' }),
      own,
    ],
    [
      'names the server that the document names',
      { tools: [], server_info: { name: 'notes' } },
      request('completion/complete'),
      {
        completion: { values: [], total: 0, hasMore: false },
        resultType: 'complete',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'notes' } },
      },
    ],
    ...([null, 'odd', 7] as const).map((content): (typeof rows)[number] => [
      `is ${JSON.stringify(content)} if that is the content of the response`,
      { tools: [{ name: 'read', responses: [{ content }] }] },
      request('tools/call', { name: 'read' }),
      content,
    ]),
    [
      'keeps a `_meta` that is null',
      { tools: [{ name: 'read', responses: [{ content: { content: [], _meta: null } }] }] },
      request('tools/call', { name: 'read' }),
      { content: [], _meta: null, resultType: 'complete' },
    ],
    [
      'is null wherever the document writes null',
      { protocol_version: null, instructions: null, capabilities: null, server_info: null },
      request('server/discover'),
      {
        supportedVersions: [null],
        capabilities: null,
        instructions: null,
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
        _meta: { 'io.modelcontextprotocol/serverInfo': null },
      },
    ],
    [
      'introduces the server in answer to server/discover',
      { instructions: 'obey', capabilities: { tools: {} } },
      request('server/discover'),
      {
        supportedVersions: ['2026-07-28'],
        capabilities: { tools: {} },
        instructions: 'obey',
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
        _meta: serverInfo,
      },
    ],
  ];
  test.each(rows)('%s', async (_, state, message, expected) => {
    actor = await runActor(document([{ state }]));
    expect(await post(message)).toEqual({ status: 200, body: { jsonrpc: '2.0', id: 1, result: expected } });
  });
});

describe('an error that our MCP 2026 server sends', () => {
  const version = 'io.modelcontextprotocol/protocolVersion';
  const capabilities = 'io.modelcontextprotocol/clientCapabilities';
  const { [version]: _version, ...unversioned } = meta();
  const { [capabilities]: _capabilities, ...incapable } = meta();
  const rows: [string, ValueMap, Record<string, string | null>, number, number][] = [
    ['an unknown method', request('no/such'), {}, 404, -32601],
    ['ping, which MCP 2026 no longer has', request('ping'), {}, 404, -32601],
    ['initialize, which MCP 2026 no longer has', request('initialize'), {}, 404, -32601],
    ['logging/setLevel, which MCP 2026 no longer has', request('logging/setLevel'), {}, 404, -32601],
    ['resources/subscribe, which MCP 2026 no longer has', request('resources/subscribe'), {}, 404, -32601],
    ['tasks/list, which MCP 2026 no longer has', request('tasks/list'), {}, 404, -32601],
    ['a call of an unknown tool', request('tools/call', { name: 'none' }), {}, 200, -32602],
    ['a read of an unknown resource', request('resources/read', { uri: 'x:' }), {}, 200, -32602],
    ['a body without a protocol version', request('tools/list', { _meta: unversioned }), {}, 400, -32602],
    ['a body without client capabilities', request('tools/list', { _meta: incapable }), {}, 400, -32602],
    ['a server/discover without metadata', request('server/discover', { _meta: {} }), {}, 400, -32602],
    ['headers without a protocol version', request('tools/list'), { 'mcp-protocol-version': null }, 400, -32020],
    [
      'headers with another protocol version than the body',
      request('tools/list'),
      { 'mcp-protocol-version': '2025-11-25' },
      400,
      -32020,
    ],
    ['headers without a method', request('tools/list'), { 'mcp-method': null }, 400, -32020],
    ['headers with another method than the body', request('tools/list'), { 'mcp-method': 'tools/call' }, 400, -32020],
    [
      'headers without the name of the tool',
      request('tools/call', { name: 'read' }),
      { 'mcp-name': null },
      400,
      -32020,
    ],
    [
      'headers with another name of the tool than the body',
      request('tools/call', { name: 'read' }),
      { 'mcp-name': 'rea' },
      400,
      -32020,
    ],
    [
      'headers with another URI of the resource than the body',
      request('resources/read', { uri: 'a:' }),
      { 'mcp-name': 'b:' },
      400,
      -32020,
    ],
    [
      'a protocol version that we do not speak',
      request('tools/list', { _meta: meta({ [version]: '2099-01-01' }) }),
      { 'mcp-protocol-version': '2099-01-01' },
      400,
      -32022,
    ],
  ];
  test.each(rows)('answers %s', async (_, message, headers, status, code) => {
    actor = await runActor(document([{ state: { tools } }]));
    expect(await post(message, headers)).toMatchObject({ status, body: { id: 1, error: { code } } });
  });

  test('lists the versions that we speak in answer to one that we do not speak', async () => {
    actor = await runActor(document([{ state: {} }]));
    const asked = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    const { body } = await post(request('tools/list', { _meta: meta(asked) }), {
      'mcp-protocol-version': '2099-01-01',
    });
    expect(body.error).toMatchObject({ data: { supported: ['2026-07-28'], requested: '2099-01-01' } });
  });

  test.each(['2026-07-28', '2026-09-01', '2099-01-01'])(
    'answers initialize with the version %s that the document asks for',
    async (written) => {
      actor = await runActor(document([{ state: { protocol_version: written } }]));
      const initialize = {
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25' },
      };
      const { body } = await post(initialize, { 'mcp-protocol-version': null, 'mcp-method': null });
      expect(body.result).toMatchObject({ protocolVersion: written });
    },
  );
});

test('our MCP 2026 server accepts a name in base64 that no header can carry, if it is the right one', async () => {
  const name = 'Lösche „alles“';
  actor = await runActor(document([{ state: { tools: [{ ...tool, name }] } }]));
  const encoded = `=?base64?${Buffer.from(name).toString('base64')}?=`;
  expect(await post(request('tools/call', { name }), { 'mcp-name': encoded })).toMatchObject({ status: 200 });
  expect(await post(request('tools/call', { name }), { 'mcp-name': '=?base64?AAAA?=' })).toMatchObject({
    status: 400,
  });
});

const inRegion = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
test.each([
  ['base64', 'mcp-param-region', 'Hello', '=?base64?SGVsbG8=?=', 200],
  ['base64 without its padding', 'mcp-param-region', 'Hello', '=?base64?SGVsbG8?=', 400],
  ['base64 with other characters in it', 'mcp-param-region', 'Hello', '=?base64?SGVs!!!bG8=?=', 400],
  ['base64 of bytes that are not UTF-8', 'mcp-param-region', '\ufffd', '=?base64?/w==?=', 400],
  ['base64 without its padding, for no argument', 'mcp-param-other', undefined, '=?base64?SGVsbG8?=', 400],
  ['base64 without its padding', 'mcp-name', undefined, '=?base64?cmVhZA?=', 400],
  ['a beginning of base64 without its end', 'mcp-param-region', '=?base64?SGVsbG8=', '=?base64?SGVsbG8=', 200],
])('our MCP 2026 server answers a call with %s in the header %s', async (_, header, region, value, status) => {
  actor = await runActor(document([{ state: { tools: [{ ...tool, inputSchema: inRegion }] } }]));
  const args = region === undefined ? {} : { region };
  const answered = await post(request('tools/call', { name: 'read', arguments: args }), { [header]: value });
  expect(answered).toMatchObject(status === 200 ? { status } : { status, body: { error: { code: -32020 } } });
});

test('our MCP 2026 server records a refused message with its content', async () => {
  actor = await runActor(document([{ state: { tools } }]));
  await post(request('tools/call', { name: 'read', arguments: { secret: 's' } }), { 'mcp-name': 'other' });
  expect(messages()).toMatchObject([
    { method: 'tools/call', content: { arguments: { secret: 's' } }, refused: expect.any(String) },
  ]);
});

test.each([
  ['ping', ['O-113']],
  ['tasks/result', ['O-113']],
  ['tools/list', []],
  ['logging/setLevel', []],
])('our MCP 2026 server warns of a phase that waits for %s, if that can never come: %j', async (event, codes) => {
  actor = await runActor(document([{ state: {}, trigger: { event } }, { state: {} }]));
  await post(request('prompts/list'));
  expect(actor.warnings.map(({ code }) => code)).toEqual(codes);
});

test.each(['GET', 'DELETE'])('our MCP 2026 server answers %s with 405', async (method) => {
  actor = await runActor(document([{ state: {} }]));
  const headers = { 'mcp-protocol-version': '2026-07-28', accept: 'text/event-stream' };
  const response = await fetch(actor.url, { method, headers });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
});

test('our MCP 2026 server ignores a session that a client names', async () => {
  actor = await runActor(document([{ state: { tools } }]));
  expect(await post(request('tools/list'), { 'mcp-session-id': 'made-up' })).toMatchObject({ status: 200 });
});

test('our MCP server answers clients of both eras at once', async () => {
  actor = await runActor(document([{ state: { tools } }]));
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25' },
  };
  const plain = { 'mcp-protocol-version': null, 'mcp-method': null };
  const all = Array.from({ length: 50 }, (_, n) =>
    n % 2 === 0
      ? post(initialize, plain).then(({ body }) => (body.result as ValueMap).protocolVersion)
      : post(request('tools/list', {}, n)).then(({ body }) => (body.result as ValueMap).resultType),
  );
  expect(new Set(await Promise.all(all))).toEqual(new Set(['2025-11-25', 'complete']));
});

describe('questions of our MCP 2026 server', () => {
  const state = { tools, elicitations: [{ message: 'Code?', requestedSchema: {} }] };
  const call = (more: ValueMap = {}, id: Value = 1): ValueMap => request('tools/call', { name: 'read', ...more }, id);
  const ask = async (): Promise<{ requestState: Value; key: string }> => {
    const { body } = await post(call());
    const { requestState, inputRequests } = body.result as { requestState: Value; inputRequests: ValueMap };
    return { requestState, key: Object.keys(inputRequests)[0] ?? '' };
  };
  const answer = { action: 'accept', content: { code: '1234' } };

  test('are the result of a call, and the repeated call gets the final result', async () => {
    actor = await runActor(document([{ state }]));
    const { requestState, key } = await ask();
    const repeated = call({ requestState, inputResponses: { [key]: answer } }, 'again');
    expect(await post(repeated)).toMatchObject({ body: { id: 'again', result: { resultType: 'complete' } } });
    expect(messages().filter(({ method }) => method === 'tools/call')).toHaveLength(2);
  });

  test('carry no id if they ask the user to visit an address', async () => {
    actor = await runActor(document([{ state: { tools, elicitations: [{ mode: 'url', message: 'Go', url: 'x:' }] } }]));
    const { body } = await post(call());
    const [entry] = Object.values((body.result as ValueMap).inputRequests as ValueMap);
    expect(entry).toEqual({
      method: 'elicitation/create',
      params: { mode: 'url', message: 'Go', url: 'x:' },
    });
  });

  test('are asked again until answered, at most ten times', async () => {
    actor = await runActor(document([{ state }]));
    let { requestState } = await ask();
    for (let round = 1; round < 10; round++) {
      const { body } = await post(call({ requestState }));
      expect(body.result).toMatchObject({ resultType: 'input_required' });
      requestState = (body.result as ValueMap).requestState ?? null;
    }
    expect(await post(call({ requestState }))).toMatchObject({ body: { error: { code: -32602 } } });
  });

  test('leave a repeated call with other arguments to count as a call of its own', async () => {
    actor = await runActor(document([{ state }]));
    const { requestState, key } = await ask();
    await post(call({ requestState, inputResponses: { [key]: answer }, arguments: { secret: 's' } }));
    expect(messages().filter(({ method, origin }) => method === 'tools/call' && origin === 'agent')).toMatchObject([
      {},
      { content: { arguments: { secret: 's' } } },
    ]);
  });

  test('record an answer to another question as refused', async () => {
    actor = await runActor(document([{ state }]));
    const { requestState, key } = await ask();
    await post(call({ requestState, inputResponses: { [key]: answer, other: { action: 'decline' } } }));
    expect(messages()).toContainEqual(
      expect.objectContaining({
        content: { action: 'decline' },
        refused: 'an answer to no question of ours',
      }),
    );
  });

  test('give the result even if the answer comes after we stopped waiting', async () => {
    actor = await runActor(document([{ state }]), { askMs: 1 });
    const { requestState, key } = await ask();
    await eventually(() => actor.warnings.map(({ code }) => code)).toEqual(['O-102']);
    const repeated = call({ requestState, inputResponses: { [key]: answer } }, 2);
    expect(await post(repeated)).toMatchObject({ body: { id: 2, result: { resultType: 'complete' } } });
    expect(messages().at(-1)).toMatchObject({ method: 'tools/call', kind: 'response' });
  });
});

describe('a stream of notifications from our MCP 2026 server', () => {
  const listen = (notifications: ValueMap, id: Value = 'L1'): ValueMap =>
    request('subscriptions/listen', { notifications }, id);
  const changed = (uri: string) => ({ send: { method: 'notifications/resources/updated', params: { uri } } });
  const phases = [
    { state: { tools }, trigger: { event: 'tools/call' } },
    {
      on_enter: [changed('note://2'), changed('note://1'), { send: { method: 'notifications/prompts/list_changed' } }],
    },
  ];
  const tag = { 'io.modelcontextprotocol/subscriptionId': 'L1' };
  const heard = [
    {
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { resourceSubscriptions: ['note://1'] }, _meta: tag },
    },
    { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'note://1', _meta: tag } },
  ];

  test('begins with what is agreed to, brings only what was asked for, and is cancelled by closing it', async () => {
    actor = await runActor(document(phases));
    const gone = new AbortController();
    const message = listen({ resourceSubscriptions: ['note://1'], promptsListChanged: false });
    const response = await fetch(actor.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: bothTypes,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify(message),
      signal: gone.signal,
    });
    await post(request('tools/call', { name: 'read' }));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = '';
    while (!text.includes('note://1","_meta')) text += Buffer.from((await reader.read()).value ?? []).toString();
    expect(text).not.toContain('id:');
    expect([...text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data))).toEqual(heard);
    gone.abort();
    await eventually(() => messages().map(({ method }) => method)).toContain('notifications/cancelled');
    const methods = messages().map(({ method }) => method);
    expect(methods).toContain('resources/subscribe');
    expect(methods).toContain('resources/unsubscribe');
    expect(actor.warnings.map(({ code }) => code)).toEqual(['O-112', 'O-112']);
  });

  test('shares standard streams with other messages, and is cancelled by its id', async () => {
    const { toServer, fromServer } = openPipes();
    actor = await runActor(document(phases), {
      transport: createStdioServer({ input: toServer, output: fromServer }),
    });
    const peer: RawPeer = linePeer(toServer, fromServer, async () => {});
    await peer.send(JSON.stringify(listen({ resourceSubscriptions: ['note://1'] })));
    await peer.send(JSON.stringify(request('tools/call', { name: 'read' })));
    await eventually(() => peer.received.length).toBe(3);
    const received = peer.received.map((line) => JSON.parse(line));
    expect([received[0], received[2]]).toEqual(heard);
    await peer.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'L1' } }));
    await eventually(() => messages().map(({ method }) => method)).toContain('resources/unsubscribe');
  });
});

describe('our MCP server over standard streams', () => {
  async function play(...phases: object[]): Promise<RawPeer> {
    const { toServer, fromServer } = openPipes();
    actor = await runActor(document(phases), {
      transport: createStdioServer({ input: toServer, output: fromServer }),
    });
    return linePeer(toServer, fromServer, async () => {});
  }
  const notice = { send: { method: 'notifications/tools/list_changed' } };

  test('serves a client that first tries MCP 2026 and then falls back to the older handshake', async () => {
    const peer = await play({ state: { protocol_version: '2025-06-18', tools }, on_enter: [notice] });
    await peer.send(JSON.stringify(request('server/discover', {}, 1)));
    await peer.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'initialize', params: {} }));
    await eventually(() => peer.received.length).toBe(3);
    expect(peer.received.map((line) => JSON.parse(line))).toMatchObject([
      { id: 1, error: { code: -32022, data: { supported: ['2025-06-18'] } } },
      { id: 2, result: { protocolVersion: '2025-06-18' } },
      { method: 'notifications/tools/list_changed' },
    ]);
    expect(messages().filter(({ method }) => method === 'initialize')).toHaveLength(2);
  });

  test('refuses a request without metadata', async () => {
    const peer = await play({ state: {} });
    await peer.send(JSON.stringify(request('server/discover', { _meta: {} })));
    await eventually(() => peer.received.map((line) => JSON.parse(line))).toMatchObject([{ error: { code: -32602 } }]);
  });

  test('sends log messages only with a request that asks for them', async () => {
    const send = { method: 'notifications/message', params: { level: 'info', data: 'words' } };
    const peer = await play({ state: { tools }, on_enter: [{ send }] });
    await peer.send(JSON.stringify(request('tools/list')));
    const level = { 'io.modelcontextprotocol/logLevel': 'info' };
    await peer.send(JSON.stringify(request('tools/list', { _meta: meta(level) }, 2)));
    await eventually(() => peer.received.length).toBe(3);
    expect(peer.received.map((line) => JSON.parse(line))).toMatchObject([
      { id: 1 },
      { method: 'notifications/message', params: { data: 'words' } },
      { id: 2 },
    ]);
    expect(messages().filter(({ method }) => method === 'logging/setLevel')).toMatchObject([
      { content: { level: 'info' }, within: 'tools/list' },
    ]);
  });
});
