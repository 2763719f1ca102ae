import type { RunEntry } from '../../../format/model/results-file.ts';
import type { SettleRuns } from '../../../report/html/read-report-results.ts';
import type { SuitePlan } from '../../../suite/plan/plan.ts';
import { settleOutcomes } from '../../../suite/statistics/attribution.ts';
import { readResultsFolder } from '../../../suite/store/read-results.ts';

/** Gives the stored runs of a plan the outcomes that only the suite can tell. */
export function createRunSettler(plan: SuitePlan): SettleRuns {
  return (runs) => settleOutcomes(plan, runs as unknown as readonly RunEntry[]) as unknown as ReturnType<SettleRuns>;
}

/** The same for a folder, if everything in it can be read. */
export function findRunSettler(folder: string): SettleRuns | undefined {
  const read = readResultsFolder(folder);
  return read.ok ? createRunSettler(read.stored.plan) : undefined;
}
