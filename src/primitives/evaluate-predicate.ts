import { messageMs } from '../expression/limits.ts';
import type { Condition, MatchPredicate } from '../model/document.ts';
import type { EvaluationError } from '../model/errors.ts';
import { monotonicMs, msUntil } from '../model/monotonic.ts';
import type { Value } from '../model/value.ts';
import { textOf } from './compact-json.ts';
import { compileCondition, onlyExists } from './evaluate-condition.ts';
import { remembering } from './remembering.ts';
import { resolveSimplePath } from './resolve-simple-path.ts';

export type CompiledPredicate = (value: Value) => boolean | EvaluationError;

/** Whether every entry of a predicate holds for a value (format spec §5.4). */
export function evaluatePredicate(predicate: MatchPredicate, value: Value): boolean {
  return compilePredicate(predicate)(value) === true;
}

export const compilePredicate = remembering((predicate: MatchPredicate): CompiledPredicate => {
  const entries = Object.entries(predicate).map(([path, condition]) => compileEntry(path, condition));
  return (value) => {
    const until = monotonicMs() + messageMs;
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
  const holdsWhenMissing = onlyExists(condition) === false;
  return (root, until) => {
    const value = resolveSimplePath(path, root);
    if (value === undefined) return holdsWhenMissing;
    return compiled.test(value, () => textOf(value, 'sorted'), msUntil(until));
  };
}
