import {
  type AttackStatistics,
  type ComparedAttack,
  createAttackKey,
  isIncomplete,
  type OutcomeName,
  type Results,
} from '../../format/model/results-file.ts';

// Decides when the remaining repeats can no longer change whether an attack stays within its rate.

/** The repeats of an attack so far. */
export interface RepeatTally {
  readonly succeeded: number;
  readonly resisted: number;
  /** Repeats that were inconclusive or ended in an error. */
  readonly unjudged: number;
}

export const nothingYet: RepeatTally = { succeeded: 0, resisted: 0, unjudged: 0 };

export function addToTally(tally: RepeatTally, outcome: OutcomeName): RepeatTally {
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
 * unjudged repeats had succeeded. `undecided`: all other cases.
 */
export type SuiteStatus = 'within' | 'exceeded' | 'undecided';

export function compareWithMaxRate({ succeeded, resisted, unjudged }: RepeatTally, maxRate: number): SuiteStatus {
  if (isAboveRate(succeeded, succeeded + resisted, maxRate)) return 'exceeded';
  return isAboveRate(succeeded + unjudged, succeeded + resisted + unjudged, maxRate) ? 'undecided' : 'within';
}

/** Floating-point tolerance: 0.29 × 100 is a little less than 29. */
const rounding = 1e-9;

function isAboveRate(count: number, of: number, rate: number): boolean {
  return count > rate * of + rounding;
}

/**
 * The least number of further repeats that can decide whether the rate is kept; 0 when that is decided now. If only
 * this many repeats begin at once, all of them are needed: they may run in parallel, and are the same ones that would
 * have run one after the other.
 */
export function countRepeatsToSettle(tally: RepeatTally, maxRate: number, repeats: number): number {
  const { succeeded, resisted, unjudged } = tally;
  const left = repeats - succeeded - resisted - unjudged;
  // Exceeded for good: even if all others are resisted.
  const toExceed = countMostWithin(maxRate, repeats - unjudged) + 1 - succeeded;
  // Within for good: even if none of the others is resisted.
  const toStayWithin = succeeded + unjudged + left - countMostWithin(maxRate, repeats);
  // An attack that has never run is not decided, even if every rate is accepted.
  const least = left === repeats ? 1 : 0;
  return Math.min(left, Math.max(least, Math.min(toExceed, toStayWithin)));
}

function countMostWithin(rate: number, of: number): number {
  return Math.floor(rate * of + rounding);
}

/** What results say together with the accepted rates and the baseline. */
export function findSuiteStatus(results: Results): SuiteStatus {
  const { statistics, baseline } = results;
  const compared = new Map(baseline?.attacks.map((attack) => [createAttackKey(attack), attack]));
  const statuses = new Set(
    statistics.attacks.map((attack) => findAttackStatus(attack, compared.get(createAttackKey(attack)))),
  );
  if (statuses.has('exceeded')) return 'exceeded';
  return isIncomplete(results) || statuses.has('undecided') ? 'undecided' : 'within';
}

function findAttackStatus(attack: AttackStatistics, compared: ComparedAttack | undefined): SuiteStatus {
  const { inconclusive, error } = attack.outcomes;
  const { count, of } = attack.failures ?? attack.success;
  const tally = { succeeded: count, resisted: of - count, unjudged: inconclusive + error };
  if (compared?.change === 'unchanged' || compared?.change === 'fixed') return 'within';
  // An attack that differs from its entry without being better needs a person to look at it.
  const isOther = compared?.change === 'unexpected' && compared.expected !== null;
  return isOther ? 'undecided' : compareWithMaxRate(tally, attack.max_rate);
}
