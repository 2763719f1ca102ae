import type { RunEntry, SkippedDocument } from '../format/model/results-file.ts';
import { isValueMap } from '../format/model/value.ts';
import type { AttackRow } from './attack-rows.ts';
import { count } from './count-text.ts';

// The pieces that reached the agent, the missing ones, and what the indicators looked at, as all reports word it.

/** `5 of 8 pieces reached the agent`. */
export function formatCoverage(delivered: number, of: number): string {
  return `${delivered} of ${count(of, 'piece', 'pieces')} reached the agent`;
}

/** The missing things of a run that could not be judged, without the reason that is already shown. */
export function listOtherMissing(reason: string, missing: readonly string[]): readonly string[] {
  return missing.filter((each) => each !== reason && !reason.startsWith(`${each}; `));
}

/** The first few lines, and the number of further ones. */
export function listFirstFew(lines: readonly string[], most: number): readonly string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most), `and ${lines.length - most} more`];
}

/** The run that shows why an attack could not be judged, or does not apply. */
export function findUnjudgedRun({ runs }: AttackRow): (RunEntry & { readonly reason: string }) | undefined {
  for (const run of runs) if (run.reason !== undefined) return { ...run, reason: run.reason };
  return undefined;
}

/**
 * The missing things of a run and its coverage, one line each. Empty for results of version 1, and for an error of
 * ours, which delivery does not explain.
 */
export function listLacks({
  outcome,
  reason,
  coverage,
}: Pick<RunEntry, 'outcome' | 'coverage'> & { readonly reason: string }): readonly string[] {
  if (outcome === 'error' || coverage === undefined || coverage.of === 0) return [];
  return [
    ...listOtherMissing(reason, coverage.missing).map((each) => `missing: ${each}`),
    formatCoverage(coverage.delivered, coverage.of),
  ];
}

/** The reasons why indicators of a run did not match, one line each. */
export function listUnmatchedReasons({ verdict }: RunEntry): readonly string[] {
  return verdict.indicator_verdicts.flatMap(({ indicator_id, result, looked }) => {
    const sentence = isValueMap(looked) ? looked.sentence : undefined;
    return result === 'not_matched' && typeof sentence === 'string' ? [`${indicator_id} not matched: ${sentence}`] : [];
  });
}

/** The delivery that the runs demanded; empty in results of version 1. */
export function listDemands(runs: readonly Pick<RunEntry, 'demand'>[]): readonly string[] {
  return [...new Set(runs.flatMap(({ demand }) => demand ?? []))];
}

const mostNamed = 8;

/** Says how many documents were skipped, and which: `2 documents left out as not valid: a.yaml, b.yaml`. */
export function describeSkipped(skipped: readonly SkippedDocument[], shown: (text: string) => string): string {
  const names = listFirstFew(
    skipped.map(({ path }) => path),
    mostNamed,
  ).map(shown);
  return `${formatSkippedCount(skipped)} as not valid: ${names.join(', ')}`;
}

export function formatSkippedCount(skipped: readonly SkippedDocument[]): string {
  return `${count(skipped.length, 'document', 'documents')} left out`;
}
