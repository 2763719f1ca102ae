/** One part of the attacks, of `of` parts; `index` counts from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/**
 * The attacks of one shard, in their order. The longest is given to whoever has least to do so far, and so on down
 * (LPT): no shard takes more than 4/3 of what the best division would. Whoever knows the same durations divides alike.
 */
export function attacksOfShard(
  durations: readonly (number | undefined)[],
  { index, of }: Shard,
): readonly number[] {
  const known = durations.filter((duration) => duration !== undefined);
  // Of an attack that has never run, as much is expected as of the others.
  const usual = known.length === 0 ? 1 : known.reduce((sum, each) => sum + each, 0) / known.length;
  const longestFirst = durations
    .map((duration, attack) => ({ attack, duration: duration ?? usual }))
    .sort((a, b) => b.duration - a.duration || a.attack - b.attack);
  const loads = Array.from({ length: of }, () => ({ duration: 0, attacks: 0 }));
  const mine: number[] = [];
  for (const { attack, duration } of longestFirst) {
    const at = leastLoaded(loads);
    const load = loads[at];
    if (load === undefined) continue;
    load.duration += duration;
    load.attacks += 1;
    if (at === index - 1) mine.push(attack);
  }
  return mine.sort((a, b) => a - b);
}

/** Those that take no time at all are shared out by number. */
function leastLoaded(loads: readonly { readonly duration: number; readonly attacks: number }[]): number {
  let least = 0;
  for (const [at, { duration, attacks }] of loads.entries()) {
    const best = loads[least];
    if (best === undefined) continue;
    if (duration < best.duration || (duration === best.duration && attacks < best.attacks)) least = at;
  }
  return least;
}
