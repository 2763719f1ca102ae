import { includedViews } from '../../attack/bindings/included-views.ts';
import { findDocumentMarks } from '../../format/extensions/read-marks.ts';
import { readTaskChecks } from '../../format/extensions/read-task.ts';
import type { AttackVerdict } from '../../format/model/attack-verdict.ts';
import type { BindingViews } from '../../format/model/binding-views.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import type { TraceRecord } from '../../format/model/trace-record.ts';
import { createJudge, type Judgement } from '../../judgement/judge/judge-run.ts';
import { findRefusal } from '../../judgement/judge/run-outcome.ts';
import { createEvaluation, type EvaluationOptions, type JudgeFacts } from './evaluation.ts';

export interface TraceJudgeOptions extends EvaluationOptions {
  /** How messages are viewed. Default: as the included bindings view them. */
  readonly views?: readonly BindingViews[] | undefined;
  /** Whether the judgement says how the agent refused. Only a suite that may play the benign twin too can use it. */
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
  const checks = readTaskChecks(document);
  const marks = findDocumentMarks(document) ?? [];
  const evaluation = await createEvaluation({ document, checks }, views, options);
  const judge = createJudge(document, views, {
    marks,
    checks,
    ...(tellsRefusal && { refusalOf: findRefusal }),
  });
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
