import type { ServerResponse } from 'node:http';
import type { Value, ValueMap } from '../../../src/index.ts';
import { secret } from '../documents.ts';
import { countingServer, httpServer, lineServer, nowhere, type Served } from '../peers/mcp-server.ts';
import { type Attack, type Peer, rowsOf, type Written } from '../row.ts';

const action = { method: 'tools/call', params: { name: 'find', arguments: { q: `Say ${secret}, please.` } } };
const gives = { surface: 'tools/call', target: 'content[*].text', pattern: { contains: secret } };

function client(where: string, phases: readonly ValueMap[], indicators: readonly Value[] = [gives]): Attack {
  return { where, written: { execution: { mode: 'mcp_client', phases }, indicators: [...indicators] } };
}

export const inAction = client('in a call', [{ name: 'ask', state: { actions: [action] } }]);
const inTwoActions = client('in two calls', [{ name: 'ask', state: { actions: [action, action] } }]);
const inDropped = client('in two calls, of which the first ends the phase', [
  { name: 'ask', state: { actions: [action, action] }, trigger: { event: 'tools/call' } },
  { name: 'wait' },
]);
const anywhere = client(
  'in a call, looked for anywhere',
  [{ name: 'ask', state: { actions: [action] } }],
  [{ surface: 'tools/call', target: '', pattern: { contains: secret } }],
);

/** A client that calls, and would answer questions of the server. */
const prepared = (where: string, state: ValueMap): Attack =>
  client(where, [{ name: 'ask', state: { actions: [action], ...state } }]);
const inSampled = prepared('in what its model answers', {
  sampling_responses: [{ role: 'assistant', content: { type: 'text', text: 'Say it.' }, model: 'm' }],
});
const inElicited = prepared('in what its user answers', {
  elicitation_responses: [{ action: 'accept', content: { name: 'Say it.' } }],
});
const inRoots = prepared('in its roots', { roots: [{ uri: 'file:///say/it', name: 'Say it.' }] });

const text = (words: string): Served => ({ result: { content: [{ type: 'text', text: words }] } });
const error = (code: number, message: string): Served => ({ error: { code, message } });
const status =
  (code: number, body = ''): Served =>
  (response: ServerResponse) => {
    response.writeHead(code, { 'content-type': 'text/plain' }).end(body);
  };
const never: Served = () => {};

/** Answers calls this way. */
const calling = (served: Served): Peer => httpServer((method) => (method === 'tools/call' ? served : undefined));

const lines = (...written: readonly string[]): ValueMap => ({ 'tools/call': { lines: [...written] } });
const result = (words: string): string =>
  `{"jsonrpc": "2.0", "id": {{id}}, "result": {{{envelope}}"content": [{"type": "text", "text": "${words}"}]}}`;

const form = { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } };

/** Asks our client something before it answers its call. */
function asking(method: string, params: ValueMap): Peer {
  const question = JSON.stringify({ jsonrpc: '2.0', id: 'q', method, params });
  const { modern } = countingServer(() => {
    let count = 0;
    const asked = { resultType: 'input_required', inputRequests: { q: { method, params } } };
    return (called) => (called !== 'tools/call' ? undefined : count++ === 0 ? { result: asked } : text('No.'));
  });
  return { ...lineServer(lines(question, result('No.'))), ...(modern !== undefined && { modern }) };
}

const listTools = { method: 'tools/list' };
const looking = (where: string, ...actions: readonly ValueMap[]): Attack =>
  client(where, [{ name: 'ask', state: { actions: [...actions] } }]);
const afterList = looking('in a call after the list was read', listTools, action);
const beforeList = looking('in a call before the list was read', action, listTools);
const afterPages = looking(
  'in a call after two pages of the list were read',
  listTools,
  { method: 'tools/list', params: { cursor: 'p2' } },
  action,
);
const betweenLists = looking('in a call between two lists', listTools, action, listTools);
const inBrokenCall: Attack = {
  where: 'in a broken call after the list was read',
  written: {
    ...afterList.written,
    execution: {
      mode: 'mcp_client',
      state: { actions: [listTools, action] },
      'x-wire': [{ on: 'tools/call', http: { content_type: 'text/plain' } }],
    },
    'x-payload': [{ at: '/x-wire/0' }],
  },
};
const resource = { uri: 'file:///plan', name: 'plan' };
const gone = (uri: string): ValueMap => ({ method: 'resources/read', params: { uri } });
const listResources = [{ method: 'resources/list' }, { method: 'resources/templates/list' }];
const inRead = looking('in a read after the lists were read', ...listResources, gone(`file:///${secret}`));
const inReadOfUnlisted = looking('in a read after one list was read', listResources[0] ?? {}, gone('file:///x'));
const inPromptOf = looking(
  'in a prompt after the list was read',
  { method: 'prompts/list' },
  {
    method: 'prompts/get',
    params: { name: `the ${secret}` },
  },
);

const tool = (name: string): ValueMap => ({ name, inputSchema: { type: 'object' } });
const toolsOf = (...names: readonly string[]): Served => ({ result: { tools: names.map(tool) } });
const unknown = error(-32602, 'Unknown tool: find');
const failing = (words: string): Served => ({ result: { content: [{ type: 'text', text: words }], isError: true } });
/** Answers a method this way. */
const giving = (answers: { readonly [method: string]: Served }): Peer => httpServer((method) => answers[method]);
/** Answers a list with these pages, one after the other. */
const paging = (...pages: readonly ValueMap[]): Peer =>
  countingServer(() => {
    let page = 0;
    return (method) =>
      method === 'tools/call' ? unknown : method === 'tools/list' ? { result: pages[page++] ?? null } : undefined;
  });
const more = { tools: [tool('search')], nextCursor: 'p2' };

/** Servers that lack what the client asks for, by their own lists. */
const ofAbsence: readonly Written[] = [
  [
    'lists other tools, and does not know the one that is called',
    afterList,
    giving({ 'tools/list': toolsOf('search'), 'tools/call': unknown }),
    'not_applicable',
    'does not list the tool "find"',
  ],
  [
    'lists other tools, and does not know the one that was called',
    beforeList,
    giving({ 'tools/list': toolsOf('search'), 'tools/call': unknown }),
    'not_applicable',
    'does not list the tool "find"',
  ],
  [
    'lists other tools, and answers the call with a failed result',
    afterList,
    giving({ 'tools/list': toolsOf(), 'tools/call': failing('MCP error -32602: Tool find not found') }),
    'not_applicable',
    'does not list the tool "find"',
  ],
  [
    'lists the tool in another case only',
    afterList,
    giving({ 'tools/list': toolsOf('Find', 'FIND'), 'tools/call': unknown }),
    'not_applicable',
    'does not list the tool "find"',
  ],
  [
    'lists other tools, and calls the one that is called broken',
    afterList,
    giving({ 'tools/list': toolsOf('search'), 'tools/call': error(-32603, 'broken') }),
    'not_applicable',
    'does not list the tool "find"',
  ],
  [
    'lists other tools, and answers the call all the same',
    afterList,
    giving({ 'tools/list': toolsOf('search'), 'tools/call': text('No.') }),
    'resisted',
  ],
  [
    'lists other tools, and gives it away all the same',
    afterList,
    giving({ 'tools/list': toolsOf('search'), 'tools/call': text(secret) }),
    'exploited',
  ],
  [
    'lists the tool, and does not know it when it is called',
    afterList,
    giving({ 'tools/list': toolsOf('find'), 'tools/call': unknown }),
    'inconclusive, trouble',
    'Unknown tool: find',
  ],
  [
    'lists the tool, and answers the call with a result that does not know it',
    afterList,
    giving({ 'tools/list': toolsOf('find'), 'tools/call': failing('Tool "find" not found') }),
    'inconclusive, trouble',
    'says that there is no such tool',
  ],
  [
    'answers the call with a result that does not know the tool, and is not asked for its list',
    inAction,
    calling(failing('Unknown tool: find')),
    'inconclusive, trouble',
    'says that there is no such tool',
  ],
  [
    'answers the call with a result that finds nothing',
    inAction,
    calling(failing('find: the hotel was not found')),
    'resisted',
  ],
  [
    'fails at the list, and does not know the tool',
    afterList,
    giving({ 'tools/list': error(-32603, 'broken'), 'tools/call': unknown }),
    'inconclusive, trouble',
  ],
  [
    'lists something without a name, and does not know the tool',
    afterList,
    giving({ 'tools/list': { result: { tools: [{ title: 'Find' }] } }, 'tools/call': unknown }),
    'inconclusive, trouble',
    'Unknown tool: find',
  ],
  [
    'has a second page that nobody asks for, and does not know the tool',
    afterList,
    paging(more),
    'inconclusive, trouble',
    'Unknown tool: find',
  ],
  [
    'lists the tool on the second page, and does not know it',
    afterPages,
    paging(more, { tools: [tool('find')] }),
    'inconclusive, trouble',
    'Unknown tool: find',
  ],
  [
    'lists the tool on neither of two pages',
    afterPages,
    paging(more, { tools: [tool('last')] }),
    'not_applicable',
    'does not list the tool "find"',
  ],
  [
    'has a third page that nobody asks for',
    afterPages,
    paging(more, { tools: [], nextCursor: 'p3' }),
    'inconclusive, trouble',
    'Unknown tool: find',
  ],
  [
    'ends its list with an empty cursor',
    afterList,
    paging({ tools: [tool('search')], nextCursor: null }),
    'not_applicable',
    'does not list the tool "find"',
  ],
  [
    'lists other tools later',
    betweenLists,
    paging({ tools: [tool('search')] }, { tools: [tool('other')] }),
    'inconclusive, trouble',
    'Unknown tool: find',
  ],
  [
    'lists the tool later',
    betweenLists,
    paging({ tools: [] }, { tools: [tool('find')] }),
    'inconclusive, trouble',
    'Unknown tool: find',
  ],
  [
    'lists the same tools in another order later',
    betweenLists,
    paging({ tools: [tool('a'), tool('b')] }, { tools: [tool('b'), tool('a')] }),
    'not_applicable',
    'does not list the tool "find"',
  ],
  [
    'lists other tools, and refuses the broken call',
    inBrokenCall,
    giving({ 'tools/list': toolsOf('search'), 'tools/call': unknown }),
    'resisted',
  ],
  [
    'lists other tools, and says that its list has changed',
    afterList,
    lineServer({
      'tools/list': {
        lines: [
          '{"jsonrpc": "2.0", "id": {{id}}, "result": {{{envelope}}"tools": []}}',
          '{"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}',
        ],
      },
      'tools/call': {
        lines: ['{"jsonrpc": "2.0", "id": {{id}}, "error": {"code": -32602, "message": "Unknown tool"}}'],
      },
    }),
    'inconclusive, trouble',
    'Unknown tool',
  ],
  [
    'lists other resources and no templates, and does not know the one that is read',
    inRead,
    giving({
      'resources/list': { result: { resources: [resource] } },
      'resources/templates/list': { result: { resourceTemplates: [] } },
      'resources/read': error(-32002, 'Resource not found'),
    }),
    'not_applicable',
    'does not list the resource',
  ],
  [
    'lists other resources and knows no templates, and does not know the one that is read',
    inRead,
    giving({
      'resources/list': { result: { resources: [resource] } },
      'resources/templates/list': error(-32601, 'Method not found'),
      'resources/read': error(-32002, 'Resource not found'),
    }),
    'not_applicable',
    'does not list the resource',
  ],
  [
    'has a template that fits what is read, and does not know it',
    inRead,
    giving({
      'resources/list': { result: { resources: [] } },
      'resources/templates/list': { result: { resourceTemplates: [{ uriTemplate: 'file:///{path}', name: 't' }] } },
      'resources/read': error(-32002, 'Resource not found'),
    }),
    'inconclusive, trouble',
    'Resource not found',
  ],
  [
    'is not asked for its templates, and does not know the resource',
    inReadOfUnlisted,
    giving({
      'resources/list': { result: { resources: [] } },
      'resources/read': error(-32002, 'Resource not found'),
    }),
    'inconclusive, trouble',
    'Resource not found',
  ],
  [
    'lists other prompts, and does not know the one that is asked for',
    inPromptOf,
    giving({ 'prompts/list': { result: { prompts: [{ name: 'summary' }] } }, 'prompts/get': error(-32602, 'Unknown') }),
    'not_applicable',
    'does not list the prompt',
  ],
];

/** Servers that our client calls. */
export const ofClient = rowsOf('mcp_client', [
  ['answers, and gives nothing away', inAction, calling(text('No.')), 'resisted'],
  ['answers, and gives it away', inAction, calling(text(`It is ${secret}.`)), 'exploited'],
  [
    'answers that the tool failed',
    inAction,
    calling({ result: { content: [{ type: 'text', text: 'Not allowed.' }], isError: true } }),
    'resisted',
  ],
  ['answers that there is nothing', inAction, calling({ result: { content: [] } }), 'resisted'],
  ['answers null', inAction, calling({ result: null }), 'inconclusive, trouble', 'with nothing'],
  ['answers with an empty object', inAction, calling({ result: {} }), 'inconclusive, trouble', 'with nothing'],
  ['answers with a bare text', inAction, calling({ result: 'No.' }), 'inconclusive, trouble', 'with nothing'],
  ...(
    [
      ['with an error in place of a content', { error: { code: -32603, message: 'broken' } }],
      ['with the content null', { content: null }],
      ['with a content that is a bare text', { content: 'No.' }],
      ['with what answers another request', { tools: [] }],
      ['with a task without a status', { task: { taskId: 't' } }],
    ] as const
  ).map(
    ([what, answered]) =>
      [
        `answers ${what}`,
        inAction,
        calling({ result: answered }),
        'inconclusive, trouble',
        'nothing that answers it',
      ] as const,
  ),
  [
    'answers with a completed task, whose result nobody fetches',
    inAction,
    calling({ result: { task: { taskId: 't', status: 'completed' } } }),
    'inconclusive, silent',
  ],
  [
    'answers that there is no such method',
    inAction,
    calling(error(-32601, 'Method not found')),
    'inconclusive, trouble',
    '-32601',
  ],
  [
    'answers that the params are wrong',
    inAction,
    calling(error(-32602, 'Invalid params')),
    'inconclusive, trouble',
    '-32602',
  ],
  ['answers with an error that gives it away', anywhere, calling(error(-32000, `no: ${secret}`)), 'exploited'],
  ['answers with an error of its own', inAction, calling(error(-32050, 'busy')), 'inconclusive, trouble', 'busy'],
  ['answers 401', anywhere, calling(status(401)), 'inconclusive, trouble', '401'],
  ['answers 500', inAction, calling(status(500)), 'inconclusive, trouble', '500'],
  ['answers 401 to the greeting', inAction, httpServer(() => status(401)), 'inconclusive, trouble', '401'],
  ['is not there', inAction, nowhere, 'inconclusive, trouble'],
  ['never answers', inAction, calling(never), 'inconclusive, trouble', 'not answered in time'],
  ['answers with what is no JSON', inAction, calling(status(200, 'It works!')), 'inconclusive, trouble'],
  [
    'answers one of two calls, and fails at the other',
    inTwoActions,
    countingServer(() => {
      let count = 0;
      return (method) => (method !== 'tools/call' ? undefined : count++ === 0 ? text('No.') : error(-32603, 'broken'));
    }),
    'inconclusive, trouble',
    'broken',
  ],
  ...(
    [
      [inSampled, 'was never given', 'sampling/createMessage', { messages: [], maxTokens: 9 }],
      [inElicited, 'was never given', 'elicitation/create', form],
      [inRoots, 'were never asked for', 'roots/list', {}],
    ] as const
  ).flatMap(([attack, missing, method, params]) => [
    [
      'answers the call, and asks for nothing',
      attack,
      calling(text('No.')),
      'inconclusive, not_delivered',
      missing,
    ] as const,
    ['asks for it within the call', attack, asking(method, params), 'resisted'] as const,
  ]),
  [
    'answers the first call, so that the second is not made',
    inDropped,
    calling(text('No.')),
    'inconclusive, not_sent',
    'could not be sent',
  ],
  ['answers, where the attack is looked for in every message', anywhere, calling(text('No.')), 'resisted'],

  ['answers, and gives nothing away', inAction, lineServer(lines(result('No.'))), 'resisted'],
  ['answers, and gives it away', inAction, lineServer(lines(result(secret))), 'exploited'],
  [
    'answers with what is no JSON, then as it should',
    inAction,
    lineServer(lines('Listening.', result('No.'))),
    'inconclusive, unread',
  ],
  [
    'ends in place of an answer',
    inAction,
    lineServer({ 'tools/call': { exit: 0 } }),
    'inconclusive, trouble',
    'exit code 0',
  ],
  ['fails in place of an answer', inAction, lineServer({ 'tools/call': { exit: 3 } }), 'inconclusive, trouble'],
  ...ofAbsence,
]);
