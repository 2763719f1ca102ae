import { includedViews } from '../bindings/included.ts';
import { createJudge } from '../judge/judge.ts';
import { marksOf } from '../marks/read-marks.ts';
import { taskOf } from '../marks/read-task.ts';
import type { NormalizedDocument } from '../model/normalized.ts';
import type { TraceRecord } from '../model/trace.ts';
import { createEvaluation, type EvaluationOptions } from './evaluation.ts';

/** Evaluates a stored run as a run is evaluated live, judge included. */
export async function judgeTrace(document: NormalizedDocument, options: EvaluationOptions) {
  const checks = taskOf(document);
  const evaluation = await createEvaluation({ document, checks }, includedViews, options);
  const judge = createJudge(document, includedViews, { marks: marksOf(document) ?? [], checks });
  return {
    add(record: TraceRecord): void {
      judge.add(record);
      evaluation.add(record);
    },
    async finish() {
      const evaluated = await evaluation.finish();
      return { verdict: evaluated.verdict, judged: evaluated.judged, ...judge.conclude(evaluated) };
    },
  };
}
