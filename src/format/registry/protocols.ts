import type { Protocol } from '../model/enumeration-types.ts';
import { a2a1 } from './a2a/a2a-era.ts';
import { mcp2026 } from './mcp-2026.ts';

export interface ProtocolRow {
  /** The name for people. */
  readonly title: string;
  /** The first version of each era. OATF's own names are those of the first era, which is the default. */
  readonly eras?: readonly string[];
  /** Set if a client receives only events of a run, not answers to its requests. */
  readonly isHeardAsEvents?: true;
  /** Families of operations to which the protocol keeps adding. */
  readonly openFamilies?: RegExp;
}

const protocols: ReadonlyMap<Protocol, ProtocolRow> = new Map<Protocol, ProtocolRow>([
  ['mcp', { title: 'MCP', eras: ['2024-11-05', mcp2026] }],
  ['a2a', { title: 'A2A', eras: ['0.3', a2a1] }],
  ['ag_ui', { title: 'AG-UI', isHeardAsEvents: true, openFamilies: /^(activity|reasoning|subagent|thinking)_/ }],
]);

/** The protocols that the included bindings define. */
export function knownProtocols(): readonly Protocol[] {
  return [...protocols.keys()];
}

/** The name of a protocol for people. A protocol that no included binding defines keeps its own name. */
export function formatProtocolTitle(protocol: Protocol): string {
  return protocols.get(protocol)?.title ?? protocol;
}

/** The eras of a protocol; empty if it has only one. */
export function listEras(protocol: Protocol): readonly string[] {
  return protocols.get(protocol)?.eras ?? [];
}

/** The name of an era for people. An era that has ended is named by its successor: "MCP before 2026-07-28". */
export function formatEra(protocol: Protocol, era: string): string {
  const eras = listEras(protocol);
  const next = eras[eras.indexOf(era) + 1];
  return `${formatProtocolTitle(protocol)} ${eras.includes(era) && next !== undefined ? `before ${next}` : era}`;
}

export function isHeardAsEvents(protocol: Protocol): boolean {
  return protocols.get(protocol)?.isHeardAsEvents ?? false;
}

export function isOfOpenFamily(protocol: Protocol, operation: string): boolean {
  return protocols.get(protocol)?.openFamilies?.test(operation) ?? false;
}
