// The kinds of pieces that documents put on the wire, a row each; and the surfaces of an agent that they need.

/** What not every agent has: the names that `without` of a target takes. docs/configuration.md says what each is. */
export const surfaceNames = [
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
 * Whether the agent's messages show that it has a surface. Where none does, what was written out may never have got further
 * than the agent's client.
 */
export function isSeenInUse(surface: string): boolean {
  return surface !== 'instructions' && surface !== 'progress';
}

export interface PieceKind {
  /**
   * What is asked for where a document does not mark its attack: of each server actor what it lists, of each kind of
   * answer at least one, of each client actor all that it says.
   */
  readonly group: 'listed' | 'answer' | 'said' | 'notice' | 'other' | 'manner';
  /** How its absence is told, behind its label. */
  readonly missing: string;
  /** The surface that an agent must have for it, as `without` in a configuration names it. */
  readonly surface?: SurfaceName;
  /** The capability that a client must have declared for it. */
  readonly capability?: string;
}

const neverSent = 'was never sent';

export const pieceKinds = {
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
  roots: { group: 'other', missing: 'were never asked for' },
  elicitation_response: { group: 'other', missing: 'was never given' },
  sampling_response: { group: 'other', missing: 'was never given' },
  message: { group: 'said', missing: 'was never heard' },
  history: { group: 'said', missing: 'was never heard' },
  attachment: { group: 'said', missing: 'was never heard' },
  context: { group: 'said', missing: 'was never heard' },
  frontend_tool: { group: 'said', missing: 'was never offered' },
  run_state: { group: 'said', missing: 'was never heard' },
  forwarded_props: { group: 'said', missing: 'were never heard' },
  resume: { group: 'said', missing: neverSent },
  interrupt_response: { group: 'other', missing: 'was never given' },
  tool_result: { group: 'other', missing: 'was never given' },
  entry_request: { group: 'said', missing: 'was never sent and understood' },
  entry_notification: { group: 'notice', missing: neverSent },
  /** How something is sent. Nothing asks for it but a mark. */
  wire_rule: { group: 'manner', missing: 'was never applied' },
  push: { group: 'notice', missing: neverSent, surface: 'push' },
} as const satisfies { readonly [kind: string]: PieceKind };

export type PieceKindName = keyof typeof pieceKinds;

const ofThirdParties: PieceKind = { group: 'other', missing: neverSent };

/** The row of a kind; kinds that a third-party binding defines ask for nothing by themselves. */
export function pieceKind(kind: string): PieceKind {
  return Object.hasOwn(pieceKinds, kind) ? pieceKinds[kind as PieceKindName] : ofThirdParties;
}

/** An agent that never lists twice does not see what a later phase lists. */
export const listChanges: SurfaceName = 'list-changes';
