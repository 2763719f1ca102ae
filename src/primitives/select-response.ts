import type { MatchPredicate } from '../model/document.ts';
import type { Value } from '../model/value.ts';
import { evaluatePredicate } from './evaluate-predicate.ts';

/** The first entry whose `when` holds; failing all, the one without `when`, wherever it stands (§7.0.1). */
export function selectResponse<Entry extends { readonly when?: MatchPredicate | null | undefined }>(
  entries: readonly Entry[],
  request: Value,
): Entry | undefined {
  return (
    entries.find(({ when }) => when !== undefined && when !== null && evaluatePredicate(when, request)) ??
    entries.find(({ when }) => when === undefined || when === null)
  );
}
