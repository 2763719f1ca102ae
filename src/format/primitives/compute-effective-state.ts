import type { Value } from '../model/value.ts';

/** The state in force in a phase: the whole state of the last phase, up to this one, that has any (format spec §5.2). */
export function computeEffectiveState(phases: readonly { readonly state?: Value }[], index: number): Value | undefined {
  return phases.slice(0, index + 1).findLast(({ state }) => state !== undefined && state !== null)?.state;
}
