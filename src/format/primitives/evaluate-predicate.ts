import { readWork } from '../expression/counted-work.ts';
import { messageSteps } from '../expression/evaluation-limits.ts';
import type { Condition, MatchPredicate } from '../model/attack-document.ts';
import { type EvaluationError, isEvaluationError } from '../model/errors.ts';
import { isValueMap, type Value } from '../model/value.ts';
import { cacheByPart } from './cache-by-part.ts';
import { formatAsText } from './compact-json.ts';
import { compileCondition, readOnlyExists } from './evaluate-condition.ts';
import { resolveSimplePath } from './resolve-simple-path.ts';

export type CompiledPredicate = (value: Value) => boolean | EvaluationError;

/** Whether every entry of a predicate holds for a value (format spec §5.4). */
export function evaluatePredicate(predicate: MatchPredicate, value: Value): boolean {
  return compilePredicate(predicate)(value) === true;
}

export const compilePredicate = cacheByPart((predicate: MatchPredicate): CompiledPredicate => {
  const entries = Object.entries(predicate).map(([path, condition]) => compileEntry(path, condition));
  return (value) => {
    const until = readWork() + messageSteps;
    let failure: EvaluationError | undefined;
    for (const holds of entries) {
      const result = holds(value, until);
      if (result === false) return false;
      if (result !== true) failure ??= result;
    }
    return failure ?? true;
  };
});

type Entry = (value: Value, until: number) => boolean | EvaluationError;

function compileEntry(path: string, condition: Condition): Entry {
  const compiled = compileCondition(condition);
  // Beside another operator, `exists: false` can never hold, since that operator needs a value.
  const holdsWhenMissing = readOnlyExists(condition) === false;
  return (root, until) => {
    const value = resolveSimplePath(path, root);
    if (value === undefined) return holdsWhenMissing;
    return compiled.test(value, () => formatAsText(value, 'sorted'), until - readWork());
  };
}

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
