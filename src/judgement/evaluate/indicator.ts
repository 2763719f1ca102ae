import type { IndicatorVerdict } from '../../format/model/attack-verdict.ts';
import { createEvaluationError } from '../../format/model/errors.ts';
import type { AsyncSemanticEvaluator, CelEvaluator, SemanticEvaluator } from '../../format/model/extension-points.ts';
import type { NormalizedIndicator } from '../../format/model/normalized.ts';
import type { Value } from '../../format/model/value.ts';
import { evaluateExpressionOutcome } from './expression.ts';
import { createErrorOutcome, type IndicatorOutcome, toVerdict } from './indicator-outcome.ts';
import { createMessageView, type MessageView } from './message-view.ts';
import { compileOnce, compilePattern } from './pattern.ts';
import { evaluateSemanticOutcome, evaluateSemanticOutcomeAsync } from './semantic.ts';

/** The evaluators that indicators may need. An indicator without the one it needs is skipped. */
export interface Evaluators {
  readonly cel?: CelEvaluator | undefined;
  readonly semantic?: SemanticEvaluator | undefined;
}

/** Evaluators of which the semantic one may answer with a promise. */
export interface AsyncEvaluators {
  readonly cel?: CelEvaluator | undefined;
  readonly semantic?: AsyncSemanticEvaluator | undefined;
}

/** Evaluates one indicator on one message (SDK spec §4.4). Without the evaluator that it needs, it is skipped. */
export function evaluateIndicator(
  indicator: NormalizedIndicator,
  message: Value,
  { cel, semantic }: Evaluators = {},
): IndicatorVerdict {
  const { semantic: block } = indicator;
  const outcome =
    block !== undefined && semantic !== undefined
      ? evaluateSemanticOutcome(block, createMessageView(message), semantic)
      : compileIndicator(indicator, cel)(createMessageView(message));
  return toVerdict(indicator.id, outcome);
}

/** Like `evaluateIndicator`, for a semantic evaluator that may answer with a promise. */
export async function evaluateIndicatorAsync(
  indicator: NormalizedIndicator,
  message: Value,
  { cel, semantic }: AsyncEvaluators = {},
): Promise<IndicatorVerdict> {
  const { semantic: block } = indicator;
  const outcome =
    block !== undefined && semantic !== undefined
      ? await evaluateSemanticOutcomeAsync(block, createMessageView(message), semantic)
      : compileIndicator(indicator, cel)(createMessageView(message));
  return toVerdict(indicator.id, outcome);
}

/** The outcome of an indicator whose evaluator is missing, whatever the message. */
export function reportLackingEvaluator(
  { expression, semantic: block }: NormalizedIndicator,
  { cel, semantic }: AsyncEvaluators,
): IndicatorOutcome | undefined {
  if (expression !== undefined && cel === undefined)
    return { result: 'skipped', evidence: 'there is no CEL evaluator' };
  if (block !== undefined && semantic === undefined)
    return { result: 'skipped', evidence: 'there is no judge; --judge llm:MODEL adds one' };
  return undefined;
}

/**
 * Compiles an indicator to run on many messages. Semantic indicators are not handled here, since their evaluator may be
 * asynchronous.
 */
export function compileIndicator(
  indicator: NormalizedIndicator,
  cel: CelEvaluator | undefined,
  expressionSteps?: number,
): (view: MessageView) => IndicatorOutcome {
  const { pattern, expression, target } = indicator;
  const lacking = reportLackingEvaluator(indicator, { cel });
  if (lacking !== undefined) return () => lacking;
  if (pattern !== undefined)
    return expressionSteps === undefined ? compileOnce(pattern) : compilePattern(pattern, expressionSteps);
  if (expression !== undefined && cel !== undefined)
    return (view) => evaluateExpressionOutcome(expression, target, view, cel);
  const error = createEvaluationError('unsupported_method', 'indicator has no pattern, expression or semantic block');
  return () => createErrorOutcome(error);
}
