import type { Value, ValueMap } from '../../src/format/model/value.ts';

// The messages of honest peers, in both eras; the fuzzer breaks them.

/** `legacy` is MCP with sessions and A2A before 1.0; `modern` is MCP without sessions and A2A since 1.0. */
export const eras = ['legacy', 'modern'] as const;
export type Era = (typeof eras)[number];

type InEachEra = { readonly [era in Era]: readonly ValueMap[] };

const meta: ValueMap = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, sampling: {} },
};
const call: ValueMap = { name: 'say', arguments: { text: 'hello', deep: { list: [1, { a: null }] } } };

const listings = ['tools/list', 'resources/list', 'prompts/list', 'ping'];
const uses: readonly ValueMap[] = [
  { jsonrpc: '2.0', id: 3, method: 'tools/call', params: call },
  { jsonrpc: '2.0', id: 5, method: 'resources/read', params: { uri: 'note://a' } },
];

export const initialize: ValueMap = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
};

/** Messages of MCP clients. */
export const mcpRequests: InEachEra = {
  legacy: [
    initialize,
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    ...listings.map((method) => ({ jsonrpc: '2.0', id: 2, method })),
    ...uses,
    { jsonrpc: '2.0', id: 6, result: { content: [{ type: 'text', text: 'x' }] } },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } },
  ],
  modern: [
    ...[...listings, 'server/discover', 'subscriptions/listen'].map((method) => ({
      jsonrpc: '2.0',
      id: 2,
      method,
      params: { _meta: meta },
    })),
    ...uses.map((use) => ({ ...use, params: { ...(use.params as ValueMap), _meta: meta } })),
    {
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: {
        ...call,
        _meta: meta,
        inputResponses: { who: { action: 'accept', content: {} } },
        requestState: 's',
      },
    },
  ],
};

/** Messages of MCP servers other than the expected answer. */
export const mcpFromServer: InEachEra = {
  legacy: [
    { jsonrpc: '2.0', id: 'x', result: { tools: [{ name: 'say', inputSchema: { type: 'object' } }] } },
    { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hello' } },
    { jsonrpc: '2.0', id: 9, method: 'elicitation/create', params: { message: 'who?', requestedSchema: {} } },
    { jsonrpc: '2.0', id: 10, method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } },
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 0.5 } },
  ],
  modern: [
    {
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data: 'hello', _meta: meta },
    },
    {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 1, progress: 0.5, _meta: meta },
    },
    {
      jsonrpc: '2.0',
      id: 'y',
      result: { resultType: 'input_required', inputRequests: {}, requestState: 's' },
    },
    { jsonrpc: '2.0', id: 'z', result: { resultType: 'complete', content: [], ttlMs: 5 } },
    { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
  ],
};

const message03: ValueMap = {
  kind: 'message',
  role: 'user',
  messageId: 'm1',
  contextId: 'c1',
  parts: [
    { kind: 'text', text: 'hello' },
    { kind: 'data', data: { a: [1] } },
  ],
};
const message1: ValueMap = {
  role: 'ROLE_USER',
  messageId: 'm1',
  contextId: 'c1',
  parts: [{ text: 'hello' }, { data: { a: [1] }, mediaType: 'application/json' }],
};
const pushed: ValueMap = { url: 'http://127.0.0.1:9/', token: 't' };

/** Method names from before A2A 1.0, by which the dialects are looked up. */
export const a2aMethods = ['message/send', 'tasks/get', 'tasks/cancel', 'tasks/pushNotificationConfig/set'] as const;

const a2aParams: { readonly [era in Era]: { readonly [method in (typeof a2aMethods)[number]]: ValueMap } } = {
  legacy: {
    'message/send': { message: message03, configuration: { blocking: true } },
    'tasks/get': { id: 't1', historyLength: 3 },
    'tasks/cancel': { id: 't1' },
    'tasks/pushNotificationConfig/set': { taskId: 't1', pushNotificationConfig: pushed },
  },
  modern: {
    'message/send': { message: message1, configuration: { returnImmediately: false } },
    'tasks/get': { id: 't1', historyLength: 3 },
    'tasks/cancel': { id: 't1' },
    'tasks/pushNotificationConfig/set': { taskId: 't1', ...pushed },
  },
};

/** Requests of A2A clients; `as` is the method's name from before 1.0. */
export const a2aRequests: {
  readonly [era in Era]: readonly { readonly as: (typeof a2aMethods)[number]; readonly params: ValueMap }[];
} = {
  legacy: a2aMethods.map((as) => ({ as, params: a2aParams.legacy[as] })),
  modern: a2aMethods.map((as) => ({ as, params: a2aParams.modern[as] })),
};

/** Items that A2A agents stream. */
export const a2aItems: InEachEra = {
  legacy: [
    { kind: 'task', id: 't1', contextId: 'c1', status: { state: 'working' } },
    { kind: 'status-update', taskId: 't1', contextId: 'c1', status: { state: 'working' }, final: false },
    {
      kind: 'artifact-update',
      taskId: 't1',
      contextId: 'c1',
      artifact: { artifactId: 'a', parts: [{ kind: 'text', text: 'part' }] },
      append: true,
    },
  ],
  modern: [
    { task: { id: 't1', contextId: 'c1', status: { state: 'TASK_STATE_WORKING' } } },
    { statusUpdate: { taskId: 't1', contextId: 'c1', status: { state: 'TASK_STATE_WORKING' } } },
    {
      artifactUpdate: {
        taskId: 't1',
        contextId: 'c1',
        artifact: { artifactId: 'a', parts: [{ text: 'part' }] },
        append: true,
      },
    },
  ],
};

/** The item that properly ends a stream. */
export const a2aLastItem: { readonly [era in Era]: ValueMap } = {
  legacy: {
    kind: 'status-update',
    taskId: 't1',
    contextId: 'c1',
    status: { state: 'completed' },
    final: true,
  },
  modern: { statusUpdate: { taskId: 't1', contextId: 'c1', status: { state: 'TASK_STATE_COMPLETED' } } },
};

export const agUiEvents: readonly ValueMap[] = [
  { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'hello' },
  { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm2', role: 'assistant', delta: 'hello' },
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
  { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'say' },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'c', delta: '{"a":' },
  { type: 'TOOL_CALL_END', toolCallId: 'c' },
  { type: 'STATE_SNAPSHOT', snapshot: { a: [1] } },
  { type: 'STATE_DELTA', delta: [{ op: 'replace', path: '/a/0', value: 2 }] },
  { type: 'MESSAGES_SNAPSHOT', messages: [{ id: 'm', role: 'assistant', content: 'x' }] },
  { type: 'RAW', event: { any: 'thing' } },
];

const indicators: readonly Value[] = [{ target: 'arguments', pattern: { contains: 'what nobody says' } }];

/** The documents that are played against the hostile peers, by mode. */
export const attacks: { readonly [mode: string]: ValueMap } = {
  mcp_server: {
    execution: {
      mode: 'mcp_server',
      phases: [
        {
          name: 'serve',
          state: {
            tools: [
              {
                name: 'say',
                description: 'Says {{said}}.',
                inputSchema: { type: 'object' },
                responses: [{ content: [{ type: 'text', text: '{{request.arguments.text}} {{said}}' }] }],
              },
            ],
            resources: [{ uri: 'note://a', name: 'a', content: { text: 'note' } }],
          },
          extractors: [{ name: 'said', source: 'request', type: 'regex', selector: '"text":"([^"]*)"' }],
        },
      ],
    },
    indicators,
  },
  a2a_server: {
    execution: {
      mode: 'a2a_server',
      state: {
        agent_card: { name: 'a', description: 'b', skills: [] },
        task_responses: [{ history: [], status: 'completed' }],
      },
    },
    indicators: [{ target: 'message', pattern: { contains: 'what nobody says' } }],
  },
  mcp_client: {
    execution: {
      mode: 'mcp_client',
      state: { actions: [{ method: 'tools/list' }, { method: 'tools/call', params: call }] },
    },
    indicators,
  },
  a2a_client: {
    execution: {
      mode: 'a2a_client',
      state: { actions: [{ method: 'message/stream', params: { message: message03 } }] },
    },
    indicators: [{ target: 'status', pattern: { contains: 'what nobody says' } }],
  },
  ag_ui_client: {
    execution: {
      mode: 'ag_ui_client',
      state: { run_agent_input: { messages: [{ id: 'u', role: 'user', content: 'hello' }] } },
    },
    indicators: [{ target: 'delta', pattern: { contains: 'what nobody says' } }],
  },
};
