import { encodeVerdict } from '../../judgement/judge/encode-verdict.ts';
import { createDocumentEntry } from '../../suite/plan/plan.ts';
import { version } from '../version.ts';
import type { EvaluationReport } from './judgement.ts';

/** A run in the shape of stored results: the verdict of the format spec, and our own fields next to it. */
export function formatJudgementJson(judgement: EvaluationReport): string {
  const { document, file, trace, verdict, delivery, records, skippedLines, absent: _, twin: __, ...judged } = judgement;
  const data = {
    document: createDocumentEntry(document, file),
    trace,
    verdict: encodeVerdict(verdict, `oatf/${version}`),
    ...judged,
    delivery,
    records,
    skipped_lines: skippedLines,
  };
  return `${JSON.stringify(data, null, 2)}\n`;
}
