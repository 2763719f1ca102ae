import { describe, expect, test } from 'vitest';
import { createMcpServerBinding, mcpServer } from '../../../src/attack/bindings/mcp/mcp-server-binding.ts';
import { readAnswerContent } from '../../../src/attack/engine/actor-messages.ts';
import type { PeerRequest, SaidWithin } from '../../../src/attack/engine/binding.ts';
import { metaKey } from '../../../src/format/registry/mcp-2026.ts';
import type { Value, ValueMap } from '../../../src/index.ts';

// MCP since 2026-07-28: which versions are served, what is put around a result, and what a request says besides itself.

const era = '2026-07-28';
const asIs = (value: Value): Value => value;
const contextWith = (memory?: Value) => ({
  ids: { own: 'own', fresh: () => 'fresh' },
  memory,
  endpoint: undefined,
  timestamp: () => '2026-01-01T00:00:00.000Z',
});

function answer(state: Value, request: PeerRequest, forced: 'both' | 'legacy' | 'modern' = 'both'): ValueMap {
  const plan = createMcpServerBinding(forced).plan(request, state, asIs, contextWith());
  return readAnswerContent(plan.answer(asIs)) as ValueMap;
}

describe('MCP server, protocol versions', () => {
  const asking = (version?: string): PeerRequest => ({
    method: 'tools/list',
    params: version === undefined ? {} : { _meta: { [metaKey.protocolVersion]: version } },
    era,
  });
  const old: PeerRequest = { method: 'initialize', params: { protocolVersion: '2025-06-18' } };
  const refusal = (supported: readonly string[], requested: string | null) => ({
    code: -32022,
    data: { supported, requested },
  });
  const list = { tools: [] };
  const greeting = { protocolVersion: '2025-06-18' };

  test.each<[string | undefined, 'both' | 'legacy' | 'modern', PeerRequest, ValueMap]>([
    [undefined, 'both', asking(era), list],
    [undefined, 'both', asking(), list],
    [undefined, 'both', asking('2030-01-01'), refusal([era], '2030-01-01')],
    [undefined, 'both', old, greeting],
    [undefined, 'modern', asking(era), list],
    [undefined, 'modern', old, refusal([era], '2025-06-18')],
    [undefined, 'modern', { method: 'tools/list', params: undefined }, refusal([era], null)],
    [undefined, 'legacy', old, greeting],
    [undefined, 'legacy', asking(era), refusal(['2025-11-25'], era)],
    ['2025-11-25', 'both', asking(era), list],
    ['2025-11-25', 'both', old, { protocolVersion: '2025-11-25' }],
    ['2024-11-05', 'both', old, { protocolVersion: '2024-11-05' }],
    ['2024-11-05', 'both', asking(era), refusal(['2024-11-05'], era)],
    ['2030-01-01', 'both', asking('2030-01-01'), list],
    ['2030-01-01', 'both', asking(era), list],
    ['2030-01-01', 'both', asking('2031-01-01'), refusal(['2030-01-01'], '2031-01-01')],
    ['2030-01-01', 'both', old, { protocolVersion: '2030-01-01' }],
    ['2030-01-01', 'modern', old, refusal(['2030-01-01'], '2025-06-18')],
    ['newest', 'both', asking('newest'), list],
    ['newest', 'both', old, { protocolVersion: 'newest' }],
    ['x2030-01-01', 'both', old, { protocolVersion: 'x2030-01-01' }],
    ['2030-01-01x', 'both', old, { protocolVersion: '2030-01-01x' }],
  ])(
    'answers for a document with version %s, as a server of era %s, the request %j with %j',
    (protocol_version, forced, request, expected) => {
      const state = protocol_version === undefined ? {} : { protocol_version };
      expect(answer(state, request, forced)).toMatchObject(expected);
    },
  );

  test.each<[Value | undefined, string]>([
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'],
    ['2025-11-25', '2025-11-25'],
    ['1999-01-01', '2025-11-25'],
    [7, '2025-11-25'],
    [undefined, '2025-11-25'],
  ])('answers a legacy client that asks for version %j with %s', (protocolVersion, protocolVersions) => {
    const params = protocolVersion === undefined ? undefined : { protocolVersion };
    expect(answer({}, { method: 'initialize', params }).protocolVersion).toBe(protocolVersions);
  });

  test.each<[Value | undefined, Value]>([
    [undefined, era],
    ['2025-11-25', era],
    ['2030-01-01', '2030-01-01'],
    ['newest', 'newest'],
    [null, null],
  ])('announces for a document with version %s the version %s', (protocol_version, announced) => {
    const state = protocol_version === undefined ? {} : { protocol_version };
    expect(answer(state, { method: 'server/discover', params: undefined, era }).supportedVersions).toEqual([announced]);
  });
});

describe('MCP server, results since 2026-07-28', () => {
  const own = { name: 'oatf-server', version: '1.0.0' };
  const wrapped = (state: ValueMap, method: string, params: ValueMap = {}): ValueMap =>
    answer(state, { method, params, era });
  const tool = (content: Value): ValueMap => ({ tools: [{ name: 't', responses: [{ content }] }] });

  test.each<[string, ValueMap, string, ValueMap, ValueMap]>([
    [
      'may be cached in a list',
      {},
      'tools/list',
      {},
      { tools: [], resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
    ],
    [
      'have the cache time of the document',
      { caching: { ttlMs: 5 } },
      'tools/list',
      {},
      { tools: [], resultType: 'complete', ttlMs: 5, cacheScope: 'private' },
    ],
    [
      'have the default cache time when the document’s is malformed',
      { caching: 'long' },
      'tools/list',
      {},
      { tools: [], resultType: 'complete', ttlMs: 0, cacheScope: 'private' },
    ],
    [
      'have no cache fields in a tool call',
      tool([]),
      'tools/call',
      { name: 't' },
      { content: [], resultType: 'complete' },
    ],
    [
      'keep fields that the document writes',
      tool({ content: [], resultType: 'odd', ttlMs: 1 }),
      'tools/call',
      { name: 't' },
      { content: [], resultType: 'odd', ttlMs: 1 },
    ],
  ])('%s', (_, state, method, params, expected) => {
    expect(wrapped(state, method, params)).toEqual({ ...expected, _meta: { [metaKey.serverInfo]: own } });
  });

  test.each<[string, ValueMap, Value]>([
    ['name the server of the document', { server_info: { name: 'x' } }, { [metaKey.serverInfo]: { name: 'x' } }],
    [
      'keep _meta that the document writes',
      tool({ _meta: { [metaKey.serverInfo]: 'me', a: 1 } }),
      { [metaKey.serverInfo]: 'me', a: 1 },
    ],
    ['keep _meta that is a string', tool({ _meta: 'odd' }), 'odd'],
  ])('%s', (_, state, meta) => {
    const more = { tools: [{ name: 't' }], ...state };
    expect(wrapped(more, 'tools/call', { name: 't' })._meta).toEqual(meta);
  });

  test.each<[ValueMap, string, readonly string[]]>([
    [{}, 'tools/list', ['/tools/*']],
    [{ server_info: {} }, 'tools/list', ['/tools/*', '/server_info']],
    [{ server_info: {} }, 'server/discover', ['/server_info']],
    [{ server_info: null }, 'tools/list', ['/tools/*', '/server_info']],
    [{ server_info: {} }, 'no/such', ['/server_info']],
  ])('carry for the state %j and the method %s the pieces %j', (state, method, pieces) => {
    expect(mcpServer.plan({ method, params: undefined, era }, state, asIs, contextWith()).pieces).toEqual(pieces);
  });

  test('have no _meta when they are errors', () => {
    expect(wrapped({}, 'no/such')).toEqual({ code: -32601, message: 'Method not found: no/such' });
  });

  test.each<[string, number]>([
    ['ping', -32601],
    ['tasks/list', -32601],
    ['resources/read', -32602],
  ])('refuse %s with the error %i', (method, code) => {
    expect(wrapped({}, method)).toMatchObject({ code });
  });

  const given = { tools: [{ name: 't', responses: [{ content: [], task: {} }] }] };
  test.each<[ValueMap, boolean]>([
    [given, true],
    [tool({ resultType: 'task' }), true],
    [tool([]), false],
    [{ ...given, capabilities: { tools: {} } }, false],
  ])('of a server with the state %j announce the tasks extension: %s', (state, does) => {
    const { capabilities } = wrapped(state, 'server/discover');
    expect(Object.hasOwn(capabilities as object, 'extensions')).toBe(does);
  });

  test.each<[Value | undefined, ValueMap]>([
    [
      { toolsListChanged: true, resourceSubscriptions: ['a'] },
      { toolsListChanged: true, resourceSubscriptions: ['a'] },
    ],
    [{ toolsListChanged: false, promptsListChanged: null, odd: true }, {}],
    ['all', {}],
    [undefined, {}],
  ])('acknowledge a subscription to %j as %j', (notifications, heard) => {
    const params = notifications === undefined ? {} : { notifications };
    const plan = mcpServer.plan({ method: 'subscriptions/listen', params, era }, {}, asIs, contextWith());
    const [step] = plan.steps;
    expect(plan.staysOpen).toBe(true);
    expect(step).toMatchObject({ kind: 'notify', method: 'notifications/subscriptions/acknowledged' });
    expect(step?.kind === 'notify' && step.params(asIs)).toEqual({ notifications: heard });
  });
});

describe('MCP server, headers that repeat arguments', () => {
  const inputSchema = { properties: { city: { 'x-mcp-header': 'City' } } };
  const state = { tools: [{ name: 't', inputSchema }] };
  test.each<[PeerRequest['repeated'], Value, string | undefined]>([
    [undefined, { city: 'Rome' }, undefined],
    [{ city: 'Rome' }, { city: 'Rome' }, undefined],
    [{}, {}, undefined],
    [{}, 'odd', undefined],
    [{}, { city: 'Rome' }, 'the header Mcp-Param-City is missing'],
    [{ city: 'Oslo' }, { city: 'Rome' }, 'the header Mcp-Param-City is not what the arguments say'],
  ])('checks the headers %j against the arguments %j with the error: %s', (repeated, args, message) => {
    const request = {
      method: 'tools/call',
      params: { name: 't', arguments: args },
      era,
      ...(repeated && { repeated }),
    };
    const said = answer(state, request);
    expect([said.code, said.message]).toEqual(message === undefined ? [undefined, undefined] : [-32020, message]);
  });
});

test.each<[string, Value, unknown]>([
  [
    'send_within_response',
    { method: 'm', params: { a: 1 } },
    { method: 'm', params: { a: 1 }, manner: 'within response' },
  ],
  ['ask_in_any_result', { method: 'm' }, { method: 'm', manner: 'in any result' }],
  [
    'send_within_response',
    { params: {} },
    {
      warnings: [
        {
          severity: 'warning',
          code: 'O-101',
          message: '`send_within_response` has no method, so it is skipped',
        },
      ],
    },
  ],
  [
    'ask_in_any_result',
    'odd',
    {
      warnings: [
        {
          severity: 'warning',
          code: 'O-101',
          message: '`ask_in_any_result` has no method, so it is skipped',
        },
      ],
    },
  ],
  ['ask_in_any_result', null, { warnings: [expect.objectContaining({ code: 'O-101' })] }],
  ['shout', { method: 'm' }, undefined],
  ['toString', { method: 'm' }, undefined],
])('MCP server: plans the entry action %s %j as %j', (name, value, expected) => {
  expect(mcpServer.entryAction?.(name, value, {} as never)).toEqual(expected);
});

describe('MCP server, events derived from a modern request', () => {
  const client = { [metaKey.clientInfo]: { name: 'c' } };
  const hello = (counts: object = {}, content: object = {}) => [
    {
      kind: 'request',
      method: 'initialize',
      content: { protocolVersion: null, capabilities: {}, clientInfo: { name: 'c' }, ...content },
      ...counts,
    },
    { kind: 'notification', method: 'notifications/initialized', content: {}, ...counts },
  ];

  type Asked = [method: string, params?: ValueMap, id?: string];

  /** What is said by each of the requests in turn. */
  function said(...requests: Asked[]): (SaidWithin | undefined)[] {
    let memory: Value | undefined;
    return requests.map(([method, params = {}, id]) => {
      const request = { method, params, era, ...(id !== undefined && { id }) };
      const found = mcpServer.saidWithin?.(request, {}, contextWith(memory));
      memory = found?.memory ?? memory;
      return found;
    });
  }
  const events = (...requests: Asked[]) => said(...requests).map((each) => each?.events);
  const by = (meta: ValueMap = {}, more: ValueMap = {}): ValueMap => ({
    _meta: { ...client, ...meta },
    ...more,
  });

  test('include initialize once for each client name', () => {
    const other = { _meta: { [metaKey.clientInfo]: { name: 'd' } } };
    expect(events(['tools/list', by()], ['tools/list', by()], ['tools/list', other], ['tools/list', by()])).toEqual([
      hello(),
      undefined,
      hello({}, { clientInfo: { name: 'd' } }),
      undefined,
    ]);
  });

  test('have the protocol version and the capabilities of the request', () => {
    const meta = { [metaKey.protocolVersion]: era, [metaKey.clientCapabilities]: { roots: {} } };
    expect(events(['tools/list', by(meta)])).toEqual([
      hello({}, { protocolVersion: era, capabilities: { roots: {} } }),
    ]);
  });

  test('count as answered when the request is server/discover', () => {
    expect(events(['server/discover', by()])).toEqual([hello({ isAnsweredToo: true })]);
  });

  test('are missing for an earlier era, a refused version and a notification', () => {
    const params = by();
    const heard = (request: PeerRequest) => mcpServer.saidWithin?.(request, {}, contextWith());
    expect(heard({ method: 'tools/list', params })).toBeUndefined();
    expect(
      heard({ method: 'tools/list', params: by({ [metaKey.protocolVersion]: '2030-01-01' }), era }),
    ).toBeUndefined();
    expect(heard({ method: 'notifications/x', params, era })).toBeUndefined();
    expect(heard({ method: 'tools/list', params: undefined, era })?.events).toStrictEqual([
      ...hello({}, { clientInfo: {} }),
    ]);
  });

  test('include a log level when it changes', () => {
    const at = (level: string): [string, ValueMap] => ['tools/list', by({ [metaKey.logLevel]: level })];
    const set = (level: string) => ({ kind: 'request', method: 'logging/setLevel', content: { level } });
    expect(events(at('info'), at('info'), at('debug'), at('info'), ['tools/list', by()])).toEqual([
      [...hello(), set('info')],
      undefined,
      [set('debug')],
      [set('info')],
      undefined,
    ]);
  });

  test('keep log levels of different clients apart', () => {
    const at = (name: string, level: string): [string, ValueMap] => [
      'tools/list',
      { _meta: { [metaKey.clientInfo]: { name }, [metaKey.logLevel]: level } },
    ];
    const given = events(at('c', 'info'), at('d', 'debug'), at('c', 'info'), at('d', 'debug'));
    expect(given.map((each) => each?.length)).toEqual([3, 3, undefined, undefined]);
  });

  test('include subscriptions and, when cancelled, unsubscriptions', () => {
    const listen = (id: string, resourceSubscriptions: Value): [string, ValueMap, string] => [
      'subscriptions/listen',
      by({}, { notifications: { resourceSubscriptions } }),
      id,
    ];
    const cancel = (requestId?: Value): [string, ValueMap] => [
      'notifications/cancelled',
      requestId === undefined ? {} : { requestId },
    ];
    const given = events(
      ['tools/list', by()],
      listen('1', ['a', 'b']),
      listen('2', ['c']),
      listen('3', 'odd'),
      cancel('9'),
      cancel(),
      cancel('1'),
      cancel('1'),
      cancel('2'),
    );
    const of = (method: string, uri: string, more: object = {}) => ({
      kind: 'request',
      method,
      content: { uri },
      ...more,
    });
    const subscribed = (uri: string) => of('resources/subscribe', uri, { isAnsweredToo: true });
    expect(given.slice(1)).toEqual([
      [subscribed('a'), subscribed('b')],
      [subscribed('c')],
      undefined,
      undefined,
      undefined,
      [of('resources/unsubscribe', 'a'), of('resources/unsubscribe', 'b')],
      undefined,
      [of('resources/unsubscribe', 'c')],
    ]);
  });

  test('keep a subscription without an id until its cancellation', () => {
    const listen: [string, ValueMap] = [
      'subscriptions/listen',
      by({}, { notifications: { resourceSubscriptions: ['a'] } }),
    ];
    expect(
      events(listen, ['notifications/cancelled', {}], ['notifications/cancelled', { requestId: null }]),
    ).toMatchObject([{}, undefined, [{ method: 'resources/unsubscribe' }]]);
  });

  test('include the answers within a request, recognised by their shape', () => {
    const inputResponses = { a: { roots: [] }, b: { role: 'user' }, c: { action: 'accept' }, d: 'odd' };
    const [, first, second] = said(
      ['tools/list', by()],
      ['tools/call', by({}, { inputResponses })],
      ['tools/list', by({}, { inputResponses })],
    );
    expect(first?.events.map(({ kind, method, content }) => [kind, method, content])).toEqual([
      ['response', 'roots/list', { roots: [] }],
      ['response', 'sampling/createMessage', { role: 'user' }],
      ['response', 'elicitation/create', { action: 'accept' }],
      ['response', 'elicitation/create', 'odd'],
    ]);
    expect([first?.isRepeated, second?.isRepeated]).toEqual([true, undefined]);
  });

  test('do not mark a call without answers as repeated', () => {
    expect(said(['tools/call', by({}, { inputResponses: 'odd' })])[0]?.isRepeated).toBeUndefined();
  });

  test('remember at most 1 000 clients', () => {
    const many = Array.from({ length: 1_001 }, (_, index): [string, ValueMap] => [
      'tools/list',
      { _meta: { [metaKey.clientInfo]: { name: String(index) } } },
    ]);
    const again = (index: number): [string, ValueMap] => many[index] ?? ['', {}];
    expect(
      events(...many, again(1), again(0))
        .slice(-2)
        .map((each) => each?.length),
    ).toEqual([undefined, 2]);
  });
});

test.each([
  ['ping', era, true],
  ['tasks/list', era, true],
  ['tasks/result', era, true],
  ['notifications/progress', era, true],
  ['notifications/roots/list_changed', era, true],
  ['notifications/tasks/status', era, true],
  ['tools/call', era, false],
  ['ping', '2025-11-25', false],
])('MCP server: treats %s in %s as a message that no longer comes: %s', (event, spoken, isUnheard) => {
  expect(mcpServer.isUnheard?.(event, spoken)).toBe(isUnheard);
});

test.each<[string, Value | undefined, Value | undefined]>([
  ['notifications/cancelled', { requestId: 7 }, 7],
  ['notifications/cancelled', 'odd', undefined],
  ['notifications/other', { requestId: 7 }, undefined],
])('MCP server: reads from %s %j the cancelled request %j', (method, params, id) => {
  expect(mcpServer.givesUp?.(method, params)).toBe(id);
});
