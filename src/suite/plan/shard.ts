/** One of `of` parts of the attacks; `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/**
 * Picks the attacks of one shard, in their order. The longest attack goes to the shard with the least work so far, and
 * so on (LPT): no shard takes more than 4/3 of the time of the best division. Machines that know the same durations
 * divide alike. Attacks with the same key stay together, as one long attack.
 */
export function selectShardAttacks(
  durations: readonly (number | undefined)[],
  { index, of }: Shard,
  keyOf: (attack: number) => string = String,
): readonly number[] {
  const known = durations.filter((duration) => duration !== undefined);
  // An attack that has never run is expected to take the average time.
  const usual = known.length === 0 ? 1 : known.reduce((sum, each) => sum + each, 0) / known.length;
  const units = new Map<string, { duration: number; readonly attacks: number[] }>();
  for (const [attack, duration = usual] of durations.entries()) {
    const unit = units.get(keyOf(attack)) ?? { duration: 0, attacks: [] };
    unit.duration += duration;
    unit.attacks.push(attack);
    units.set(keyOf(attack), unit);
  }
  // Sorting is stable, so among equally long ones the first of the plan comes first.
  const longestFirst = [...units.values()].sort((a, b) => b.duration - a.duration);
  const loads = Array.from({ length: of }, () => ({ duration: 0, attacks: 0 }));
  const mine: number[] = [];
  for (const { attacks, duration } of longestFirst) {
    const at = findLeastLoaded(loads);
    const load = loads[at];
    if (load === undefined) continue;
    load.duration += duration;
    load.attacks += attacks.length;
    if (at === index - 1) mine.push(...attacks);
  }
  return mine.sort((a, b) => a - b);
}

/** Attacks that take no time are divided by number. */
function findLeastLoaded(loads: readonly { readonly duration: number; readonly attacks: number }[]): number {
  let least = 0;
  for (const [at, { duration, attacks }] of loads.entries()) {
    const best = loads[least];
    if (best === undefined) continue;
    if (duration < best.duration || (duration === best.duration && attacks < best.attacks)) least = at;
  }
  return least;
}
