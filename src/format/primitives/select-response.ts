import type { MatchPredicate } from '../model/attack-document.ts';
import { type EvaluationError, isEvaluationError } from '../model/errors.ts';
import { isValueMap, type Value } from '../model/value.ts';
import { compilePredicate } from './evaluate-predicate.ts';

/** The first entry whose `when` holds. If none does, the entry without `when`, wherever it stands (format spec §7.0.1). */
export function selectResponse<Entry extends { readonly when?: MatchPredicate | null | undefined }>(
  entries: readonly Entry[],
  request: Value,
): Entry | undefined {
  return selectEntry(entries, request).entry;
}

/** Selects an entry as `selectResponse` does, and also reports each `when` that could not be evaluated. */
export function selectEntry<Entry extends { readonly when?: MatchPredicate | null | undefined }>(
  entries: readonly Entry[],
  request: Value,
): { readonly entry: Entry | undefined; readonly failures: readonly EvaluationError[] } {
  // Entries stand in `state`, whose shape was not checked.
  const sound = entries.filter(isValueMap) as readonly Entry[];
  const failures: EvaluationError[] = [];
  const holds = ({ when }: Entry): boolean => {
    const result = isValueMap(when) && compilePredicate(when)(request);
    if (isEvaluationError(result)) failures.push(result);
    return result === true;
  };
  const entry = sound.find(holds) ?? sound.find(({ when }) => when === undefined || when === null);
  return { entry, failures };
}
