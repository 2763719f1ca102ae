import type { Mode, Protocol } from '../model/enumeration-types.ts';
import { findOperationNamed1 } from './a2a/a2a-era.ts';
import { getProtocol, getRole, knownModes, type Role } from './known-modes.ts';
import { mcp2026 } from './mcp-2026.ts';
import { isHeardAsEvents, isOfOpenFamily, knownProtocols, listEras } from './protocols.ts';

// The operations of each protocol (format spec §7), against which V-018 and V-029 check documents. The sender and kind of an
// operation decide which modes have it as an event. Unlisted names only warn, since protocols grow faster than this table.

interface Operation {
  readonly protocol: Protocol;
  readonly name: string;
  /** The side that sends it. An operation that both sides may send has a row for each. */
  readonly sender: Role;
  readonly kind: 'request' | 'notification' | 'event';
  /** The only era that has the operation. Default: every era has it. */
  readonly era?: string;
}

const [mcp2024] = listEras('mcp');

const operations: readonly Operation[] = [
  ...listOperationRows('mcp', 'client', 'request', [
    'tools/list',
    'tools/call',
    'resources/list',
    'resources/templates/list',
    'resources/read',
    'prompts/list',
    'prompts/get',
    'completion/complete',
    'tasks/get',
    'tasks/cancel',
  ]),
  ...listOperationRows(
    'mcp',
    'client',
    'request',
    [
      'initialize',
      'ping',
      'resources/subscribe',
      'resources/unsubscribe',
      'logging/setLevel',
      'tasks/result',
      'tasks/list',
    ],
    mcp2024,
  ),
  ...listOperationRows(
    'mcp',
    'client',
    'request',
    ['server/discover', 'subscriptions/listen', 'tasks/update'],
    mcp2026,
  ),
  ...listOperationRows('mcp', 'client', 'notification', ['notifications/cancelled']),
  ...listOperationRows(
    'mcp',
    'client',
    'notification',
    [
      'notifications/initialized',
      'notifications/progress',
      'notifications/roots/list_changed',
      'notifications/tasks/status',
    ],
    mcp2024,
  ),
  ...listOperationRows('mcp', 'server', 'request', ['sampling/createMessage', 'elicitation/create', 'roots/list']),
  ...listOperationRows(
    'mcp',
    'server',
    'request',
    ['ping', 'tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'],
    mcp2024,
  ),
  ...listOperationRows('mcp', 'server', 'notification', [
    'notifications/tools/list_changed',
    'notifications/resources/list_changed',
    'notifications/resources/updated',
    'notifications/prompts/list_changed',
    'notifications/message',
    'notifications/progress',
    'notifications/cancelled',
  ]),
  ...listOperationRows(
    'mcp',
    'server',
    'notification',
    ['notifications/elicitation/complete', 'notifications/tasks/status'],
    mcp2024,
  ),
  ...listOperationRows(
    'mcp',
    'server',
    'notification',
    ['notifications/subscriptions/acknowledged', 'notifications/tasks'],
    mcp2026,
  ),
  ...listOperationRows('a2a', 'client', 'request', [
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
  ]),
  ...listOperationRows('a2a', 'server', 'event', ['task/status', 'task/artifact']),
  ...listOperationRows('ag_ui', 'client', 'request', ['run_agent_input']),
  ...listOperationRows('ag_ui', 'server', 'event', [
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
    'subagent_started',
    'subagent_finished',
    'subagent_error',
    'thinking_start',
    'thinking_end',
    'thinking_text_message_start',
    'thinking_text_message_content',
    'thinking_text_message_end',
    'raw',
    'custom',
  ]),
];

function listOperationRows(
  protocol: Protocol,
  sender: Role,
  kind: Operation['kind'],
  names: readonly string[],
  era?: string,
): readonly Operation[] {
  return names.map((name) => ({ protocol, name, sender, kind, ...(era !== undefined && { era }) }));
}

/** An actor receives what the other side sends. A client also receives the answers to its requests, under the same name. */
function isEventForMode(mode: Mode, { protocol, sender, kind }: Operation): boolean {
  if (protocol !== getProtocol(mode)) return false;
  return sender !== getRole(mode) || (sender === 'client' && kind === 'request');
}

function collectNames(isMeant: (operation: Operation) => boolean): ReadonlySet<string> {
  return new Set(operations.filter(isMeant).map(({ name }) => name));
}

const eventsByMode: ReadonlyMap<Mode, ReadonlySet<string>> = new Map(
  knownModes().map((mode) => [mode, collectNames((operation) => isEventForMode(mode, operation))]),
);

const operationsByProtocol: ReadonlyMap<Protocol, ReadonlySet<string>> = new Map(
  knownProtocols().map((protocol) => [protocol, collectNames((operation) => operation.protocol === protocol)]),
);

/** The events that a mode lists; empty for a mode that no included binding defines. */
export function listModeEvents(mode: Mode): ReadonlySet<string> {
  return eventsByMode.get(mode) ?? new Set();
}

/** The operations that a protocol lists; empty for a protocol that no included binding defines. */
export function listProtocolOperations(protocol: Protocol): ReadonlySet<string> {
  return operationsByProtocol.get(protocol) ?? new Set();
}

/** Whether a mode lists an event; undefined for a mode that no included binding defines. */
export function hasEvent(mode: Mode, event: string): boolean | undefined {
  const names = eventsByMode.get(mode);
  const protocol = getProtocol(mode);
  return names && (names.has(toOwnOperationName(protocol, event)) || isOfOpenFamily(protocol, event));
}

/** Whether a protocol lists an operation; undefined for a protocol that no included binding defines. */
export function hasOperation(protocol: Protocol, operation: string): boolean | undefined {
  const names = operationsByProtocol.get(protocol);
  return names && (names.has(toOwnOperationName(protocol, operation)) || isOfOpenFamily(protocol, operation));
}

/** OATF's name of an operation. Documents may also use the name of a later era. */
export function toOwnOperationName(protocol: Protocol, name: string): string {
  return (protocol === 'a2a' ? findOperationNamed1(name) : undefined) ?? name;
}

/** Whether an era no longer has a request that another era has. False for a request that no era has. */
export function isGoneInEra(protocol: Protocol, era: string, request: string): boolean {
  const eras = erasOfRequests.get(protocol)?.get(request);
  return eras !== undefined && !eras.some((each) => each === undefined || each === era);
}

/** The eras that have each client request. A map, because every message looks it up. */
const erasOfRequests = new Map<Protocol, Map<string, (string | undefined)[]>>();
for (const { protocol, name, kind, sender, era } of operations) {
  if (kind !== 'request' || sender !== 'client') continue;
  const ofProtocol = erasOfRequests.get(protocol) ?? new Map<string, (string | undefined)[]>();
  erasOfRequests.set(protocol, ofProtocol);
  ofProtocol.set(name, [...(ofProtocol.get(name) ?? []), era]);
}

/** Whether clients may send this request. Servers may send it too. */
export function isAskedByClients(protocol: Protocol, operation: string): boolean {
  return erasOfRequests.get(protocol)?.has(operation) ?? false;
}

/** Whether only servers may send this request. */
export function isAskedByServers(protocol: Protocol, operation: string): boolean {
  const senders = operations.flatMap((row) =>
    row.protocol === protocol && row.name === operation && row.kind === 'request' ? row.sender : [],
  );
  return senders.includes('server') && !senders.includes('client');
}

/** Whether a server sends this operation as an event of a stream, not as an answer. */
export function isStreamed(protocol: Protocol, operation: string): boolean {
  return (
    isHeardAsEvents(protocol) ||
    operations.some((row) => row.protocol === protocol && row.name === operation && row.kind === 'event')
  );
}
