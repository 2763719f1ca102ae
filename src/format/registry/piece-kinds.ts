import table from '../../../data/piece-kinds.json' with { type: 'json' };
import { getOwnValue } from '../model/value.ts';

// The kinds of pieces that documents put on the wire, and the surfaces of an agent that they need.

/** Surfaces that an agent may lack: the names that a target's `without` accepts. docs/reference/configuration.md explains each. */
export const surfaceNames = [
  'mcp',
  'a2a',
  'ag-ui',
  'tools',
  'resources',
  'prompts',
  'instructions',
  'elicitation',
  'sampling',
  'progress',
  'list-changes',
  'push',
] as const;

/** A way by which an attack reaches an agent, as `without` in a configuration names it. */
export type SurfaceName = (typeof surfaceNames)[number];

/**
 * Whether an agent's messages show that it has a surface. If not, a sent piece may have got no further than the agent's
 * client.
 */
export function isSeenInUse(surface: string): boolean {
  return surface !== 'instructions' && surface !== 'progress' && surface !== 'ag-ui';
}

export interface PieceKind {
  /**
   * Says what is needed if a document does not mark its attack: all that each server actor lists (`listed`), at least one of
   * each kind of answer (`answer`), all that each client actor says (`said`).
   */
  readonly group: 'listed' | 'answer' | 'said' | 'notice' | 'other' | 'manner';
  /** Says in messages, after the label, how the piece is missing. */
  readonly missing: string;
  /** The surface that the agent must have, as `without` in a configuration names it. */
  readonly surface?: SurfaceName;
  /** The capability that the client must have declared. */
  readonly capability?: string;
}

export type PieceKindName = keyof typeof table;

const pieceKinds = table as { readonly [kind: string]: PieceKind };

const ofThirdParties: PieceKind = { group: 'other', missing: 'was never sent' };

/** The row of a kind. A kind of a third-party binding is never needed by inference. */
export function findPieceKind(kind: string): PieceKind {
  return getOwnValue<PieceKind>(pieceKinds, kind) ?? ofThirdParties;
}

/** The surface of agents that list again. Without it, an agent does not see what a later phase lists. */
export const listChanges: SurfaceName = 'list-changes';
