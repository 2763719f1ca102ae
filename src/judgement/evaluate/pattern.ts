import type { EvaluationError } from '../../format/model/errors.ts';
import type { NormalizedPattern } from '../../format/model/normalized.ts';
import type { Value } from '../../format/model/value.ts';
import { cacheByPart } from '../../format/primitives/cache-by-part.ts';
import { compileCondition, type MatchedSpan, readOnlyExists } from '../../format/primitives/evaluate-condition.ts';
import { compileWildcardPath } from '../../format/primitives/resolve-wildcard-path.ts';
import { createErrorOutcome, excerptMatch, type IndicatorOutcome, missed, notMatched } from './indicator-outcome.ts';
import { type CompiledTarget, createMessageView, type MessageView, type ResolvedValue } from './message-view.ts';

type CompiledPattern = (view: MessageView) => IndicatorOutcome;

/** Whether any value at the pattern's target satisfies its condition (SDK spec §4.2). */
export function evaluatePattern(pattern: NormalizedPattern, message: Value): boolean | EvaluationError {
  const outcome = compileOnce(pattern)(createMessageView(message));
  return outcome.result === 'error' ? outcome.error : outcome.result === 'matched';
}

/** Compiles a pattern once, for callers that evaluate message by message without limits of their own. */
export const compileOnce = cacheByPart((pattern: NormalizedPattern) => compilePattern(pattern));

export function compilePattern(pattern: NormalizedPattern, expressionSteps?: number): CompiledPattern {
  const target = { target: pattern.target, path: compileWildcardPath(pattern.target) };
  // A condition with `exists` alone is decided by whether the target resolves, before any value is looked at.
  const wanted = readOnlyExists(pattern.condition);
  if (wanted !== undefined)
    return (view) => {
      const [first] = view.resolve(target);
      if ((first !== undefined) !== wanted) return first === undefined ? notMatched : missed;
      return first === undefined
        ? { result: 'matched', evidence: `nothing at "${pattern.target}"` }
        : describeMatch(view, target, 0, first, undefined);
    };
  const condition = compileCondition(pattern.condition, expressionSteps);
  return (view) => {
    let error: EvaluationError | undefined;
    const values = view.resolve(target);
    for (const [index, resolved] of values.entries()) {
      const holds = condition.test(resolved.value, resolved.text);
      if (holds === true) return describeMatch(view, target, index, resolved, condition.span(resolved.text()));
      if (holds !== false) error ??= holds;
    }
    if (error !== undefined) return createErrorOutcome(error);
    return values.length === 0 ? notMatched : missed;
  };
}

/** Describes a match. Real paths are computed only here, because few messages match. */
function describeMatch(
  view: MessageView,
  target: CompiledTarget,
  index: number,
  resolved: ResolvedValue,
  span: MatchedSpan | undefined,
): IndicatorOutcome {
  const path = resolved.path ?? target.path.located(view.message)[index]?.path ?? '';
  const text = resolved.text();
  const { from, to } = span ?? { from: 0, to: text.length };
  const own = resolved.own || view.isOwn(path);
  return {
    result: 'matched',
    evidence: excerptMatch(text, from, to),
    match: { path, from, to, ...(own && { own }) },
  };
}
