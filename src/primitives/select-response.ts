import type { MatchPredicate } from '../model/document.ts';
import { type EvaluationError, isEvaluationError } from '../model/errors.ts';
import { isValueMap, type Value } from '../model/value.ts';
import { compilePredicate } from './evaluate-predicate.ts';

/** The first entry whose `when` holds; failing all, the one without `when`, wherever it stands (§7.0.1). */
export function selectResponse<Entry extends { readonly when?: MatchPredicate | null | undefined }>(
  entries: readonly Entry[],
  request: Value,
): Entry | undefined {
  return dispatch(entries, request).entry;
}

/** The same, and why it is not known of an entry whether its `when` holds. */
export function dispatch<Entry extends { readonly when?: MatchPredicate | null | undefined }>(
  entries: readonly Entry[],
  request: Value,
): { readonly entry: Entry | undefined; readonly failures: readonly EvaluationError[] } {
  // Entries stand in `state`, where nobody has checked their shape.
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
