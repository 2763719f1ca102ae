import type { RunEntry } from '../model/results.ts';
import { isValueMap } from '../model/value.ts';
import type { Attack } from './attacks.ts';
import { count } from './words.ts';

// What reached the agent, what did not, and what indicators looked at: as every report tells it.

/** `5 of 8 pieces reached the agent`. */
export function coverageInWords(delivered: number, of: number): string {
  return `${delivered} of ${count(of, 'piece', 'pieces')} reached the agent`;
}

/** What a run that could not be judged lacked, besides the reason that is told already. */
export function alsoMissing(reason: string, missing: readonly string[]): readonly string[] {
  return missing.filter((each) => each !== reason);
}

/** The first few of them, and how many more there are. */
export function firstFew(lines: readonly string[], most: number): readonly string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most), `and ${lines.length - most} more`];
}

/** The run that shows why an attack could not be judged, or does not apply. */
export function unjudgedRun({ runs }: Attack): (RunEntry & { readonly reason: string }) | undefined {
  for (const run of runs) if (run.reason !== undefined) return { ...run, reason: run.reason };
  return undefined;
}

/**
 * What was missing in it and how much arrived, line by line; nothing in results of version 1, and of a fault of ours, which
 * has nothing to do with what did not arrive.
 */
export function lacksOf({
  outcome,
  reason,
  coverage,
}: Pick<RunEntry, 'outcome' | 'coverage'> & { readonly reason: string }): readonly string[] {
  if (outcome === 'error' || coverage === undefined || coverage.of === 0) return [];
  return [
    ...alsoMissing(reason, coverage.missing).map((each) => `missing: ${each}`),
    coverageInWords(coverage.delivered, coverage.of),
  ];
}

/** Why indicators of a run did not match, a line each. */
export function whyNotIn({ verdict }: RunEntry): readonly string[] {
  return verdict.indicator_verdicts.flatMap(({ indicator_id, result, looked }) => {
    const sentence = isValueMap(looked) ? looked.sentence : undefined;
    return result === 'not_matched' && typeof sentence === 'string'
      ? [`${indicator_id} not matched: ${sentence}`]
      : [];
  });
}

/** Which delivery the runs were asked for; nothing in results of version 1. */
export function demandsOf(runs: readonly Pick<RunEntry, 'demand'>[]): readonly string[] {
  return [...new Set(runs.flatMap(({ demand }) => demand ?? []))];
}
