import type { Protocol } from '../../src/format/model/enumeration-types.ts';
import type { Role } from '../../src/format/registry/known-modes.ts';
import { a2aServed } from './a2a-served.ts';
import { a2aSpoken } from './a2a-spoken.ts';
import { agUiSpoken } from './ag-ui-spoken.ts';
import type { Era } from './frames.ts';
import { mcpServed } from './mcp-served.ts';
import { mcpSpoken } from './mcp-spoken.ts';
import type { Random } from './random.ts';

/** The result of one run against a hostile peer. */
export interface Batch {
  readonly recorded: number;
  readonly violations: readonly string[];
}

/** A way in which frames reach us: the transport, and our role in the protocol. */
export interface FrameRow {
  readonly protocol: Protocol;
  readonly wire: string;
  readonly role: Role;
  /** The eras of the protocol that this transport can carry; a single one if the protocol has no eras. */
  readonly eras: readonly Era[];
  /** Sends this many frames, and counts those that were recorded. */
  play(frames: number, random: Random, era: Era): Promise<Batch>;
}

/** All rows. A test checks that every transport of the product has one. */
export const frameRows: readonly FrameRow[] = [...mcpServed, ...a2aServed, ...mcpSpoken, ...a2aSpoken, ...agUiSpoken];

const names: { readonly [protocol: Protocol]: string } = { mcp: 'MCP', a2a: 'A2A', ag_ui: 'AG-UI' };

export function nameOf({ protocol, wire, role }: FrameRow): string {
  return `${names[protocol] ?? protocol}, ${wire}, ${role}`;
}
