/** How a command ended, in words; only main.ts knows the numbers. */
export type Exit =
  | 'ok'
  /** An attack succeeded, or a check found what it looks for. */
  | 'found'
  | 'undecided'
  | 'usage'
  | 'invalid'
  | 'unreadable'
  | 'unavailable'
  | 'fault'
  | 'interrupted'
  | 'terminated';

export interface Outcome {
  readonly exit: Exit;
  /** Code of the user's was loaded, and what it has left open must not keep the program from ending. */
  readonly mayLinger?: true;
}

export const ok: Outcome = { exit: 'ok' };

const gravest: readonly Exit[] = ['unavailable', 'unreadable', 'invalid', 'found', 'undecided', 'ok'];

/** Of many inputs, the gravest failure is told: what could not be read was not checked either. */
export function gravestOf(exits: Iterable<Exit>): Outcome {
  const seen = new Set(exits);
  return { exit: gravest.find((exit) => seen.has(exit)) ?? 'ok' };
}
