import type { MatchPredicate } from '../model/document.ts';
import { isValueMap, type Value } from '../model/value.ts';
import { evaluatePredicate } from './evaluate-predicate.ts';

/** The first entry whose `when` holds; failing all, the one without `when`, wherever it stands (§7.0.1). */
export function selectResponse<Entry extends { readonly when?: MatchPredicate | null | undefined }>(
  entries: readonly Entry[],
  request: Value,
): Entry | undefined {
  // Entries stand in `state`, where nobody has checked their shape.
  const sound = entries.filter(isValueMap) as readonly Entry[];
  return (
    sound.find(({ when }) => isValueMap(when) && evaluatePredicate(when, request)) ??
    sound.find(({ when }) => when === undefined || when === null)
  );
}
