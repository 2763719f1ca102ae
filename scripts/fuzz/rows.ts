import type { Protocol } from '../../src/model/enumerations.ts';
import type { Role } from '../../src/registry/modes.ts';
import { a2aServed } from './a2a-served.ts';
import { a2aSpoken } from './a2a-spoken.ts';
import { agUiSpoken } from './ag-ui-spoken.ts';
import type { Era } from './frames.ts';
import { mcpServed } from './mcp-served.ts';
import { mcpSpoken } from './mcp-spoken.ts';
import type { Random } from './random.ts';

/** One run against a hostile peer. */
export interface Batch {
  readonly recorded: number;
  readonly violations: readonly string[];
}

/** A way in which frames reach us: what carries them, and which side of the protocol is ours. */
export interface FrameRow {
  readonly protocol: Protocol;
  readonly wire: string;
  readonly role: Role;
  /** The eras of its protocol that can be spoken over it; one where there are none. */
  readonly eras: readonly Era[];
  /** Sends so many frames, and says how many got to be recorded. */
  play(frames: number, random: Random, era: Era): Promise<Batch>;
}

/** A test holds them against what the product can be reached by. */
export const frameRows: readonly FrameRow[] = [
  ...mcpServed,
  ...a2aServed,
  ...mcpSpoken,
  ...a2aSpoken,
  ...agUiSpoken,
];

const names: { readonly [protocol: Protocol]: string } = { mcp: 'MCP', a2a: 'A2A', ag_ui: 'AG-UI' };

export function nameOf({ protocol, wire, role }: FrameRow): string {
  return `${names[protocol] ?? protocol}, ${wire}, ${role}`;
}
