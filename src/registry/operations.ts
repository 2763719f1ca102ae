// Event names by mode and operation names by protocol (§7): what V-018 and V-029 hold documents against.
// Unlisted names only warn: protocols grow faster than this table.

const mcpClientRequests = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/cancel',
];
const mcpClientNotifications = [
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
  'notifications/tasks/status',
];
const mcpServerRequests = [
  'sampling/createMessage',
  'elicitation/create',
  'roots/list',
  'ping',
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/cancel',
];
const mcpServerNotifications = [
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/prompts/list_changed',
  'notifications/message',
  'notifications/progress',
  'notifications/cancelled',
  'notifications/elicitation/complete',
  'notifications/tasks/status',
];
const a2aRequests = [
  'message/send',
  'message/stream',
  'tasks/get',
  'tasks/list',
  'tasks/cancel',
  'tasks/resubscribe',
  'tasks/pushNotificationConfig/set',
  'tasks/pushNotificationConfig/get',
  'tasks/pushNotificationConfig/list',
  'tasks/pushNotificationConfig/delete',
  'agent/getAuthenticatedExtendedCard',
  'agent_card/get',
];
const a2aStreamItems = ['task/status', 'task/artifact'];
const agUiEvents = [
  'run_started',
  'run_finished',
  'run_error',
  'step_started',
  'step_finished',
  'text_message_start',
  'text_message_content',
  'text_message_end',
  'text_message_chunk',
  'tool_call_start',
  'tool_call_args',
  'tool_call_end',
  'tool_call_chunk',
  'tool_call_result',
  'state_snapshot',
  'state_delta',
  'messages_snapshot',
  'activity_snapshot',
  'activity_delta',
  'reasoning_start',
  'reasoning_message_start',
  'reasoning_message_content',
  'reasoning_message_end',
  'reasoning_message_chunk',
  'reasoning_end',
  'reasoning_encrypted_value',
  'thinking_start',
  'thinking_end',
  'thinking_text_message_start',
  'thinking_text_message_content',
  'thinking_text_message_end',
  'raw',
  'custom',
  'run_agent_input',
];

const eventsByMode: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['mcp_server', new Set([...mcpClientRequests, ...mcpClientNotifications])],
  ['mcp_client', new Set([...mcpClientRequests, ...mcpServerRequests, ...mcpServerNotifications])],
  ['a2a_server', new Set(a2aRequests)],
  ['a2a_client', new Set([...a2aRequests, ...a2aStreamItems])],
  ['ag_ui_client', new Set(agUiEvents)],
]);

const operationsByProtocol: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    'mcp',
    new Set([
      ...mcpClientRequests,
      ...mcpClientNotifications,
      ...mcpServerRequests,
      ...mcpServerNotifications,
    ]),
  ],
  ['a2a', new Set([...a2aRequests, ...a2aStreamItems])],
  ['ag_ui', new Set(agUiEvents)],
]);

/** AG-UI keeps adding to these families of events. */
const openFamilies = /^(activity|reasoning|thinking)_/;

function lists(names: ReadonlySet<string> | undefined, name: string): boolean | undefined {
  if (names === undefined) return undefined;
  return names.has(name) || (names.has('run_agent_input') && openFamilies.test(name));
}

/** Whether a mode lists an event; nothing for a mode that no included binding defines. */
export function modeHasEvent(mode: string, event: string): boolean | undefined {
  return lists(eventsByMode.get(mode), event);
}

/** Whether a protocol lists an operation; nothing for a protocol that no included binding defines. */
export function protocolHasOperation(protocol: string, operation: string): boolean | undefined {
  return lists(operationsByProtocol.get(protocol), operation);
}
