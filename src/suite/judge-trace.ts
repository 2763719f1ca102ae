import { includedViews } from '../bindings/included.ts';
import { createJudge, type Judgement } from '../judge/judge.ts';
import { refusalOf } from '../judge/refusal.ts';
import { marksOf } from '../marks/read-marks.ts';
import { taskOf } from '../marks/read-task.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import type { TraceRecord } from '../model/trace.ts';
import type { AttackVerdict } from '../model/verdict.ts';
import type { BindingViews } from '../model/views.ts';
import { createEvaluation, type EvaluationOptions, type JudgeFacts } from './evaluation.ts';

export interface TraceJudgeOptions extends EvaluationOptions {
  /** How messages are viewed. Default: as the included bindings view them. */
  readonly views?: readonly BindingViews[] | undefined;
  /** Whether to tell how the agent refused. Only a suite that may play the benign twin too can use it. */
  readonly tellsRefusal?: boolean | undefined;
}

/** The verdict on a run, and its judgement. */
interface JudgedTrace extends Judgement {
  readonly verdict: AttackVerdict;
  /** The questions and tokens of the semantic judge, if one was asked. */
  readonly judged?: JudgeFacts;
}

export interface TraceJudge {
  add(record: TraceRecord): void;
  finish(): Promise<JudgedTrace>;
}

/**
 * Judges a run, live or stored, semantic judge included. It uses the document as written and the trace as stored, so
 * that both give the same judgement.
 */
export async function judgeTrace(
  document: NormalizedDocument,
  { views = includedViews, tellsRefusal, ...options }: TraceJudgeOptions,
): Promise<TraceJudge> {
  const checks = taskOf(document);
  const marks = marksOf(document) ?? [];
  const evaluation = await createEvaluation({ document, checks }, views, options);
  const judge = createJudge(document, views, { marks, checks, ...(tellsRefusal && { refusalOf }) });
  return {
    add(record) {
      judge.add(record);
      evaluation.add(record);
    },
    async finish() {
      const evaluated = await evaluation.finish();
      const { verdict, judged } = evaluated;
      return { verdict, ...judge.conclude(evaluated), ...(judged !== undefined && { judged }) };
    },
  };
}
