import { messageMs } from '../expression/evaluation-limits.ts';
import type { Condition, MatchPredicate } from '../model/attack-document.ts';
import type { EvaluationError } from '../model/errors.ts';
import { computeMsUntil, readMonotonicMs } from '../model/monotonic.ts';
import type { Value } from '../model/value.ts';
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
    const until = readMonotonicMs() + messageMs;
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
    return compiled.test(value, () => formatAsText(value, 'sorted'), computeMsUntil(until));
  };
}
