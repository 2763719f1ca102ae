import type { ExpressionMatch } from '../../format/model/attack-document.ts';
import { createEvaluationError, type EvaluationError, isEvaluationError } from '../../format/model/errors.ts';
import type { CelEvaluator } from '../../format/model/extension-points.ts';
import { isValueMap, setOwn, type Value, type ValueMap } from '../../format/model/value.ts';
import { formatAsText } from '../../format/primitives/compact-json.ts';
import { readAttachedRequest, replaceResponse } from '../../format/primitives/message-value.ts';
import { resolveSimplePath } from '../../format/primitives/resolve-simple-path.ts';
import { compileWildcardPath } from '../../format/primitives/resolve-wildcard-path.ts';
import { createErrorOutcome, excerptMatch, type IndicatorOutcome, missed } from './indicator-outcome.ts';
import type { MessageView } from './message-view.ts';

/** Evaluates a CEL expression on a message. Any result but a boolean is a `type_error` (SDK spec §4.3). */
export function evaluateExpression(
  expression: ExpressionMatch,
  message: Value,
  evaluator?: CelEvaluator,
): boolean | EvaluationError {
  if (evaluator === undefined) return createEvaluationError('unsupported_method', 'there is no CEL evaluator');
  const context: Record<string, Value> = {};
  for (const [name, path] of Object.entries(expression.variables ?? {}))
    setOwn(context, name, resolveSimplePath(path, message) ?? null);
  context.message = message;
  const result = evaluateSafely(evaluator, expression.cel, context);
  if (typeof result === 'boolean') return result;
  if (isValueMap(result) && isEvaluationError(result)) return result;
  return createEvaluationError('type_error', `expression gives ${describeExpressionMatch(result)}, not true or false`);
}

function evaluateSafely(evaluator: CelEvaluator, cel: string, context: ValueMap): Value | EvaluationError {
  try {
    return evaluator.evaluate(cel, context);
  } catch (thrown) {
    return createEvaluationError('cel_error', thrown instanceof Error ? thrown.message : String(thrown));
  }
}

function describeExpressionMatch(result: unknown): string {
  if (result === null) return 'null';
  return Array.isArray(result) ? 'a list' : typeof result === 'object' ? 'a map' : `a ${typeof result}`;
}

/** An expression has no span of its own, so its evidence is the value at the indicator's target. */
export function evaluateExpressionOutcome(
  expression: ExpressionMatch,
  target: string,
  view: MessageView,
  evaluator: CelEvaluator,
): IndicatorOutcome {
  const holdsFor = (message: Value) => evaluateExpression(expression, message, evaluator);
  const namesEcho = view.echoes.some((echo) => isKeyMentioned(expression, readLastKey(echo)));
  const message = namesEcho ? view.message : view.theirs();
  const result = holdsFor(message);
  if (isEvaluationError(result)) return createErrorOutcome(result);
  if (!result) return missed;
  const own =
    view.isOurs ||
    (namesEcho && holdsFor(view.theirs()) !== true) ||
    (isByRequest(expression, message) &&
      anyAnswer.every((answer) => holdsFor(replaceResponse(message, answer)) === true));
  const located = compileWildcardPath(target).located(message)[0] ?? { path: '', value: message };
  const text = formatAsText(located.value, 'sorted');
  return {
    result: 'matched',
    evidence: excerptMatch(text, 0, text.length),
    match: { path: located.path, from: 0, to: text.length, ...(own && { own }) },
  };
}

/** An empty answer and an error. An expression that holds for both of them holds because of our own request alone. */
const anyAnswer: readonly ValueMap[] = [{}, { code: -32603, message: '', isError: true }];

function isByRequest(expression: ExpressionMatch, message: Value): boolean {
  return readAttachedRequest(message) !== undefined && isKeyMentioned(expression, '_request');
}

/** Whether an expression mentions a key of this name. */
function isKeyMentioned({ cel, variables = {} }: ExpressionMatch, key: string): boolean {
  const word = new RegExp(`\\b${key}\\b`);
  return word.test(cel) || Object.values(variables).some((path) => word.test(path));
}

function readLastKey(path: string): string {
  return /([A-Za-z0-9_-]+)(?:\[\d+\])*$/.exec(path)?.[1] ?? '';
}
