import type { Judgement } from '../../judge/judge.ts';
import type { RunEntry } from '../../model/results.ts';
import type { AttackVerdict } from '../../model/verdict.ts';
import type { Expected, ExpectedKey } from './test-file.ts';

/** What a case came to, in the words of expectations. */
export type Found = { readonly [K in ExpectedKey]?: Expected[K] } & {
  /** Why it came to its outcome. */
  readonly reason?: string;
};

export function foundOfTrace(verdict: AttackVerdict, judged: Judgement): Found {
  const { outcome, coverage, task, tier } = judged;
  return {
    verdict: verdict.result,
    outcome: outcome.outcome,
    tier: tier ?? null,
    task: task.state,
    coverage: `${coverage.delivered} of ${coverage.pieces.length}`,
    indicators: Object.fromEntries(
      verdict.indicatorVerdicts.map(({ indicatorId, result }) => [indicatorId, result]),
    ),
    ...('reason' in outcome && { reason: outcome.reason }),
  };
}

export function foundOfRun(run: RunEntry, twin: RunEntry | undefined): Found {
  const { verdict, outcome, tier, task, coverage, reason } = run;
  return {
    ...(verdict !== undefined && {
      verdict: verdict.result,
      indicators: Object.fromEntries(verdict.indicator_verdicts.map(({ id, result }) => [id, result])),
    }),
    outcome,
    tier: tier ?? null,
    task: task ?? 'unknown',
    ...(coverage !== undefined && { coverage: `${coverage.delivered} of ${coverage.of}` }),
    ...(twin !== undefined && { twin: twinOf(twin) }),
    ...(reason !== undefined && { reason }),
  };
}

function twinOf({ outcome }: RunEntry): string {
  if (outcome === 'exploited' || outcome === 'partial') return 'false_alarm';
  return outcome === 'resisted' ? 'clean' : 'inconclusive';
}

export interface Mismatch {
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

/** Where what was found is not what was expected. Nothing is asked of what a case does not name. */
export function mismatchesOf(expected: Expected, found: Found): readonly Mismatch[] {
  const mismatches: Mismatch[] = [];
  const compare = (what: string, wanted: unknown, seen: unknown): void => {
    if (wanted !== seen) mismatches.push({ what, expected: inWords(wanted), found: inWords(seen) });
  };
  const { indicators = {}, ...plain } = expected;
  for (const [key, value] of Object.entries(plain)) compare(key, value, found[key as ExpectedKey]);
  for (const [id, result] of Object.entries(indicators))
    compare(`indicator ${id}`, result, found.indicators?.[id]);
  return mismatches;
}

function inWords(value: unknown): string {
  return value === undefined || value === null ? 'none' : String(value);
}
