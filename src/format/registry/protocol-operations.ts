import table from '../../../data/protocol-operations.json' with { type: 'json' };
import type { Mode, Protocol } from '../model/enumeration-types.ts';
import { findOperationNamed1 } from './a2a/a2a-era.ts';
import { getProtocol, getRole, knownModes, type Role } from './known-modes.ts';
import { isHeardAsEvents, isOfOpenFamily, knownProtocols } from './protocols.ts';

// The operations of each protocol (format spec §7), against which V-018 and V-029 check documents. The sender and kind of an
// operation decide which modes have it as an event. Unlisted names only warn, since protocols grow faster than this table.

interface OperationRow {
  readonly protocol: Protocol;
  /** The side that sends the operations. Those that both sides may send have a row for each. */
  readonly sender: Role;
  readonly kind: 'request' | 'notification' | 'event';
  /** The only era that has the operations. Default: every era has them. */
  readonly era?: string;
  readonly names: readonly string[];
}

interface Operation extends Omit<OperationRow, 'names'> {
  readonly name: string;
}

const operations = (table as readonly OperationRow[]).flatMap(({ names, ...row }) =>
  names.map((name): Operation => ({ ...row, name })),
);

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
