/** Every platform has it, and the types of the language alone lack it. */
declare const performance: { now(): number };

/** Milliseconds of a clock that nobody sets: what is measured by the time of day ends early, or never, when that jumps. */
export function monotonicMs(): number {
  return performance.now();
}

/** How long it is until then; nothing once it is past. */
export function msUntil(then: number): number {
  return Math.max(0, then - monotonicMs());
}
