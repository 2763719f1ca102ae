import { afterEach, describe, expect, test } from 'vitest';
import { stringifyJson } from '../../src/format/model/json-text-values.ts';
import type { MessageRecord, Value, ValueMap } from '../../src/index.ts';
import { eventually } from '../support/http-peer.ts';
import type { Recorded } from '../support/run-actor.ts';

// The contract of our MCP servers over every transport. Each transport brings a peer that speaks it.

/** A client that is connected and has finished its initialize. */
export interface ContractPeer {
  /** The answer's `result` or `error`. */
  request(method: string, params?: Value): Promise<Value>;
  notify(method: string, params?: Value): Promise<void>;
  /** Sends the bytes of one message, even invalid ones. */
  send(bytes: string | Buffer): Promise<void>;
  /** Every message of the server, including answers, as it was on the wire. */
  readonly received: readonly string[];
  /** Requests and notifications that the server sent on its own, as they were on the wire. */
  readonly fromServer: readonly ValueMap[];
  answer(id: Value, result: Value): Promise<void>;
  leave(): Promise<void>;
}

export interface PlayedServer {
  readonly records: readonly Recorded[];
  connect(): Promise<ContractPeer>;
  stop(): Promise<void>;
}

export interface ContractOptions {
  /** How many peers a server can have at a time. */
  readonly peers: 'one' | 'many';
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

export function serverContract(
  name: string,
  play: (document: string) => Promise<PlayedServer>,
  { peers }: ContractOptions = { peers: 'many' },
): void {
  let played: PlayedServer;
  const testOfMany = test.skipIf(peers === 'one');

  async function serve(...phases: object[]): Promise<ContractPeer> {
    played = await play(document(phases));
    return played.connect();
  }

  const messages = (): MessageRecord[] =>
    played.records.filter((record): record is Recorded & MessageRecord => 'origin' in record);

  describe(`MCP server contract over ${name}`, () => {
    afterEach(() => played.stop());

    test('answers a request and records both sides', async () => {
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

    test('sends unusual content exactly as the document has it', async () => {
      const peer = await serve({ state: { tools: [tool] } });
      const { responses: _, ...listed } = tool;
      expect(await peer.request('tools/list')).toEqual({ tools: [listed] });
      expect(await peer.request('tools/call', { name: 'read' })).toEqual({ content: odd, isError: 'maybe' });
    });

    test('sends numbers and the order of keys as written', async () => {
      const written = '{"id":9007199254740993,"huge":1e400,"zero":-0.0,"one":1.0,"10":"{{request.name}}","2":0}';
      const state = `{"tools":[{"name":"read","x":${written},"responses":[{"content":${written}}]}]}`;
      played = await play(`{"oatf":"0.1","attack":{"execution":{"mode":"mcp_server","state":${state}}}}`);
      const peer = await played.connect();
      await peer.request('tools/list');
      expect(peer.received.at(-1)).toContain(`"x":${written.replace('{{request.name}}', '')}`);
      await peer.request('tools/call', { name: 'read' });
      expect(peer.received.at(-1)).toContain(written.replace('{{request.name}}', 'read'));
    });

    test('records numbers as they were sent and returns a large id unchanged', async () => {
      const peer = await serve({ state: { tools: [tool] } });
      const params = '{"name":"read","arguments":{"account":12345678901234567890,"rate":1.0,"9":0,"8":0}}';
      await peer.send(`{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":${params}}`);
      await eventually(() => peer.received.at(-1)).toContain('"id":9007199254740993,');
      const [request, answer] = messages().slice(-2);
      expect(stringifyJson([request?.content, request?.id, answer?.id])).toBe(
        `[${params},9007199254740993,9007199254740993]`,
      );
    });

    test('answers an unknown method with an error', async () => {
      const peer = await serve({ state: {} });
      expect(await peer.request('no/such')).toMatchObject({ code: -32601 });
    });

    test('records a notification, which can trigger the next phase', async () => {
      const peer = await serve(
        { state: {}, trigger: { event: 'notifications/roots/list_changed' } },
        { state: { tools: [tool] } },
      );
      await peer.notify('notifications/roots/list_changed');
      await eventually(() => messages().at(-1)?.method).toBe('notifications/roots/list_changed');
      expect(await peer.request('tools/list')).toMatchObject({ tools: [{ name: 'read' }] });
    });

    test('records bytes that are not a message, and serves the next request', async () => {
      const peer = await serve({ state: {} });
      await peer.send('{"jsonrpc": ');
      await eventually(() => played.records.find(({ kind }) => kind === 'malformed')).toMatchObject({
        raw: Buffer.from('{"jsonrpc": ').toString('base64'),
      });
      expect(await peer.request('ping')).toEqual({});
    });

    testOfMany('keeps two sessions apart that use the same ids', async () => {
      const first = await serve({ state: { tools: [tool] } });
      const second = await played.connect();
      await Promise.all([first.request('ping'), second.request('ping'), first.request('ping')]);
      const sessions = new Set(messages().map(({ session }) => session));
      expect(sessions.size).toBe(2);
    });

    test('answers a call only after the client has answered the elicitation within it', async () => {
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

    testOfMany('sends the message of an entry action to every session', async () => {
      const on_enter = [{ send: { method: 'notifications/tools/list_changed' } }];
      const first = await serve({ state: {}, trigger: { event: 'tools/call' } }, { name: 'second', on_enter });
      const second = await played.connect();
      await first.request('tools/call', { name: 'any' });
      for (const peer of [first, second])
        await eventually(() => peer.fromServer.map(({ method }) => method)).toEqual([
          'notifications/tools/list_changed',
        ]);
    });

    test('keeps a message of an entry action until a client connects', async () => {
      const peer = await serve({
        state: {},
        on_enter: [{ send: { method: 'notifications/message', params: { a: 1 } } }],
      });
      await eventually(() => peer.fromServer).toMatchObject([{ method: 'notifications/message', params: { a: 1 } }]);
    });

    test('records a client that disconnects', async () => {
      const peer = await serve({ state: {} });
      await peer.leave();
      await eventually(() =>
        played.records.some((record) => record.kind === 'connection' && 'event' in record && record.event === 'closed'),
      ).toBe(true);
    });

    testOfMany('serves other clients after one has disconnected', async () => {
      const first = await serve({ state: {} });
      const second = await played.connect();
      await first.leave();
      await eventually(() =>
        played.records.some((record) => record.kind === 'connection' && 'event' in record && record.event === 'closed'),
      ).toBe(true);
      expect(await second.request('ping')).toEqual({});
    });

    test.each(ordered)(
      'sends the document’s values exactly as written: %s',
      async (_, state, method, params, result) => {
        const peer = await serve({ state });
        await peer.request(method, params);
        expect(peer.received.at(-1)).toBe(`{"jsonrpc":"2.0","id":2,"result":${JSON.stringify(result)}}`);
      },
    );

    test('answers a call that asks for a task with a task where the document declares tasks', async () => {
      const capabilities = { tasks: { requests: { tools: { call: {} } } } };
      const peer = await serve({ state: { tools: [tool], capabilities } });
      expect(await peer.request('tools/call', { name: 'read', task: {} })).toMatchObject({
        task: { taskId: expect.any(String), status: 'working' },
      });
    });

    test('gives a URL elicitation an id that tells neither the tool nor the actor', async () => {
      const elicitations = [{ mode: 'url', message: 'go', url: 'https://example.com' }];
      const peer = await serve({ state: { tools: [tool], elicitations } });
      const called = peer.request('tools/call', { name: 'read' });
      await eventually(() => peer.fromServer).toMatchObject([
        // From the run's source of random ids, which tests replace.
        { params: { elicitationId: 'fresh' } },
      ]);
      await peer.answer(peer.fromServer[0]?.id ?? null, { action: 'cancel' });
      await called;
    });

    test.each([
      ['notifications/no such "thing"', ['a', null, 1.5]],
      ['notifications/\u2028\u0000', 'text'],
      ['odd/request', [[]]],
      ['roots/list', null],
      ['sampling/createMessage', { messages: 'none', _meta: { a: [null] } }],
    ] as const)('sends a message of an entry action exactly as written: %j', async (method, params) => {
      const peer = await serve({ state: {}, on_enter: [{ send: { method, params } }] });
      const tail = `"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}}`;
      await eventually(() => peer.received.some((text) => text.endsWith(tail))).toBe(true);
    });

    test.each(['sampling/createMessage', 'roots/list', 'elicitation/create', 'no/such'])(
      'records the answer to %s of an entry action, which can trigger the next phase',
      async (method) => {
        const peer = await serve(
          { state: {}, on_enter: [{ send: { method } }], trigger: { event: method } },
          { state: { tools: [tool] } },
        );
        await eventually(() => peer.fromServer.length).toBe(1);
        await peer.answer(peer.fromServer[0]?.id ?? null, { said: 'yes', _meta: { a: 1 } });
        await eventually(() => messages().at(-1)).toMatchObject({
          kind: 'response',
          origin: 'agent',
          method,
          content: { said: 'yes', _meta: { a: 1 } },
        });
        expect(await peer.request('tools/list')).toMatchObject({ tools: [{ name: 'read' }] });
      },
    );

    test.each([
      ['null', 'null'],
      ['a fraction', '1.5'],
      ['an object', '{"a":[1]}'],
      ['a list', '[null]'],
      ['an empty text', '""'],
    ])('answers a request whose id is %s under the same id', async (_, id) => {
      const peer = await serve({ state: {} });
      await peer.send(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
      await eventually(() => peer.received).toContain(`{"jsonrpc":"2.0","id":${id},"result":{}}`);
      expect(messages().at(-2)).toMatchObject({ kind: 'request', method: 'ping', id: JSON.parse(id) });
    });

    test('answers a batch with one batch', async () => {
      const peer = await serve({ state: {} });
      const ping = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`;
      await peer.send(`[${ping(7)},{"jsonrpc":"2.0","method":"notifications/x"},5,${ping(8)}]`);
      await eventually(() => peer.received.at(-1)).toMatch(/^\[.*\]$/);
      expect(JSON.parse(peer.received.at(-1) ?? '')).toMatchObject([
        { id: 7, result: {} },
        { id: null, error: { code: -32600 } },
        { id: 8, result: {} },
      ]);
      expect(messages().map(({ method }) => method)).toContain('notifications/x');
    });

    test.each([
      ['extra keys', '{"jsonrpc":"2.0","id":7,"method":"ping","trace":{"a":1}}', { trace: { a: 1 } }],
      ['a repeated key', '{"jsonrpc":"2.0","id":6,"id":7,"method":"ping"}', {}],
      ['a repeated key in its params', '{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":1,"a":2}}', { a: 1 }],
    ])('answers a request with %s, and records what it did not serve', async (_, text, content) => {
      const peer = await serve({ state: {} });
      await peer.send(text);
      await eventually(() => peer.received).toContain('{"jsonrpc":"2.0","id":7,"result":{}}');
      const pings = played.records.filter(({ origin, method }) => origin === 'agent' && method === 'ping');
      expect(pings).toMatchObject([
        { content, refused: expect.any(String) },
        { id: 7, noted: expect.any(String) },
      ]);
      expect(played.records.filter(({ kind }) => kind === 'malformed')).toEqual([]);
    });

    test.each(unreadable)('records the bytes of %s, and serves the next request', async (_, bytes) => {
      const peer = await serve({ state: {} });
      await peer.send(bytes);
      const raw = Buffer.from(bytes).subarray(0, 65_536).toString('base64');
      await eventually(() => played.records.filter(({ kind }) => kind === 'malformed')).toMatchObject([
        { raw, reason: expect.any(String), session: expect.any(String) },
      ]);
      expect(await peer.request('ping')).toEqual({});
    });

    test.each(refused)('refuses %s, records what it says, and serves the next request', async (_, bytes, messages) => {
      const peer = await serve({ state: {} });
      await peer.send(bytes);
      await eventually(() => played.records.filter((record) => record.refused !== undefined)).toMatchObject(messages);
      expect(played.records.filter(({ kind }) => kind === 'malformed')).toEqual([]);
      expect(await peer.request('ping')).toEqual({});
    });

    test('records the beginning of a message above the size limit, and serves the next request', async () => {
      const peer = await serve({ state: {} });
      await peer.send(Buffer.alloc(17 * 1024 * 1024, 'x'));
      await eventually(() => played.records.filter(({ kind }) => kind === 'malformed')).toMatchObject([
        { raw: Buffer.alloc(65_536, 'x').toString('base64'), reason: expect.stringContaining('16777216') },
      ]);
      expect(await peer.request('ping')).toEqual({});
    });
  });
}

const deep = (levels: number): Value => (levels === 0 ? 'bottom' : [deep(levels - 1)]);

/** A state, and the answer that follows from it. */
const ordered: [string, object, string, Value | undefined, Value][] = [
  [
    'extra keys, odd names and null',
    { tools: [{ name: 't', '': null, 'a.b': [], constructor: {}, _meta: { 'x/y': [null, false] } }] },
    'tools/list',
    undefined,
    { tools: [{ name: 't', '': null, 'a.b': [], constructor: {}, _meta: { 'x/y': [null, false] } }] },
  ],
  ['a string in place of a list', { tools: 'many' }, 'tools/list', undefined, { tools: 'many' }],
  ['a number in place of a list', { prompts: -1.5e300 }, 'prompts/list', undefined, { prompts: -1.5e300 }],
  [
    'lists in place of objects',
    { protocol_version: ['2024-11-05'], capabilities: [[]], server_info: [{ name: 1 }] },
    'initialize',
    {},
    { protocolVersion: ['2024-11-05'], capabilities: [[]], serverInfo: [{ name: 1 }] },
  ],
  [
    'an unknown protocol version',
    { protocol_version: '1.0-beta', capabilities: {}, server_info: 7, instructions: '' },
    'initialize',
    { protocolVersion: '2025-11-25' },
    {
      protocolVersion: '1.0-beta',
      capabilities: {},
      serverInfo: 7,
      instructions: '',
    },
  ],
  [
    'a protocol version of the future',
    { protocol_version: '2099-01-01', capabilities: {}, server_info: {} },
    'initialize',
    { protocolVersion: '2025-11-25' },
    { protocolVersion: '2099-01-01', capabilities: {}, serverInfo: {} },
  ],
  [
    'null in its introduction',
    { protocol_version: null, capabilities: null, server_info: null, instructions: null },
    'initialize',
    {},
    { protocolVersion: null, capabilities: null, serverInfo: null, instructions: null },
  ],
  ['null in place of a list', { tools: null }, 'tools/list', undefined, { tools: null }],
  ...(
    [
      ['null', null, null],
      ['a string', 'odd', 'odd'],
      ['a list', [{ type: 'text', text: 'x' }], { content: [{ type: 'text', text: 'x' }] }],
    ] as const
  ).map(([what, content, result]): (typeof ordered)[number] => [
    `${what} as the content of a response`,
    { tools: [{ name: 't', responses: [{ content }] }] },
    'tools/call',
    { name: 't' },
    result,
  ]),
  [
    'null as the content of a resource',
    { resources: [{ uri: 'u', content: null }] },
    'resources/read',
    { uri: 'u' },
    { contents: [null] },
  ],
  [
    'no task for a call that asks for one, because no capability declares tasks',
    { tools: [{ name: 't', responses: [{ content: { content: [] } }] }], capabilities: { tools: {} } },
    'tools/call',
    { name: 't', task: { ttl: 5 } },
    { content: [] },
  ],
  [
    'line breaks and invisible characters',
    { resources: [{ uri: 'u', name: '\n\r\u0000\u2028\u202e\ud83d\ude00' }] },
    'resources/list',
    undefined,
    { resources: [{ uri: 'u', name: '\n\r\u0000\u2028\u202e\ud83d\ude00' }] },
  ],
  [
    'a result of the wrong kind',
    { tools: [{ name: 't', responses: [{ content: { content: 'x', extra: { _meta: 0 } } }] }] },
    'tools/call',
    { name: 't' },
    { content: 'x', extra: { _meta: 0 } },
  ],
  [
    'a very long text',
    { prompts: [{ name: 'p', responses: [{ messages: 'y'.repeat(1_500_000) }] }] },
    'prompts/get',
    { name: 'p' },
    { messages: 'y'.repeat(1_500_000) },
  ],
  ['a deeply nested value', { tools: deep(50) }, 'tools/list', undefined, { tools: deep(50) }],
];

const unreadable: [string, string | Buffer][] = [
  ['half a message', '{"jsonrpc":"2.0","id":7,"method":"pi'],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
  ['a number', '42'],
  ['null', 'null'],
  ['an empty batch', '[]'],
  ['a message whose method is an object', '{"jsonrpc":"2.0","id":7,"method":{"a":1}}'],
  ['a message nested too deep', `${'['.repeat(600)}${']'.repeat(600)}`],
];

const ping = { kind: 'request', method: 'ping', id: 7 };
const said = (text: string): string => `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"${text}"}}`;

/** Messages that are not served, and how they are still read. */
const refused: [string, string | Buffer, readonly object[]][] = [
  ['a message of another JSON-RPC version', '{"jsonrpc":"1.0","id":7,"method":"ping"}', [ping]],
  [
    'a message without a JSON-RPC version',
    '{"id":7,"method":"ping","params":{"a":1}}',
    [{ ...ping, content: { a: 1 } }],
  ],
  [
    'a message whose params are a string',
    '{"jsonrpc":"2.0","id":7,"method":"ping","params":"x"}',
    [{ ...ping, content: 'x' }],
  ],
  [
    'a message whose params are a string with JSON',
    '{"jsonrpc":"2.0","id":7,"method":"ping","params":"{\\"a\\":1}"}',
    [{ ...ping, content: { a: 1 } }],
  ],
  [
    'a message with a result and an error',
    '{"jsonrpc":"2.0","id":7,"result":{"a":1},"error":{"b":2}}',
    [
      { kind: 'response', content: { a: 1 } },
      { kind: 'response', content: { b: 2 }, failed: true },
    ],
  ],
  [
    'an answer to an unknown request',
    '{"jsonrpc":"2.0","id":"nobody-1","result":{}}',
    [{ kind: 'response', content: {} }],
  ],
  ['two messages on one line', `${said('x')}${said('y')}`, [{ content: { a: 'x' } }, { content: { a: 'y' } }]],
  ['a message with a byte order mark', `\ufeff${said('é')}`, [{ ...ping, content: { a: 'é' } }]],
  ['a message in UTF-16', Buffer.from(`\ufeff${said('x')}`, 'utf16le'), [{ ...ping, content: { a: 'x' } }]],
  ['a message in big-endian UTF-16', Buffer.from(said('x'), 'utf16le').swap16(), [{ ...ping, content: { a: 'x' } }]],
  ['a message in Latin-1', Buffer.from(said('é'), 'latin1'), [{ ...ping, content: { a: 'é' } }]],
];
