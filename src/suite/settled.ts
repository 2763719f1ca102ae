import type { OutcomeName } from '../model/results.ts';

// Decides when the remaining repeats can no longer change whether an attack stays within its rate.

/** The repeats of an attack so far. */
export interface Tally {
  readonly succeeded: number;
  readonly resisted: number;
  /** Repeats that were inconclusive or ended in an error. */
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
 * `exceeded`: the rate among the judged repeats is above the accepted one. `within`: it is not, and would not be if all
 * unjudged repeats had succeeded. `undecided`: neither can be said.
 */
export type Standing = 'within' | 'exceeded' | 'undecided';

export function standingOf({ succeeded, resisted, unjudged }: Tally, maxRate: number): Standing {
  if (isAbove(succeeded, succeeded + resisted, maxRate)) return 'exceeded';
  return isAbove(succeeded + unjudged, succeeded + resisted + unjudged, maxRate) ? 'undecided' : 'within';
}

/** Floating-point tolerance: 0.29 × 100 is a little less than 29. */
const rounding = 1e-9;

function isAbove(count: number, of: number, rate: number): boolean {
  return count > rate * of + rounding;
}

/**
 * The least number of further repeats after which the standing can be settled; 0 when it is settled now. If only this
 * many repeats begin at once, none of them is needless, so they may run in parallel and are still the ones that would
 * have run one after the other.
 */
export function repeatsToSettle(tally: Tally, maxRate: number, repeats: number): number {
  const { succeeded, resisted, unjudged } = tally;
  const left = repeats - succeeded - resisted - unjudged;
  // Exceeded for good: even if all others are resisted.
  const toExceed = mostWithin(maxRate, repeats - unjudged) + 1 - succeeded;
  // Within for good: even if none of the others is resisted.
  const toStayWithin = succeeded + unjudged + left - mostWithin(maxRate, repeats);
  // An attack that has never run is not settled, even if every rate is accepted.
  const least = left === repeats ? 1 : 0;
  return Math.min(left, Math.max(least, Math.min(toExceed, toStayWithin)));
}

function mostWithin(rate: number, of: number): number {
  return Math.floor(rate * of + rounding);
}
