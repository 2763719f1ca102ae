import type { OutcomeName, RunEntry } from '../model/results.ts';

const judged: ReadonlySet<OutcomeName> = new Set(['exploited', 'partial', 'resisted']);

/** Whether a run says something about its agent. The others stand in no rate. */
export function isJudged({ outcome }: Pick<RunEntry, 'outcome'>): boolean {
  return judged.has(outcome);
}
