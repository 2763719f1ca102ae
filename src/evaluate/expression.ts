import type { ExpressionMatch } from '../model/document.ts';
import { type EvaluationError, evaluationError, isEvaluationError } from '../model/errors.ts';
import type { CelEvaluator } from '../model/extension-points.ts';
import { isValueMap, setOwn, type Value, type ValueMap } from '../model/value.ts';
import { textOf } from '../primitives/compact-json.ts';
import { resolveSimplePath } from '../primitives/resolve-simple-path.ts';
import { compileWildcardPath } from '../primitives/resolve-wildcard-path.ts';
import { excerpt, failed, notMatched, type Outcome } from './outcome.ts';

/** The value of a CEL expression on a message; anything but a boolean is a `type_error` (SDK §4.3). */
export function evaluateExpression(
  expression: ExpressionMatch,
  message: Value,
  evaluator?: CelEvaluator,
): boolean | EvaluationError {
  if (evaluator === undefined) return evaluationError('unsupported_method', 'there is no CEL evaluator');
  const context: Record<string, Value> = {};
  for (const [name, path] of Object.entries(expression.variables ?? {}))
    setOwn(context, name, resolveSimplePath(path, message) ?? null);
  context.message = message;
  const result = evaluateSafely(evaluator, expression.cel, context);
  if (typeof result === 'boolean') return result;
  if (isValueMap(result) && isEvaluationError(result)) return result;
  return evaluationError('type_error', `expression gives ${describe(result)}, not true or false`);
}

function evaluateSafely(evaluator: CelEvaluator, cel: string, context: ValueMap): Value | EvaluationError {
  try {
    return evaluator.evaluate(cel, context);
  } catch (thrown) {
    return evaluationError('cel_error', thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function describe(result: unknown): string {
  if (result === null) return 'null';
  return Array.isArray(result) ? 'a list' : typeof result === 'object' ? 'a map' : `a ${typeof result}`;
}

/** An expression has no span of its own: its evidence is what the indicator's target points at. */
export function expressionOutcome(
  expression: ExpressionMatch,
  target: string,
  message: Value,
  evaluator: CelEvaluator,
): Outcome {
  const result = evaluateExpression(expression, message, evaluator);
  if (isEvaluationError(result)) return failed(result);
  if (!result) return notMatched;
  const located = compileWildcardPath(target).located(message)[0] ?? { path: '', value: message };
  const text = textOf(located.value, 'sorted');
  return {
    result: 'matched',
    evidence: excerpt(text, 0, text.length),
    match: { path: located.path, from: 0, to: text.length },
  };
}
