/** Median milliseconds of several rounds; the first rounds only warm up. */
export function median(rounds: number, run: () => void): number {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    run();
    times.push(performance.now() - start);
  }
  const warm = times.slice(Math.floor(rounds / 3)).sort((a, b) => a - b);
  return warm[Math.floor(warm.length / 2)] ?? 0;
}

export interface Figure {
  readonly name: string;
  readonly value: string;
  /** The bound that the figure is held against, where there is one. */
  readonly bound?: string;
  readonly ok?: boolean;
}

export function ratio(name: string, ours: number, baseline: number, bound: number): Figure {
  const value = ours / baseline;
  return {
    name,
    value: `${value.toFixed(2)} × (${ours.toFixed(1)} ms against ${baseline.toFixed(1)} ms)`,
    bound: `≤ ${bound} ×`,
    ok: value <= bound,
  };
}
