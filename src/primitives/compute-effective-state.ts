import type { Value } from '../model/value.ts';

/** The state in force at a phase: the last one given at or before it, whole (§5.2). */
export function computeEffectiveState(
  phases: readonly { readonly state?: Value }[],
  index: number,
): Value | undefined {
  return phases.slice(0, index + 1).findLast(({ state }) => state !== undefined && state !== null)?.state;
}
