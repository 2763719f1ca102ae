import type { Value, ValueMap } from '../../src/model/value.ts';

// What honest peers send, in both eras; the fuzzer breaks it.

const meta: ValueMap = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, sampling: {} },
};
const call: ValueMap = { name: 'say', arguments: { text: 'hello', deep: { list: [1, { a: null }] } } };

export const mcpRequests: readonly ValueMap[] = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } },
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  ...['tools/list', 'resources/list', 'prompts/list', 'ping', 'server/discover'].map((method) => ({
    jsonrpc: '2.0',
    id: 2,
    method,
    params: { _meta: meta },
  })),
  { jsonrpc: '2.0', id: 3, method: 'tools/call', params: call },
  { jsonrpc: '2.0', id: 4, method: 'tools/call', params: { ...call, _meta: meta } },
  { jsonrpc: '2.0', id: 5, method: 'resources/read', params: { uri: 'note://a' } },
  { jsonrpc: '2.0', id: 6, result: { content: [{ type: 'text', text: 'x' }] } },
];

export const mcpFromServer: readonly ValueMap[] = [
  { jsonrpc: '2.0', id: 'x', result: { tools: [{ name: 'say', inputSchema: { type: 'object' } }] } },
  { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'hello' } },
  { jsonrpc: '2.0', id: 9, method: 'elicitation/create', params: { message: 'who?', requestedSchema: {} } },
  { jsonrpc: '2.0', id: 10, method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } },
  { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 0.5 } },
];

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
const message1: ValueMap = { role: 'ROLE_USER', messageId: 'm1', parts: [{ text: 'hello' }] };

export const a2aRequests: readonly ValueMap[] = [
  { jsonrpc: '2.0', id: 1, method: 'message/send', params: { message: message03 } },
  { jsonrpc: '2.0', id: 2, method: 'SendMessage', params: { message: message1 } },
  { jsonrpc: '2.0', id: 3, method: 'tasks/get', params: { id: 't1' } },
  {
    jsonrpc: '2.0',
    id: 4,
    method: 'tasks/pushNotificationConfig/set',
    params: { taskId: 't1', pushNotificationConfig: { url: 'http://127.0.0.1:9/', token: 't' } },
  },
  { jsonrpc: '2.0', id: 5, method: 'tasks/cancel', params: { id: 't1' } },
];

export const a2aItems: readonly ValueMap[] = [
  { kind: 'task', id: 't1', contextId: 'c1', status: { state: 'working' } },
  { kind: 'status-update', taskId: 't1', contextId: 'c1', status: { state: 'working' }, final: false },
  {
    kind: 'artifact-update',
    taskId: 't1',
    contextId: 'c1',
    artifact: { artifactId: 'a', parts: [{ kind: 'text', text: 'part' }] },
    append: true,
  },
];

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

/** Documents for the peers to be played against. */
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
