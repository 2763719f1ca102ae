import { wireKey } from '../model/applied-wire-rule.ts';
import type { NormalizedActor, NormalizedExecution } from '../model/normalized.ts';
import { getOwnValue, type Value, type ValueMap } from '../model/value.ts';
import { parseDuration } from './parse-duration.ts';

/** The state in force in a phase: the whole state of the last phase, up to this one, that has any (format spec §5.2). */
export function computeEffectiveState(phases: readonly { readonly state?: Value }[], index: number): Value | undefined {
  return phases.slice(0, index + 1).findLast(({ state }) => state !== undefined && state !== null)?.state;
}

/**
 * The value that a phase has under one of our extension keys. In the single-phase form the key stands beside the state, in
 * the execution. A user that the run added (its name begins with `@`, unlike any in a document) does not change the form.
 */
export function readPhaseExtension(
  { actors, extensions }: NormalizedExecution,
  { name, phases }: NormalizedActor,
  index: number,
  key: string,
): Value | undefined {
  const isSingle = phases.length === 1 && actors.every((actor) => actor.name === name || actor.name.startsWith('@'));
  return (
    getOwnValue((phases[index]?.extensions ?? {}) as ValueMap, key) ??
    (isSingle && !name.startsWith('@') ? getOwnValue((extensions ?? {}) as ValueMap, key) : undefined)
  );
}

/** The `x-wire` rules that a phase itself writes. */
export function readWrittenWire(
  execution: NormalizedExecution,
  actor: NormalizedActor,
  index: number,
): Value | undefined {
  return readPhaseExtension(execution, actor, index, wireKey);
}

/**
 * The index of the phase whose rules are in force; -1 if there is none. Rules are inherited like state, and an empty list
 * ends them.
 */
export function findWireStart(execution: NormalizedExecution, actor: NormalizedActor, index: number): number {
  for (let at = index; at >= 0; at -= 1) if (readWrittenWire(execution, actor, at) !== undefined) return at;
  return -1;
}

/** The milliseconds of `250ms`, or of any duration of the format. */
export function parseWireMs(text: Value | undefined): number | undefined {
  if (typeof text !== 'string') return undefined;
  const [, ms] = /^(\d{1,9})ms$/.exec(text) ?? [];
  if (ms !== undefined) return Number(ms);
  const seconds = parseDuration(text);
  return typeof seconds === 'number' ? seconds * 1_000 : undefined;
}
