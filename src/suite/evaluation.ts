import type { Usage } from '../agent/agent.ts';
import { seeThrough } from '../disguise/see-through.ts';
import { createJudgedTraceEvaluator } from '../evaluate/judged-trace.ts';
import {
  createTraceEvaluator,
  type Evaluable,
  type Evaluated,
  type TraceOptions,
} from '../evaluate/trace.ts';
import type { CelEvaluator, SemanticEvaluator } from '../model/extension-points.ts';
import type { NormalizedIndicator } from '../model/normalized.ts';
import type { TraceRecord } from '../model/trace.ts';
import type { BindingViews } from '../model/views.ts';
import type { ExaminedJudge } from './judging/examined-judge.ts';

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
  finish(): Promise<Evaluated & { readonly judged?: JudgeFacts }>;
}

export interface EvaluationOptions extends Pick<TraceOptions<SemanticEvaluator>, 'projections' | 'limits'> {
  readonly judge?: ExaminedJudge | undefined;
}

export async function createEvaluation(
  evaluable: Evaluable,
  views: readonly BindingViews[],
  { judge, ...options }: EvaluationOptions,
): Promise<Evaluation> {
  const indicators = [...(evaluable.document.attack.indicators ?? []), ...(evaluable.checks ?? [])];
  const all = { ...options, seeThrough, cel: await celFor(indicators) };
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
            ...(usage !== undefined && { usage: more(before.usage, usage) }),
          },
        };
      }),
  };
}

function more(before: Usage | undefined, { inputTokens, outputTokens, cost }: Usage): Usage {
  return {
    inputTokens: inputTokens - (before?.inputTokens ?? 0),
    outputTokens: outputTokens - (before?.outputTokens ?? 0),
    ...(cost !== undefined && { cost: Number((cost - (before?.cost ?? 0)).toPrecision(12)) }),
  };
}

/** CEL takes long to load. Most documents have no expressions and need not wait for it before the first answer. */
async function celFor(indicators: readonly NormalizedIndicator[]): Promise<CelEvaluator | null> {
  if (!indicators.some(({ expression }) => expression !== undefined)) return null;
  return (await import('../evaluate/cel-evaluator.ts')).createCelEvaluator();
}
