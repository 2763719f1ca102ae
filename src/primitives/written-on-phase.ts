import type { NormalizedActor, NormalizedExecution } from '../model/normalized.ts';
import { ownValue, type Value, type ValueMap } from '../model/value.ts';

/**
 * What a phase says under a key of ours. In the single-phase form it stands beside the state, in the execution. An
 * actor that the document does not have, the user whom a run adds, changes nothing of its form: no written name begins
 * with `@`.
 */
export function writtenOnPhase(
  { actors, extensions }: NormalizedExecution,
  { name, phases }: NormalizedActor,
  index: number,
  key: string,
): Value | undefined {
  const isSingle =
    phases.length === 1 && actors.every((actor) => actor.name === name || actor.name.startsWith('@'));
  return (
    ownValue((phases[index]?.extensions ?? {}) as ValueMap, key) ??
    (isSingle && !name.startsWith('@') ? ownValue((extensions ?? {}) as ValueMap, key) : undefined)
  );
}
