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

/** What the judge of a run has taken for it. */
export interface JudgeFacts {
  readonly name: string;
  /** Those of exams included; what was asked before is not asked again. */
  readonly questions: number;
  /** Tokens and cost, where it counts. */
  readonly usage?: Usage | undefined;
}

/** Evaluates a run, with a judge where there is one and the document has something for it. */
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
    // One run after the other, so that what each has taken can be told.
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

/** CEL takes long to load. Most documents have no expressions, and nobody has to wait for it before the first answer. */
async function celFor(indicators: readonly NormalizedIndicator[]): Promise<CelEvaluator | null> {
  if (!indicators.some(({ expression }) => expression !== undefined)) return null;
  return (await import('../evaluate/cel-evaluator.ts')).createCelEvaluator();
}
