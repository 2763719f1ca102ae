// The table of the kinds of pieces that documents put on the wire, and the surfaces of an agent that they need.

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

/** The name of a surface. */
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

const neverSent = 'was never sent';

const pieceKinds = {
  tool: { group: 'listed', missing: 'was never listed', surface: 'tools' },
  resource: { group: 'listed', missing: 'was never listed', surface: 'resources' },
  resource_template: { group: 'listed', missing: 'was never listed', surface: 'resources' },
  prompt: { group: 'listed', missing: 'was never listed', surface: 'prompts' },
  instructions: { group: 'listed', missing: 'were never fetched', surface: 'instructions' },
  card: { group: 'listed', missing: 'was never fetched' },
  server_info: { group: 'other', missing: 'was never fetched' },
  client_info: { group: 'other', missing: neverSent },
  capabilities: { group: 'other', missing: 'were never sent' },
  protocol_version: { group: 'other', missing: neverSent },
  tool_response: { group: 'answer', missing: 'was never given', surface: 'tools' },
  resource_content: { group: 'answer', missing: 'was never read', surface: 'resources' },
  prompt_response: { group: 'answer', missing: 'was never fetched', surface: 'prompts' },
  task_response: { group: 'answer', missing: 'was never given' },
  elicitation: {
    group: 'answer',
    missing: 'was never asked and understood',
    surface: 'elicitation',
    capability: 'elicitation',
  },
  sampling_request: {
    group: 'answer',
    missing: 'was never asked and understood',
    surface: 'sampling',
    capability: 'sampling',
  },
  log_message: { group: 'other', missing: neverSent },
  progress: { group: 'other', missing: neverSent, surface: 'progress' },
  action: { group: 'said', missing: 'was never sent and understood' },
  roots: { group: 'answer', missing: 'were never asked for' },
  elicitation_response: { group: 'answer', missing: 'was never given' },
  sampling_response: { group: 'answer', missing: 'was never given' },
  message: { group: 'said', missing: 'was never heard' },
  history: { group: 'said', missing: 'was never heard', surface: 'ag-ui' },
  attachment: { group: 'said', missing: 'was never heard', surface: 'ag-ui' },
  context: { group: 'said', missing: 'was never heard' },
  frontend_tool: { group: 'said', missing: 'was never offered', surface: 'ag-ui' },
  run_state: { group: 'said', missing: 'was never heard' },
  forwarded_props: { group: 'said', missing: 'were never heard' },
  resume: { group: 'said', missing: neverSent, surface: 'ag-ui' },
  interrupt_response: { group: 'other', missing: 'was never given', surface: 'ag-ui' },
  tool_result: { group: 'answer', missing: 'was never given', surface: 'ag-ui' },
  entry_request: { group: 'said', missing: 'was never sent and understood' },
  entry_notification: { group: 'notice', missing: neverSent },
  /** A rule for how a message is sent. It is needed only if a mark names it. */
  wire_rule: { group: 'manner', missing: 'was never applied' },
  push: { group: 'notice', missing: neverSent, surface: 'push' },
} as const satisfies { readonly [kind: string]: PieceKind };

export type PieceKindName = keyof typeof pieceKinds;

const ofThirdParties: PieceKind = { group: 'other', missing: neverSent };

/** The row of a kind. A kind of a third-party binding is never needed by inference. */
export function findPieceKind(kind: string): PieceKind {
  return Object.hasOwn(pieceKinds, kind) ? pieceKinds[kind as PieceKindName] : ofThirdParties;
}

/** The surface of agents that list again. Without it, an agent does not see what a later phase lists. */
export const listChanges: SurfaceName = 'list-changes';
