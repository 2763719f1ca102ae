/** Every platform has `performance`, but the types of the language alone do not. */
declare const performance: { now(): number };

/**
 * Milliseconds of a clock that cannot be set. A limit that is measured by the time of day ends early, or never, when
 * that changes.
 */
export function readMonotonicMs(): number {
  return performance.now();
}
