import { isEvaluationError } from '../../format/model/errors.ts';
import type { DisguisedMatch } from '../../format/model/extension-points.ts';
import type { IndicatorOutcome } from './indicator-outcome.ts';
import type { MessageView } from './message-view.ts';
import type { IndicatorTrack } from './track.ts';

// Texts that hold our words and the agent's. They are looked at whole before ours are taken out: what matches then, and not in
// our words alone, reaches beyond them, so it is the agent's.

export function runOnMixed({ run }: IndicatorTrack, view: MessageView, outcome: IndicatorOutcome): IndicatorOutcome {
  if (outcome.result === 'matched' && !outcome.match?.own) return outcome;
  for (const { whole, ours } of view.mixed()) {
    const together = run(whole);
    if (together.result !== 'matched' || together.match?.own) continue;
    if (run(ours).result !== 'matched') return together;
  }
  return outcome;
}

/** The same behind disguises. */
export function findInMixed(
  { searchOnce }: IndicatorTrack,
  view: MessageView,
  source: string,
): DisguisedMatch | undefined {
  if (searchOnce === undefined) return undefined;
  for (const { whole, ours } of view.mixed()) {
    const together = searchOnce(whole.message, source);
    if (together === undefined || isEvaluationError(together)) continue;
    const alone = searchOnce(ours.message, source);
    if (alone === undefined || isEvaluationError(alone)) return together;
  }
  return undefined;
}
