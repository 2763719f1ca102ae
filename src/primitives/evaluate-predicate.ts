import type { Condition, MatchPredicate } from '../model/document.ts';
import type { Value } from '../model/value.ts';
import { textOf } from './compact-json.ts';
import { compileCondition, isMatchCondition } from './evaluate-condition.ts';
import { resolveSimplePath } from './resolve-simple-path.ts';

export type CompiledPredicate = (value: Value) => boolean;

/** Whether every entry of a predicate holds for a value (§5.4). */
export function evaluatePredicate(predicate: MatchPredicate, value: Value): boolean {
  return compilePredicate(predicate)(value);
}

export function compilePredicate(predicate: MatchPredicate): CompiledPredicate {
  const entries = Object.entries(predicate).map(([path, condition]) => compileEntry(path, condition));
  return (value) => entries.every((holds) => holds(value));
}

function compileEntry(path: string, condition: Condition): CompiledPredicate {
  const compiled = compileCondition(condition);
  const holdsWhenMissing = isExactlyAbsent(condition);
  return (root) => {
    const value = resolveSimplePath(path, root);
    if (value === undefined) return holdsWhenMissing;
    return compiled.test(value, () => textOf(value, 'sorted')) === true;
  };
}

/** `exists: false` and nothing else. Beside another operator it can never hold: the value would have to be there. */
function isExactlyAbsent(condition: Condition): boolean {
  return isMatchCondition(condition) && condition.exists === false && Object.keys(condition).length === 1;
}
