import type { RunOutcome } from '../format/model/results-file.ts';

/** The outcome of a run that the caller cancelled before it began. */
export function createCancelledOutcome({ reason }: AbortSignal = AbortSignal.abort()): RunOutcome {
  const why = reason instanceof Error ? reason.message : String(reason);
  const cut = { cause: 'cut_off', reason: `the attack was cancelled: ${why}` } as const;
  return { outcome: 'inconclusive', ...cut, causes: [cut] };
}
