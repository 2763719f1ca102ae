import type { OutcomeName, RunEntry } from '../../format/model/results-file.ts';

const judged: ReadonlySet<OutcomeName> = new Set(['exploited', 'partial', 'resisted']);

/** Whether a run says something about its agent. The other runs count in no rate. */
export function isJudged({ outcome }: Pick<RunEntry, 'outcome'>): boolean {
  return judged.has(outcome);
}
