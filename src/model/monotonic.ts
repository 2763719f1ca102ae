// Every platform has it, and the types of the language alone lack it.

const platform = globalThis as unknown as { readonly performance: { now(): number } };

/** Milliseconds of a clock that nobody sets: what is measured by the time of day ends early, or never, when that jumps. */
export function monotonicMs(): number {
  return platform.performance.now();
}
