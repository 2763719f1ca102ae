import type { NormalizedActor, NormalizedExecution } from '../model/normalized.ts';
import { getOwnValue, type Value, type ValueMap } from '../model/value.ts';

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
