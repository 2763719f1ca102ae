import { isSuccess, type OutcomeName } from '../format/model/results-file.ts';
import { createPairKey } from './plan/pairs.ts';
import type { PlannedAttack } from './plan/plan.ts';
import { addToTally, countRepeatsToSettle, nothingYet, type RepeatTally } from './statistics/decided-early.ts';
import { isTwin } from './statistics/statistics.ts';

// Which repeats of an attack are still needed. With early stopping, those that cannot change whether its rate is accepted
// are not. But an attack with a match waits for its benign twin, and if that has a match too, every repeat of both is
// needed: only they tell whether the attack caused it.

/** A repeat that is over. */
export interface FinishedRepeat {
  readonly repeat: number;
  readonly outcome: OutcomeName;
  /** Whether an indicator matched, at whatever tier. Default: if the outcome is a success. */
  readonly isMatch?: boolean | undefined;
}

/** The attacks of a schedule, and what decides how often each is played. */
export interface RepeatRules {
  readonly attacks: readonly PlannedAttack[];
  readonly repeat: number;
  /** The repeats of an attack that finished earlier. */
  done?(attack: PlannedAttack): readonly FinishedRepeat[];
  /** Whether repeats are skipped once the status of an attack is decided early. */
  readonly earlyStop: boolean;
}

/** The repeats of an attack. */
export interface AttackRepeats {
  readonly attack: PlannedAttack;
  /** The repeats that have not begun. */
  readonly queue: readonly number[];
  readonly inFlight: number;
  readonly tally: RepeatTally;
  readonly hasMatch: boolean;
  /** The place in the list of its benign twin, or of the attack whose twin this is. */
  readonly partner: number | undefined;
  readonly isClosed: boolean;
}

export function beginAttacks(rules: RepeatRules): readonly AttackRepeats[] {
  const places = rules.attacks.map((attack, at) => ({ at, key: createPairKey(attack), isTwin: isTwin(attack) }));
  const attackOf = new Map(places.flatMap((place) => (place.isTwin ? [] : [[place.key, place.at]])));
  const twinOf = new Map(places.flatMap((place) => (place.isTwin ? [[place.key, place.at]] : [])));
  const states = rules.attacks.map((attack): AttackRepeats => {
    const done = rules.done?.(attack) ?? [];
    const repeats = new Set(done.map(({ repeat }) => repeat));
    const all = Array.from({ length: rules.repeat }, (_, index) => index + 1);
    const begun: AttackRepeats = {
      attack,
      queue: all.filter((each) => !repeats.has(each)),
      inFlight: 0,
      tally: nothingYet,
      hasMatch: false,
      partner: (isTwin(attack) ? attackOf : twinOf).get(createPairKey(attack)),
      isClosed: false,
    };
    return done.reduce(addRepeat, begun);
  });
  return states.map((_, at) => dropNeedless(states, at, rules));
}

/** Counts a repeat that is over. */
export function addRepeat(
  state: AttackRepeats,
  { outcome, isMatch = isSuccess({ outcome }) }: Omit<FinishedRepeat, 'repeat'>,
): AttackRepeats {
  return { ...state, tally: addToTally(state.tally, outcome), hasMatch: state.hasMatch || isMatch };
}

/** Drops the remaining repeats of an attack if none of them is needed any more. */
export function dropNeedless(states: readonly AttackRepeats[], at: number, rules: RepeatRules): AttackRepeats {
  const state = states[at] as AttackRepeats;
  return decideNeed(states, state, rules) === 'none' ? { ...state, queue: [] } : state;
}

/** Whether a repeat of the attack has not begun. */
export function isOpen({ queue }: AttackRepeats): boolean {
  return queue.length > 0;
}

/** Whether the next repeat of an attack may begin while others are in flight. */
export function mayBegin(states: readonly AttackRepeats[], state: AttackRepeats, rules: RepeatRules): boolean {
  const need = decideNeed(states, state, rules);
  return need === 'all' || (typeof need === 'number' && state.inFlight < need);
}

/**
 * Whether everything that can be known of an attack so far is known: one with a match is judged together with its benign
 * twin. `ending` is the number of runs in flight that are over, but still counted.
 */
export function isPairKnown(states: readonly AttackRepeats[], attack: AttackRepeats, ending: number): boolean {
  const twin = findTwin(states, attack);
  return twin === undefined || !attack.hasMatch || (!isOpen(twin) && twin.inFlight <= ending);
}

/** The number of repeats that are needed at least; all that are left; none; or that depends on the benign twin. */
function decideNeed(
  states: readonly AttackRepeats[],
  state: AttackRepeats,
  { earlyStop, repeat }: RepeatRules,
): number | 'all' | 'none' | 'open' {
  const maxRate = earlyStop ? state.attack.document.max_rate : undefined;
  if (maxRate === undefined) return 'all';
  const twin = findTwin(states, state);
  if (state.hasMatch && twin?.hasMatch) return 'all';
  const least = countRepeatsToSettle(state.tally, maxRate, repeat);
  if (least > 0) return least;
  return isPairKnown(states, state, 0) ? 'none' : 'open';
}

function findTwin(states: readonly AttackRepeats[], { attack, partner }: AttackRepeats): AttackRepeats | undefined {
  return isTwin(attack) || partner === undefined ? undefined : states[partner];
}
