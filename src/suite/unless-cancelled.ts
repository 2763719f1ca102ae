import type { RunOutcome } from '../evaluate/delivery.ts';

/** What was broken off was not resisted, however little was left of it. */
export function unlessCancelled(outcome: RunOutcome, signal: AbortSignal | undefined): RunOutcome {
  const hasSucceeded = outcome.outcome === 'exploited' || outcome.outcome === 'partial';
  return signal === undefined || !signal.aborted || hasSucceeded ? outcome : cancelled(signal);
}

/** The outcome of a run that its caller has ended, or not let begin. */
export function cancelled({ reason }: AbortSignal): RunOutcome {
  const why = reason instanceof Error ? reason.message : String(reason);
  return { outcome: 'inconclusive', reason: `the attack was cancelled: ${why}` };
}
