/** The milliseconds of two programs, run in turns so that a busy machine slows both; the first rounds warm up. */
export function inTurns(rounds: number, ours: () => void, baseline: () => void): Measured {
  return measuredInTurns(
    rounds,
    () => timed(ours),
    () => timed(baseline),
  );
}

/** The same for programs that measure themselves. */
export function measuredInTurns(rounds: number, ours: () => number, baseline: () => number): Measured {
  const times = { ours: [] as number[], baseline: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.ours.push(ours());
    times.baseline.push(baseline());
  }
  const warm = Math.floor(rounds / 3);
  return { ours: middle(times.ours.slice(warm)), baseline: middle(times.baseline.slice(warm)) };
}

export interface Measured {
  readonly ours: number;
  readonly baseline: number;
}

function timed(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

export function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

export interface Figure {
  readonly name: string;
  readonly value: string;
  /** The bound of the figure, if it has one. */
  readonly bound?: string;
  readonly ok?: boolean;
}

export function ratio(name: string, { ours, baseline }: Measured, bound: number): Figure {
  const value = ours / baseline;
  return {
    name,
    value: `${value.toFixed(2)} × (${ours.toFixed(1)} ms against ${baseline.toFixed(1)} ms)`,
    bound: `≤ ${bound} ×`,
    ok: value <= bound,
  };
}
