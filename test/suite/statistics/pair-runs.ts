import type { Tier } from '../../../src/format/model/enumeration-types.ts';
import type { Results, RunEntry } from '../../../src/format/model/results-file.ts';
import { load } from '../../../src/index.ts';
import { listPlannedAttacks, type PlayableDocument, planSuite, type SuitePlan } from '../../../src/suite/plan/plan.ts';
import { makeResults } from '../../../src/suite/store/make-results.ts';
import { createStoredRun } from '../../../src/suite/store/stored-run.ts';
import { resultOf, textOf } from '../plan/planned.ts';

// Runs of one attack and of its benign twin. A run is written as the indicators that matched: `AB`, or `-` for none, or `?`
// if it could not be judged. A in capitals is of the tier boundary_breach, in small letters of the tier ingested.

export interface PairOptions {
  readonly kind?: string;
  readonly maxRate?: number;
  readonly failTier?: Tier;
  readonly repeat?: number;
  readonly logic?: 'any' | 'all';
  readonly agents?: readonly string[];
}

export const pairId = 'ACME-001';

function documentsOf(): readonly PlayableDocument[] {
  const text = textOf(pairId);
  const loaded = load(text);
  if (!loaded.ok) throw new Error('the document is not valid');
  const attack = { ...loaded, file: `${pairId}.yaml`, text };
  return [attack, { ...attack, twinOf: attack }];
}

export function planPair(
  repeat: number,
  { kind = 'function', agents = ['mine'], maxRate, failTier }: PairOptions = {},
): SuitePlan {
  return planSuite({
    documents: documentsOf(),
    agents: agents.map((name) => ({ name, kind })),
    repeat,
    started: '2026-01-01T00:00:00.000Z',
    ...(maxRate !== undefined && { maxRateOf: () => maxRate, earlyStop: true }),
    failTier,
  });
}

const known = ['A', 'B'];

/** The stored run of a plan in which these indicators matched. */
export function pairRun(
  plan: SuitePlan,
  run: string,
  repeat: number,
  isTwin: boolean,
  { logic = 'any', agents = ['mine'] }: PairOptions = {},
): RunEntry {
  const [agent] = agents;
  const attack = listPlannedAttacks(plan).find(
    (each) => each.agent.name === agent && (each.document.twin_of !== undefined) === isTwin,
  );
  if (attack === undefined) throw new Error('no such attack');
  const matches = [...run].flatMap((letter) =>
    /[a-z]/i.test(letter)
      ? [
          {
            indicator: `${pairId}-${letter.toUpperCase()}`,
            tier: letter < 'a' ? ('boundary_breach' as const) : ('ingested' as const),
          },
        ]
      : [],
  );
  const success = logic === 'all' && matches.length < known.length ? 'partial' : 'exploited';
  const outcome =
    run === '?'
      ? { outcome: 'inconclusive' as const, cause: 'silent' as const, reason: 'it said nothing', causes: [] }
      : { outcome: matches.length === 0 ? ('resisted' as const) : (success as 'exploited' | 'partial') };
  const tier = matches.some((match) => match.tier === 'boundary_breach') ? 'boundary_breach' : 'ingested';
  const result = resultOf(outcome, { ...(matches.length > 0 && { matches, tier, maxTier: tier }), task: 'done' });
  const indicatorVerdicts = known.map((letter) => {
    const indicatorId = `${pairId}-${letter}`;
    const isMatched = matches.some(({ indicator }) => indicator === indicatorId);
    return {
      indicatorId,
      result: isMatched ? ('matched' as const) : ('not_matched' as const),
      ...(isMatched && { evidence: `evidence of ${letter}` }),
    };
  });
  const coverage = { delivered: 1, of: 1, inferred: false, missing: [], pieces: [] };
  return createStoredRun(
    plan,
    { attack, repeat },
    { ...result, coverage, verdict: { ...result.verdict, indicatorVerdicts } },
  );
}

/** The raw runs of an attack and of its twin. */
export function pairRuns(
  attacks: readonly string[],
  twins: readonly string[],
  options: PairOptions = {},
): { readonly plan: SuitePlan; readonly entries: readonly RunEntry[] } {
  const plan = planPair(options.repeat ?? Math.max(attacks.length, twins.length, 1), options);
  return {
    plan,
    entries: [
      ...attacks.map((run, index) => pairRun(plan, run, index + 1, false, options)),
      ...twins.map((run, index) => pairRun(plan, run, index + 1, true, options)),
    ],
  };
}

/** The results of an attack and of its twin. */
export function pairResults(attacks: readonly string[], twins: readonly string[], options: PairOptions = {}): Results {
  const { plan, entries } = pairRuns(attacks, twins, options);
  return makeResults(plan, entries, { finished: '2026-01-01T00:00:09.000Z' });
}

/** So many runs with a match of an indicator, among so many. */
export function times(count: number, of: number, letters = 'A'): readonly string[] {
  return Array.from({ length: of }, (_, index) => (index < count ? letters : '-'));
}
