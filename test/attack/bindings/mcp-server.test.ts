import { describe, expect, test } from 'vitest';
import { mcpServer } from '../../../src/attack/bindings/mcp/mcp-server-binding.ts';
import { readAnswerContent } from '../../../src/attack/engine/actor-messages.ts';
import type { Value, ValueMap } from '../../../src/index.ts';

const asIs = (value: Value): Value => value;
const context = {
  ids: { own: 'own', fresh: () => 'fresh' },
  memory: undefined,
  endpoint: undefined,
  timestamp: () => '2026-01-01T00:00:00.000Z',
};

/** The server's answers in a state, with templates unchanged. */
function answer(state: Value, method: string, params?: Value): Value {
  return readAnswerContent(mcpServer.plan({ method, params }, state, asIs, context).answer(asIs));
}

function warnings(state: Value, method: string, params?: Value): (string | undefined)[] {
  return (mcpServer.plan({ method, params }, state, asIs, context).warnings ?? []).map(({ code }) => code);
}

describe('MCP server, initialize (§7.1.4)', () => {
  const capabilities = {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    logging: {},
    completions: {},
  };
  const rows: [string, Value, Value][] = [
    [
      'has default values and declares every capability',
      {},
      { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'oatf-server', version: '1.0.0' } },
    ],
    [
      'sends what the document writes',
      {
        protocol_version: '1999',
        capabilities: { tools: 'many' },
        server_info: ['odd'],
        instructions: 'obey',
      },
      { protocolVersion: '1999', capabilities: { tools: 'many' }, serverInfo: ['odd'], instructions: 'obey' },
    ],
  ];
  test.each(rows)('%s', (_, state, expected) => {
    expect(answer(state, 'initialize', {})).toEqual(expected);
  });
});

test.each([
  ['tools/list', {}, ['/tools/*']],
  ['resources/list', {}, ['/resources/*']],
  ['resources/templates/list', {}, ['/resource_templates/*']],
  ['prompts/list', {}, ['/prompts/*']],
  ['tools/call', { name: 't' }, ['/tools/0/responses/0']],
  ['prompts/get', { name: 'p' }, ['/prompts/0/responses/0']],
  ['ping', {}, []],
])('MCP server: the answer to %s carries the pieces of the state', (method, params, pieces) => {
  const responses = [{ content: [] }];
  const state = { tools: [{ name: 't', responses }], prompts: [{ name: 'p', responses }] };
  expect(mcpServer.plan({ method, params }, state, asIs, context).pieces ?? []).toEqual(pieces);
});

describe('MCP server, lists', () => {
  const odd = { name: 't', inputSchema: null, extra: [1, { a: null }], _meta: { x: 1 } };
  const rows: [string, Value, string, Value][] = [
    ['are empty for omitted tools', {}, 'tools/list', { tools: [] }],
    ['are empty for omitted resources', {}, 'resources/list', { resources: [] }],
    ['are empty for omitted resource templates', {}, 'resources/templates/list', { resourceTemplates: [] }],
    ['are empty for omitted prompts', {}, 'prompts/list', { prompts: [] }],
    ['show tools without their responses', { tools: [{ ...odd, responses: [] }] }, 'tools/list', { tools: [odd] }],
    [
      'show resources without their content',
      { resources: [{ uri: 'a', content: {} }] },
      'resources/list',
      { resources: [{ uri: 'a' }] },
    ],
    [
      'show prompts without their responses',
      { prompts: [{ name: 'p', responses: [] }] },
      'prompts/list',
      { prompts: [{ name: 'p' }] },
    ],
    ['are sent as written when they are strings', { tools: 'none' }, 'tools/list', { tools: 'none' }],
    ['keep items that are not mappings', { tools: [5, null] }, 'tools/list', { tools: [5, null] }],
  ];
  test.each(rows)('%s', (_, state, method, expected) => {
    expect(answer(state, method)).toEqual(expected);
  });

  test('keep the order of keys', () => {
    const listed = answer({ tools: [{ z: 1, name: 't', responses: [], a: 2 }] }, 'tools/list') as {
      tools: object[];
    };
    expect(Object.keys(listed.tools[0] ?? {})).toEqual(['z', 'name', 'a']);
  });
});

describe('MCP server, tools/call', () => {
  const text = [{ type: 'text', text: 'hi' }];
  const called = (...responses: Value[]) => answer({ tools: [{ name: 't', responses }] }, 'tools/call', { name: 't' });
  const rows: [string, Value[], Value][] = [
    [
      'sends an object as written',
      [{ content: { content: text, isError: 5, more: 1 } }],
      { content: text, isError: 5, more: 1 },
    ],
    ['sends a list as the content', [{ content: text }], { content: text }],
    ['sends a string as the result', [{ content: 'odd' }], 'odd'],
    ['sends null as the result', [{ content: null }], null],
    ['sends a number as the result', [{ content: 7 }], 7],
    ['takes over isError beside a string', [{ content: 'odd', isError: true }], { content: 'odd', isError: true }],
    ['takes over isError beside the content', [{ content: text, isError: true }], { content: text, isError: true }],
    [
      'takes over other fields beside the content',
      [{ content: text, _meta: { a: 1 }, odd: [] }],
      { content: text, _meta: { a: 1 }, odd: [] },
    ],
    [
      'takes over fields without a content',
      [{ isError: true, structuredContent: { a: 1 } }],
      { content: [], isError: true, structuredContent: { a: 1 } },
    ],
    [
      'uses the first response whose condition holds',
      [
        { when: { name: 'x' }, content: ['x'] },
        { when: { name: 't' }, content: ['t'] },
      ],
      { content: ['t'] },
    ],
    [
      'uses the response without a condition when no other holds',
      [{ content: ['else'] }, { when: { name: 'x' }, content: ['x'] }],
      { content: ['else'] },
    ],
    ['sends empty content when no condition holds', [{ when: { name: 'x' }, content: ['x'] }], { content: [] }],
    ['sends empty content without responses', [], { content: [] }],
  ];
  test.each(rows)('%s', (_, responses, expected) => {
    expect(called(...responses)).toEqual(expected);
  });

  test('warns of misplaced fields (O-103) and of "synthesize" (W-006)', () => {
    const responses = [{ content: text, isError: true, synthesize: { prompt: 'x' } }];
    expect(warnings({ tools: [{ name: 't', responses }] }, 'tools/call', { name: 't' })).toEqual(['W-006', 'O-103']);
  });
});

describe('MCP server, resources/read and prompts/get', () => {
  const resource = (content?: Value) => ({
    resources: [{ uri: 'f:a', mimeType: 'text/plain', ...(content !== undefined && { content }) }],
  });
  const read = (content?: Value) => answer(resource(content), 'resources/read', { uri: 'f:a' });
  const at = { uri: 'f:a', mimeType: 'text/plain' };
  const rows: [string, Value, Value][] = [
    ['text', { text: 'x' }, [{ ...at, text: 'x' }]],
    ['a blob', { blob: 'eA==' }, [{ ...at, blob: 'eA==' }]],
    [
      'several contents',
      [{ text: 'x' }, { blob: 'eA==', uri: 'f:b' }],
      [
        { ...at, text: 'x' },
        { ...at, uri: 'f:b', blob: 'eA==' },
      ],
    ],
    ['null content', null, [null]],
  ];
  test.each(rows)('answers resources/read for a resource with %s', (_, content, contents) => {
    expect(read(content)).toEqual({ contents });
  });
  test('answers resources/read for a resource without content with an empty list', () => {
    expect(read()).toEqual({ contents: [] });
  });

  test('keeps the order of keys in a prompt', () => {
    const responses = [{ messages: [], description: 'd', _meta: {} }];
    const got = answer({ prompts: [{ name: 'p', responses }] }, 'prompts/get', { name: 'p' });
    expect(JSON.stringify(got)).toBe('{"messages":[],"description":"d","_meta":{}}');
  });
});

describe('MCP server, errors', () => {
  const rows: [string, Value | undefined, number][] = [
    ['tools/call', { name: 'none' }, -32602],
    ['tools/call', undefined, -32602],
    ['prompts/get', { name: 'none' }, -32602],
    ['resources/read', { uri: 'none' }, -32002],
    ['resources/read', undefined, -32002],
    ['no/such', {}, -32601],
    ['constructor', {}, -32601],
  ];
  test.each(rows)('answers %s %o with the code %i', (method, params, code) => {
    expect(answer({ tools: [{}], resources: [{}] }, method, params)).toMatchObject({ code });
  });
});

test.each(['ping', 'resources/subscribe', 'resources/unsubscribe', 'logging/setLevel'])(
  'MCP server: acknowledges %s',
  (method) => {
    expect(answer({}, method, {})).toEqual({});
  },
);

describe('MCP server, messages sent within a call', () => {
  const tools = [{ name: 't', responses: [{ content: [] }] }];
  const call = (state: ValueMap, more: ValueMap = {}, era?: string) =>
    mcpServer.plan(
      { method: 'tools/call', params: { name: 't', ...more }, ...(era !== undefined && { era }) },
      { tools, ...state },
      asIs,
      context,
    );
  const sent = (...given: Parameters<typeof call>) =>
    call(...given).steps.map((step) =>
      step.kind === 'part' ? [] : [step.kind, step.method, step.params(asIs), step.pieces],
    );
  const token = { _meta: { progressToken: 'p' } };
  const values = [{ progress: 1 }, 'odd', { progress: 2 }];

  test('are log messages, progress, sampling requests and elicitations in this order', () => {
    const state = {
      elicitations: [{ message: 'e' }],
      sampling_requests: [{ messages: [] }],
      progress: [{ values }],
      logging: [{ level: 'info', data: 'x' }],
    };
    expect(sent(state, token)).toEqual([
      ['notify', 'notifications/message', { level: 'info', data: 'x' }, ['/logging/0']],
      ['notify', 'notifications/progress', { progressToken: 'p', progress: 1 }, ['/progress/0']],
      ['notify', 'notifications/progress', { progressToken: 'p', progress: 2 }, ['/progress/0']],
      ['ask', 'sampling/createMessage', { messages: [] }, ['/sampling_requests/0']],
      ['ask', 'elicitation/create', { message: 'e' }, ['/elicitations/0']],
    ]);
  });

  test.each<[string, ValueMap, ValueMap, number]>([
    ['have no progress when the caller gives no token', { progress: [{ values }] }, {}, 0],
    ['have no progress when _meta is a string', { progress: [{ values }] }, { _meta: 'odd' }, 0],
    ['have no progress without values', { progress: [{}] }, token, 0],
    ['include an entry whose condition holds', { logging: [{ when: { name: 't' }, data: 1 }] }, {}, 1],
    ['leave out an entry whose condition does not hold', { logging: [{ when: { name: 'u' }, data: 1 }] }, {}, 0],
    ['leave out an entry whose condition is malformed', { logging: [{ when: 'odd', data: 1 }] }, {}, 0],
    ['include an entry whose condition is null', { logging: [{ when: null, data: 1 }] }, {}, 1],
    ['include each entry without a condition', { elicitations: [{ message: 'a' }, { message: 'b' }] }, {}, 2],
    ['leave out an entry that is a string', { elicitations: ['odd'] }, {}, 0],
  ])('%s', (_, state, params, count) => {
    expect(sent(state, params)).toHaveLength(count);
  });

  test.each<[ValueMap, string | undefined, ValueMap]>([
    [{ mode: 'url', url: 'u' }, undefined, { mode: 'url', url: 'u', elicitationId: 'fresh' }],
    [{ mode: 'url', elicitationId: null }, undefined, { mode: 'url', elicitationId: null }],
    [{ mode: 'url', elicitationId: 'own' }, undefined, { mode: 'url', elicitationId: 'own' }],
    [{ mode: 'form' }, undefined, { mode: 'form' }],
    [{ mode: 'url' }, '2026-07-28', { mode: 'url' }],
  ])('send the elicitation %j in version %s as %j', (entry, era, params) => {
    expect(sent({ elicitations: [entry] }, {}, era).map(([, , given]) => given)).toEqual([params]);
  });

  test('are sent within prompts/get, too', () => {
    const state = {
      prompts: [{ name: 'p', responses: [{ content: [] }] }],
      elicitations: [{ message: 'e' }],
    };
    const plan = mcpServer.plan({ method: 'prompts/get', params: { name: 'p' } }, state, asIs, context);
    expect(plan.steps).toMatchObject([{ kind: 'ask', pieces: ['/elicitations/0'] }]);
  });
});

test('MCP server: refuses a tool call with null params and null state', () => {
  const plan = mcpServer.plan({ method: 'tools/call', params: null }, null, asIs, context);
  expect(readAnswerContent(plan.answer(asIs))).toMatchObject({ code: -32602 });
});

describe('MCP server, prompts/get', () => {
  const got = (...responses: Value[]) => answer({ prompts: [{ name: 'p', responses }] }, 'prompts/get', { name: 'p' });
  test.each<[Value[], Value]>([
    [[], { messages: [] }],
    [
      [{ messages: ['a'], description: 'd', when: { name: 'p' }, synthesize: null }],
      { messages: ['a'], description: 'd' },
    ],
    [[{ content: ['a'], description: 'd' }], { description: 'd', messages: ['a'] }],
    [[{ content: { messages: ['a'], more: 1 }, description: 'd' }], { messages: ['a'], more: 1 }],
    [[{ description: 'd' }], { description: 'd', messages: [] }],
    [[{ messages: null }], { messages: null }],
    [[{ content: null }], null],
    [[{ content: 'odd' }], 'odd'],
    [[{ content: 'odd', description: 'd' }], { description: 'd', messages: 'odd' }],
    [[{ when: { name: 'q' }, messages: ['a'] }], { messages: [] }],
  ])('answers with the responses %j as %j', (responses, expected) => {
    expect(got(...responses)).toEqual(expected);
  });

  test('has no pieces when no response matches, and warns of "synthesize" (W-006)', () => {
    const state = (entry: ValueMap) => ({ prompts: [{ name: 'p', responses: [entry] }] });
    const plan = (entry: ValueMap) =>
      mcpServer.plan({ method: 'prompts/get', params: { name: 'p' } }, state(entry), asIs, context);
    expect(plan({ when: { name: 'q' } }).pieces).toEqual([]);
    expect(plan({ synthesize: {} }).warnings).toMatchObject([{ severity: 'warning', code: 'W-006' }]);
  });
});

test.each<[ValueMap, readonly string[]]>([
  [{}, []],
  [
    { protocol_version: '1', capabilities: {}, server_info: {}, instructions: 'x' },
    ['/protocol_version', '/capabilities', '/server_info', '/instructions'],
  ],
  [{ server_info: null, instructions: 'x' }, ['/server_info', '/instructions']],
])('MCP server: the handshake of %j carries the pieces %j', (state, pieces) => {
  expect(mcpServer.plan({ method: 'initialize', params: {} }, state, asIs, context).pieces).toEqual(pieces);
});

test.each<[ValueMap, Value, Value]>([
  [{ uri: 'a', content: ['x', 5] }, 'a', { contents: ['x', 5] }],
  [{ uri: 'a', content: 'x', mimeType: 'm' }, 'a', { contents: ['x'] }],
  [{ content: 'x' }, 'a', { code: -32002, message: 'Resource not found', data: { uri: 'a' } }],
  [{ uri: 'b' }, 'a', { code: -32002, message: 'Resource not found', data: { uri: 'a' } }],
])('MCP server: answers for the resource %j a read of %j with %j', (resource, uri, expected) => {
  expect(answer({ resources: [resource] }, 'resources/read', { uri })).toEqual(expected);
});

test('MCP server: answers a read without a URI with an error whose URI is null', () => {
  expect(answer({ resources: [{}] }, 'resources/read', {})).toMatchObject({ data: { uri: null } });
});

test('MCP server: fills in templates in names before it compares them', () => {
  const fill = (value: Value): Value => (value === '{{x}}' ? 'X' : value);
  const state = { tools: [{ name: '{{x}}', responses: [{ content: ['found'] }] }] };
  const plan = mcpServer.plan({ method: 'tools/call', params: { name: 'X' } }, state, fill, context);
  expect(readAnswerContent(plan.answer(fill))).toEqual({ content: ['found'] });
});

test.each([
  ['tasks/list', { tasks: [] }],
  ['completion/complete', { completion: { values: [], total: 0, hasMore: false } }],
])('MCP server: answers %s with an empty result', (method, expected) => {
  expect(answer({}, method, {})).toEqual(expected);
});

test.each([
  ['server/discover', undefined, -32601],
  ['subscriptions/listen', undefined, -32601],
])('MCP server: does not know %s before 2026-07-28', (method, _, code) => {
  expect(answer({}, method, {})).toMatchObject({ code });
});
