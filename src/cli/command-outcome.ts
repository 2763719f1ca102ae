/** How a command ended, as a word; only main.ts knows the numbers. */
export type Exit =
  | 'ok'
  /** An attack succeeded, or a check found what it looks for. */
  | 'found'
  /** No attack succeeded, but not all are known to be resisted: a run was inconclusive, or ended with an error. */
  | 'undecided'
  /** The command line or the configuration is wrong. */
  | 'usage'
  /** A document is not valid. */
  | 'invalid'
  | 'unreadable'
  /** An agent could not be reached, an address could not be used, or a file could not be written. */
  | 'unavailable'
  /** A bug of ours. */
  | 'fault'
  | 'interrupted'
  | 'terminated';

export interface CommandOutcome {
  readonly exit: Exit;
  /**
   * Set if nothing that is still open may keep the process alive: the user's code was loaded and may have left resources
   * open, or output has a reader that does not read it.
   */
  readonly mayLinger?: true;
}

export const ok: CommandOutcome = { exit: 'ok' };

const mostSevere: readonly Exit[] = ['unavailable', 'unreadable', 'invalid', 'found', 'undecided', 'ok'];

/** Of several inputs, the most severe failure counts: an input that could not be read was not checked either. */
export function findMostSevereExit(exits: Iterable<Exit>): CommandOutcome {
  const seen = new Set(exits);
  return { exit: mostSevere.find((exit) => seen.has(exit)) ?? 'ok' };
}
