/** One of `of` parts of the attacks; `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/**
 * Picks the attacks of one shard, in their order. The longest attack goes to the shard with the least work so far, and
 * so on (LPT): no shard takes more than 4/3 of the time of the best division. Machines that know the same durations
 * divide alike.
 */
export function selectShardAttacks(
  durations: readonly (number | undefined)[],
  { index, of }: Shard,
): readonly number[] {
  const known = durations.filter((duration) => duration !== undefined);
  // An attack that has never run is expected to take the average time.
  const usual = known.length === 0 ? 1 : known.reduce((sum, each) => sum + each, 0) / known.length;
  const longestFirst = durations
    .map((duration, attack) => ({ attack, duration: duration ?? usual }))
    .sort((a, b) => b.duration - a.duration || a.attack - b.attack);
  const loads = Array.from({ length: of }, () => ({ duration: 0, attacks: 0 }));
  const mine: number[] = [];
  for (const { attack, duration } of longestFirst) {
    const at = findLeastLoaded(loads);
    const load = loads[at];
    if (load === undefined) continue;
    load.duration += duration;
    load.attacks += 1;
    if (at === index - 1) mine.push(attack);
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
