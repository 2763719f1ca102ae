import type { EvaluationError } from '../model/errors.ts';
import type { NormalizedPattern } from '../model/normalized.ts';
import type { Value } from '../model/value.ts';
import { textOf } from '../primitives/compact-json.ts';
import { compileCondition, isMatchCondition } from '../primitives/evaluate-condition.ts';
import { compileWildcardPath } from '../primitives/resolve-wildcard-path.ts';
import { type MessageView, viewMessage } from './message-view.ts';
import { excerpt, failed, notMatched, type Outcome } from './outcome.ts';

export type CompiledPattern = (view: MessageView) => Outcome;

/** Whether any value at the pattern's target satisfies its condition (SDK §4.2). */
export function evaluatePattern(pattern: NormalizedPattern, message: Value): boolean | EvaluationError {
  const outcome = compilePattern(pattern)(viewMessage(message));
  return outcome.result === 'error' ? outcome.error : outcome.result === 'matched';
}

export function compilePattern(pattern: NormalizedPattern, expressionMs?: number): CompiledPattern {
  const target = { target: pattern.target, path: compileWildcardPath(pattern.target) };
  const wanted = onlyExists(pattern);
  if (wanted !== undefined)
    return (view) => {
      if (view.resolve(target).length > 0 !== wanted) return notMatched;
      return wanted
        ? describeMatch(view, pattern, 0, undefined)
        : { result: 'matched', evidence: `nothing at "${pattern.target}"` };
    };
  const condition = compileCondition(pattern.condition, expressionMs);
  return (view) => {
    let error: EvaluationError | undefined;
    for (const [index, resolved] of view.resolve(target).entries()) {
      const holds = condition.test(resolved.value, resolved.text);
      if (holds === true) return describeMatch(view, pattern, index, condition.span(resolved.text()));
      if (holds !== false) error ??= holds;
    }
    return error === undefined ? notMatched : failed(error);
  };
}

/** A condition that is only `exists` is decided by whether the target resolved, before any value. */
function onlyExists({ condition }: NormalizedPattern): boolean | undefined {
  return isMatchCondition(condition) && Object.keys(condition).length === 1 ? condition.exists : undefined;
}

/** Real paths are only worked out for a match. */
function describeMatch(
  view: MessageView,
  { target }: NormalizedPattern,
  index: number,
  span: { readonly from: number; readonly to: number } | undefined,
): Outcome {
  const located = compileWildcardPath(target).located(view.message)[index];
  const text = located === undefined ? '' : textOf(located.value, 'sorted');
  const { from, to } = span ?? { from: 0, to: text.length };
  return {
    result: 'matched',
    evidence: excerpt(text, from, to),
    match: { path: located?.path ?? '', from, to },
  };
}
