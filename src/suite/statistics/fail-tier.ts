import type { Tier } from '../../format/model/enumeration-types.ts';
import type { OutcomeName, RunEntry } from '../../format/model/results-file.ts';

// The tier from which a match fails the suite. Outcomes keep their names; only the status changes.

/** The tiers, from the least to the most severe. */
export const tiers: readonly Tier[] = ['ingested', 'local_action', 'boundary_breach'];

/** Whether a run succeeded, but below the tier that fails. */
export function isTolerated(
  { outcome, tier = 'boundary_breach' }: Pick<RunEntry, 'outcome' | 'tier'>,
  failTier: Tier | undefined,
): boolean {
  if (failTier === undefined || (outcome !== 'exploited' && outcome !== 'partial')) return false;
  return tiers.indexOf(tier) < tiers.indexOf(failTier);
}

/** The outcome of a run when rates are checked: a tolerated run has not failed. */
export function toCountedOutcome(run: Pick<RunEntry, 'outcome' | 'tier'>, failTier: Tier | undefined): OutcomeName {
  return isTolerated(run, failTier) ? 'resisted' : run.outcome;
}
