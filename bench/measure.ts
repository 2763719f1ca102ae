/** Milliseconds of two programs, run in turns so that a busy machine slows both; the first rounds warm up. */
export function inTurns(
  rounds: number,
  ours: () => void,
  baseline: () => void,
): { readonly ours: number; readonly baseline: number } {
  const times = { ours: [] as number[], baseline: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.ours.push(timed(ours));
    times.baseline.push(timed(baseline));
  }
  const warm = Math.floor(rounds / 3);
  return { ours: middle(times.ours.slice(warm)), baseline: middle(times.baseline.slice(warm)) };
}

function timed(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

function middle(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}

export interface Figure {
  readonly name: string;
  readonly value: string;
  /** The bound that the figure is held against, where there is one. */
  readonly bound?: string;
  readonly ok?: boolean;
}

export function ratio(
  name: string,
  { ours, baseline }: { readonly ours: number; readonly baseline: number },
  bound: number,
): Figure {
  const value = ours / baseline;
  return {
    name,
    value: `${value.toFixed(2)} × (${ours.toFixed(1)} ms against ${baseline.toFixed(1)} ms)`,
    bound: `≤ ${bound} ×`,
    ok: value <= bound,
  };
}
