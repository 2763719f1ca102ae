import { deliveryEntry, documentEntry, judgementEntry, verdictEntry } from '../../suite/run-entry.ts';
import { version } from '../version.ts';
import type { EvaluationReport } from './judgement.ts';

/** A run in the shape of stored results: the verdict of the format spec, and our own fields next to it. */
export function judgementToJson(judgement: EvaluationReport): string {
  const { document, file, trace, verdict, delivery, records, skippedLines } = judgement;
  const data = {
    document: documentEntry(document, file),
    trace,
    verdict: verdictEntry(verdict, `oatf/${version}`),
    ...judgementEntry(judgement),
    delivery: deliveryEntry(delivery),
    records,
    skipped_lines: skippedLines,
  };
  return `${JSON.stringify(data, null, 2)}\n`;
}
