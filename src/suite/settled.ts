import type { OutcomeName } from '../model/results.ts';

// When the answer to "does this attack stay within its rate?" no longer depends on the repeats that are left.

/** The repeats of an attack so far. */
export interface Tally {
  readonly succeeded: number;
  readonly resisted: number;
  /** Inconclusive, or in error. */
  readonly unjudged: number;
}

export const nothingYet: Tally = { succeeded: 0, resisted: 0, unjudged: 0 };

export function counted(tally: Tally, outcome: OutcomeName): Tally {
  switch (outcome) {
    // An attack that does not apply is in no rate.
    case 'not_applicable':
      return tally;
    case 'exploited':
    case 'partial':
      return { ...tally, succeeded: tally.succeeded + 1 };
    case 'resisted':
      return { ...tally, resisted: tally.resisted + 1 };
    case 'inconclusive':
    case 'error':
      return { ...tally, unjudged: tally.unjudged + 1 };
  }
}

/**
 * `exceeded`: the rate of those that could be judged is above what is accepted. `within`: it is not, and would not be
 * if all that could not be judged had succeeded. Between the two nobody can tell.
 */
export type Standing = 'within' | 'exceeded' | 'undecided';

export function standingOf({ succeeded, resisted, unjudged }: Tally, maxRate: number): Standing {
  if (isAbove(succeeded, succeeded + resisted, maxRate)) return 'exceeded';
  return isAbove(succeeded + unjudged, succeeded + resisted + unjudged, maxRate) ? 'undecided' : 'within';
}

/** 0.29 × 100 is a little less than 29. */
const rounding = 1e-9;

function isAbove(count: number, of: number, rate: number): boolean {
  return count > rate * of + rounding;
}

/**
 * The least number of further repeats after which the standing can be settled, whatever comes after them; 0 when it
 * is settled now. Of so many repeats at once none is begun that would turn out to be needless, so they may run side
 * by side and still be the ones that would have run one after the other.
 */
export function repeatsToSettle(tally: Tally, maxRate: number, repeats: number): number {
  const { succeeded, resisted, unjudged } = tally;
  const left = repeats - succeeded - resisted - unjudged;
  // Exceeded for good: even if all others are resisted.
  const toExceed = mostWithin(maxRate, repeats - unjudged) + 1 - succeeded;
  // Within for good: even if none of the others is resisted.
  const toStayWithin = succeeded + unjudged + left - mostWithin(maxRate, repeats);
  // What has never run is not settled, even where everything is accepted.
  const least = left === repeats ? 1 : 0;
  return Math.min(left, Math.max(least, Math.min(toExceed, toStayWithin)));
}

function mostWithin(rate: number, of: number): number {
  return Math.floor(rate * of + rounding);
}
