import type { Usage } from '../../agents/adapters/agent-under-test.ts';
import type { BindingViews } from '../../format/model/binding-views.ts';
import type { CelEvaluator, SemanticEvaluator } from '../../format/model/extension-points.ts';
import type { NormalizedIndicator } from '../../format/model/normalized.ts';
import type { TraceRecord } from '../../format/model/trace-record.ts';
import { findDisguised } from '../../judgement/disguise/find-disguised.ts';
import { createJudgedTraceEvaluator } from '../../judgement/evaluate/judged-trace-evaluator.ts';
import {
  createTraceEvaluator,
  type EvaluableDocument,
  type EvaluatedTrace,
  type TraceOptions,
} from '../../judgement/evaluate/trace-evaluator.ts';
import type { ExaminedJudge } from '../judging/examined-judge.ts';

/** The questions and tokens that the judge spent on a run. */
export interface JudgeFacts {
  readonly name: string;
  /** Questions of exams included; a question that was answered before is not asked again. */
  readonly questions: number;
  /** Tokens and cost, if the judge counts them. */
  readonly usage?: Usage | undefined;
}

/** Evaluates a run, with a judge if there is one and the document has semantic indicators. */
export interface Evaluation {
  add(record: TraceRecord): void;
  finish(): Promise<EvaluatedTrace & { readonly judged?: JudgeFacts }>;
}

export interface EvaluationOptions extends Pick<TraceOptions<SemanticEvaluator>, 'projections' | 'limits'> {
  readonly judge?: ExaminedJudge | undefined;
}

export async function createEvaluation(
  evaluable: EvaluableDocument,
  views: readonly BindingViews[],
  { judge, ...options }: EvaluationOptions,
): Promise<Evaluation> {
  const indicators = [...(evaluable.document.attack.indicators ?? []), ...(evaluable.checks ?? [])];
  const all = { ...options, findDisguised, cel: await loadCelEvaluator(indicators) };
  if (judge === undefined || !indicators.some(({ semantic }) => semantic !== undefined)) {
    const evaluator = createTraceEvaluator(evaluable, views, all);
    return { add: evaluator.add, finish: async () => evaluator.finish() };
  }
  const evaluator = createJudgedTraceEvaluator(evaluable, views, all);
  return {
    add: evaluator.add,
    // Runs are judged one after the other, so that the cost of each is known.
    finish: () =>
      judge.inTurn(async () => {
        const before = judge.spent();
        const evaluated = await evaluator.finish(judge.ask, judge.name);
        const { questions, usage } = judge.spent();
        return {
          ...evaluated,
          judged: {
            name: judge.name,
            questions: questions - before.questions,
            ...(usage !== undefined && { usage: subtractUsage(before.usage, usage) }),
          },
        };
      }),
  };
}

function subtractUsage(before: Usage | undefined, { inputTokens, outputTokens, cost }: Usage): Usage {
  return {
    inputTokens: inputTokens - (before?.inputTokens ?? 0),
    outputTokens: outputTokens - (before?.outputTokens ?? 0),
    ...(cost !== undefined && { cost: Number((cost - (before?.cost ?? 0)).toPrecision(12)) }),
  };
}

/** CEL takes long to load. Most documents have no expressions and need not wait for it before the first answer. */
async function loadCelEvaluator(indicators: readonly NormalizedIndicator[]): Promise<CelEvaluator | null> {
  if (!indicators.some(({ expression }) => expression !== undefined)) return null;
  return (await import('../../judgement/evaluate/cel-evaluator.ts')).createCelEvaluator();
}
