import type { Protocol } from '../model/enumerations.ts';

export interface ProtocolRow {
  /** What people call it. */
  readonly title: string;
  /** Whether all that a client hears are events of a run, and not answers to what it asked. */
  readonly isHeardAsEvents?: true;
  /** Families of operations that the protocol keeps adding to. */
  readonly openFamilies?: RegExp;
}

const protocols: ReadonlyMap<Protocol, ProtocolRow> = new Map<Protocol, ProtocolRow>([
  ['mcp', { title: 'MCP' }],
  ['a2a', { title: 'A2A' }],
  ['ag_ui', { title: 'AG-UI', isHeardAsEvents: true, openFamilies: /^(activity|reasoning|thinking)_/ }],
]);

/** Protocols that the included bindings define. */
export function knownProtocols(): readonly Protocol[] {
  return [...protocols.keys()];
}

/** What people call a protocol; its own name where no included binding defines it. */
export function protocolTitle(protocol: Protocol): string {
  return protocols.get(protocol)?.title ?? protocol;
}

export function isHeardAsEvents(protocol: Protocol): boolean {
  return protocols.get(protocol)?.isHeardAsEvents ?? false;
}

export function isOfOpenFamily(protocol: Protocol, operation: string): boolean {
  return protocols.get(protocol)?.openFamilies?.test(operation) ?? false;
}
