import type { Protocol } from '../model/enumerations.ts';
import { a2a1 } from './a2a/era.ts';
import { mcp2026 } from './mcp-2026.ts';

export interface ProtocolRow {
  /** What people call it. */
  readonly title: string;
  /** The version that each era begins with. OATF's own names are those of the first, which is meant where none is said. */
  readonly eras?: readonly string[];
  /** Whether all that a client hears are events of a run, and not answers to what it asked. */
  readonly isHeardAsEvents?: true;
  /** Families of operations that the protocol keeps adding to. */
  readonly openFamilies?: RegExp;
}

const protocols: ReadonlyMap<Protocol, ProtocolRow> = new Map<Protocol, ProtocolRow>([
  ['mcp', { title: 'MCP', eras: ['2024-11-05', mcp2026] }],
  ['a2a', { title: 'A2A', eras: ['0.3', a2a1] }],
  [
    'ag_ui',
    { title: 'AG-UI', isHeardAsEvents: true, openFamilies: /^(activity|reasoning|subagent|thinking)_/ },
  ],
]);

/** Protocols that the included bindings define. */
export function knownProtocols(): readonly Protocol[] {
  return [...protocols.keys()];
}

/** What people call a protocol; its own name where no included binding defines it. */
export function protocolTitle(protocol: Protocol): string {
  return protocols.get(protocol)?.title ?? protocol;
}

/** The eras of a protocol; none where it has but one. */
export function erasOf(protocol: Protocol): readonly string[] {
  return protocols.get(protocol)?.eras ?? [];
}

/** An era as people call it; one that is over is known by the one after it. */
export function eraInWords(protocol: Protocol, era: string): string {
  const eras = erasOf(protocol);
  const next = eras[eras.indexOf(era) + 1];
  return `${protocolTitle(protocol)} ${eras.includes(era) && next !== undefined ? `before ${next}` : era}`;
}

export function isHeardAsEvents(protocol: Protocol): boolean {
  return protocols.get(protocol)?.isHeardAsEvents ?? false;
}

export function isOfOpenFamily(protocol: Protocol, operation: string): boolean {
  return protocols.get(protocol)?.openFamilies?.test(operation) ?? false;
}
