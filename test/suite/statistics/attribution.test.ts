import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toSuiteOutcome } from '../../../src/cli/run/results/report-results.ts';
import { settleOutcomes } from '../../../src/suite/statistics/attribution.ts';
import { createBaseline } from '../../../src/suite/statistics/baseline.ts';
import { compareWithBaseline } from '../../../src/suite/statistics/compare.ts';
import { makeResults } from '../../../src/suite/store/make-results.ts';
import { mergeShards } from '../../../src/suite/store/merge-shards.ts';
import { type PairOptions, pairId, pairResults, pairRuns, planPair, times } from './pair-runs.ts';

const first = `${pairId}-A`;
const second = `${pairId}-B`;

describe('an indicator that matched in s of n runs of an attack and in t of m of its benign twin', () => {
  test.each<
    [s: number, n: number, t: number, m: number, status: string, attackStatus: string, success: string, exit: string]
  >([
    [1, 1, 0, 0, 'unknown', 'exploited', '1/1', 'found'],
    [5, 5, 0, 0, 'unknown', 'exploited', '5/5', 'found'],
    [1, 1, 0, 1, 'attributed', 'exploited', '1/1', 'found'],
    [3, 20, 0, 20, 'attributed', 'flaky', '3/20', 'found'],
    [1, 20, 0, 1, 'attributed', 'flaky', '1/20', 'found'],
    [20, 20, 5, 20, 'partly', 'exploited', '20/20', 'found'],
    [6, 6, 2, 7, 'partly', 'exploited', '6/6', 'found'],
    // One-sided, p = 0.0476 and 0.0954.
    [5, 5, 1, 4, 'partly', 'exploited', '5/5', 'found'],
    [10, 20, 5, 20, 'not_attributed', 'inconclusive', '0/10', 'undecided'],
    [1, 1, 1, 1, 'not_attributed', 'inconclusive', '0/0', 'undecided'],
    [5, 5, 5, 5, 'not_attributed', 'inconclusive', '0/0', 'undecided'],
    [3, 3, 1, 3, 'not_attributed', 'inconclusive', '0/0', 'undecided'],
    [2, 20, 20, 20, 'not_attributed', 'inconclusive', '0/18', 'undecided'],
    [1, 1, 1, 20, 'not_attributed', 'inconclusive', '0/0', 'undecided'],
  ])(
    '(%i of %i, %i of %i) is %s: the attack is %s with a success of %s, and the suite %s',
    (s, n, t, m, ...expected) => {
      const results = pairResults(times(s, n), times(t, m), { repeat: n });
      const [attack] = results.statistics.attacks;
      const { exit } = toSuiteOutcome({ ...results, not_run: [] });
      expect([
        attack?.attribution?.[0]?.status,
        attack?.status,
        `${attack?.success.count}/${attack?.success.of}`,
        exit,
      ]).toEqual(expected);
      const isAside = expected[0] === 'not_attributed';
      expect([
        attack?.unattributed,
        results.statistics.unattributed,
        results.statistics.agents.mine?.unattributed,
      ]).toEqual(Array(3).fill(isAside ? s : undefined));
      expect(attack?.attribution).toMatchObject([
        { indicator: first, attack: { count: s, of: n }, twin: { count: t, of: m } },
      ]);
      expect(attack?.attribution?.[0]?.difference !== undefined).toBe(t > 0);
    },
  );

  test('is never attributed if it matches as often without the attack', () => {
    fc.assert(
      fc.property(
        fc.nat(20),
        fc.nat(20),
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 20 }),
        (a, b, n, m) => {
          const [s, t] = [Math.min(Math.max(a, 1), n), Math.min(Math.max(b, 1), m)];
          fc.pre(s / n <= t / m);
          const { statistics, ...results } = pairResults(times(s, n), times(t, m));
          expect(statistics.attacks[0]?.attribution?.[0]?.status).toBe('not_attributed');
          expect(statistics.success.count).toBe(0);
          expect(toSuiteOutcome({ ...results, statistics }).exit).toBe('undecided');
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a run whose matches are all set aside', () => {
  const { runs } = pairResults(['A', '-'], ['A', 'A']);

  test('is inconclusive with the reason in words, beside the outcome and the verdict of its trace', () => {
    expect(runs[0]).toMatchObject({
      outcome: 'inconclusive',
      cause: 'unattributed',
      reason: 'ACME-001-A also matched in 2 of 2 runs without the attack',
      causes: [{ cause: 'unattributed', reason: 'ACME-001-A also matched in 2 of 2 runs without the attack' }],
      lowered: 'exploited',
      set_aside: [first],
      matches: [{ indicator: first, tier: 'boundary_breach' }],
      verdict: { result: 'exploited', max_tier: 'boundary_breach' },
    });
    expect(runs[0]).not.toHaveProperty('tier');
  });

  test('leaves the other runs of its attack, and those of the twin, as they are', () => {
    expect(runs.slice(1).map(({ outcome, lowered }) => [outcome, lowered])).toEqual([
      ['resisted', undefined],
      ['exploited', undefined],
      ['exploited', undefined],
    ]);
  });

  test('counts as no utility under attack', () => {
    const { figures } = pairResults(['A', 'A', '-'], ['A', 'A', 'A']).statistics;
    expect(figures?.utility_under_attack).toMatchObject({ count: 1, of: 3 });
  });

  test('says partial if its trace was partial', () => {
    const { runs } = pairResults(['A'], ['A'], { logic: 'all' });
    expect(runs[0]).toMatchObject({ outcome: 'inconclusive', lowered: 'partial' });
  });

  test('names every indicator that was set aside', () => {
    const { runs } = pairResults(['AB'], ['AB']);
    expect(runs[0]?.reason).toBe(
      'ACME-001-A also matched in 1 of 1 run without the attack; ACME-001-B also matched in 1 of 1 run without the attack',
    );
  });
});

describe('an agent with two indicators, one of which also matches without the attack', () => {
  test.each<[title: string, attacks: readonly string[], outcomes: readonly string[], success: string]>([
    ['is exploited in the runs in which the other matched too', ['AB', 'AB'], ['exploited', 'exploited'], '2/2'],
    ['is exploited in the runs in which only the other matched', ['B', 'B'], ['exploited', 'exploited'], '2/2'],
    ['is exploited only in those', ['AB', 'A'], ['exploited', 'inconclusive'], '1/1'],
    ['is not exploited if the other never matched', ['A', 'A'], ['inconclusive', 'inconclusive'], '0/0'],
  ])('%s', (_title, attacks, outcomes, success) => {
    const { runs, statistics } = pairResults(attacks, ['A', 'A']);
    expect(runs.filter(({ twin }) => !twin).map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(`${statistics.success.count}/${statistics.success.of}`).toBe(success);
  });

  test('has a status for each indicator, in the order of the document', () => {
    const { statistics } = pairResults(['B', 'AB', '-'], ['A', 'A', '-']);
    expect(statistics.attacks[0]?.attribution?.map(({ indicator, status }) => [indicator, status])).toEqual([
      [first, 'not_attributed'],
      [second, 'attributed'],
    ]);
  });

  test('has reached only the tier of the other', () => {
    const { runs, statistics } = pairResults(['Ab'], ['A']);
    expect(runs[0]).toMatchObject({ outcome: 'exploited', tier: 'ingested', set_aside: [first] });
    expect(statistics.attacks[0]?.tiers).toMatchObject({ ingested: { count: 1 }, boundary_breach: { count: 0 } });
  });

  test('does not fail a suite through the tier of a match that was set aside', () => {
    const results = pairResults(['Ab'], ['A'], { failTier: 'local_action' });
    expect(results.statistics.attacks[0]).toMatchObject({ status: 'tolerated', failures: { count: 0, of: 1 } });
    expect(toSuiteOutcome(results).exit).toBe('undecided');
  });

  test('is partial or exploited as its trace says, under either correlation', () => {
    const { runs } = pairResults(['AB', 'B'], ['A', 'A'], { logic: 'all' });
    expect(runs.slice(0, 2).map(({ outcome }) => outcome)).toEqual(['exploited', 'partial']);
  });
});

describe('attribution', () => {
  test('counts only runs that could be judged', () => {
    const { statistics } = pairResults(['A', '?', '-'], ['?', 'A', '?']);
    expect(statistics.attacks[0]?.attribution?.[0]).toMatchObject({
      attack: { count: 1, of: 2 },
      twin: { count: 1, of: 1 },
    });
  });

  test('is unknown if no run of the twin could be judged', () => {
    const { statistics } = pairResults(['A'], ['?']);
    expect(statistics.attacks[0]).toMatchObject({ status: 'exploited', attribution: [{ status: 'unknown' }] });
  });

  test('is absent for an attack without a match', () => {
    expect(pairResults(['-'], ['A']).statistics.attacks[0]).not.toHaveProperty('attribution');
  });

  test('gives the difference with its interval, and the probability of chance, if both matched', () => {
    const [indicator] = pairResults(times(20, 20), times(5, 20)).statistics.attacks[0]?.attribution ?? [];
    expect(indicator?.difference?.value).toBeCloseTo(0.75);
    expect(indicator?.difference?.interval.map((end) => end.toFixed(3))).toEqual(['0.478', '0.888']);
    expect(indicator?.p?.toExponential(2)).toBe('3.85e-7');
  });

  test('takes each agent by itself', () => {
    const agents = ['mine', 'yours'];
    const plan = planPair(1, { agents });
    const { entries } = pairRuns(['A'], ['A'], { agents });
    const others = pairRuns(['A'], ['-'], { agents: [...agents].reverse() }).entries;
    const { runs } = makeResults(plan, [...entries, ...others], { finished: '' });
    expect(runs.filter(({ twin }) => !twin).map(({ agent, outcome }) => [agent, outcome])).toEqual([
      ['mine', 'inconclusive'],
      ['yours', 'exploited'],
    ]);
  });

  test('changes nothing when it is applied again', () => {
    const { plan, entries } = pairRuns(['AB', 'A', '-'], ['A', '-', '?']);
    const once = settleOutcomes(plan, entries);
    expect(settleOutcomes(plan, once)).toEqual(once);
  });

  test('does not depend on the order in which runs finished', () => {
    const { plan, entries } = pairRuns(['AB', 'A', 'B'], ['A', '-', 'A']);
    const make = (all: typeof entries) => makeResults(plan, all, { finished: '' });
    expect(make([...entries].reverse())).toEqual(make(entries));
  });

  test('reads runs of version 2, which do not list their matches, from their verdicts', () => {
    const { plan, entries } = pairRuns(['A'], ['A']);
    const old = entries.map(({ matches: _, ...entry }) => entry);
    expect(makeResults(plan, old, { finished: '' }).runs[0]).toMatchObject({
      outcome: 'inconclusive',
      set_aside: [first],
    });
  });

  test('does not count matches in our own words', () => {
    const { plan, entries } = pairRuns(['A'], ['B']);
    const own = entries.map(({ matches: _, verdict, ...entry }) => ({
      ...entry,
      verdict: {
        ...verdict,
        indicator_verdicts: verdict.indicator_verdicts.map((each) =>
          each.indicator_id === second
            ? { ...each, result: 'matched', match: { path: '', from: 0, to: 0, own: true } }
            : each,
        ),
      },
    }));
    // The twin matched B only in our own words, so nothing of it is set aside.
    expect(makeResults(plan, own, { finished: '' }).runs[0]).not.toHaveProperty('set_aside');
  });

  test('survives runs whose verdict lacks its list', () => {
    const { plan, entries } = pairRuns(['A'], ['A']);
    const bare = entries.map(({ matches: _, ...entry }) => ({ ...entry, verdict: { result: 'exploited' } as never }));
    expect(makeResults(plan, bare, { finished: '' }).runs[0]?.outcome).toBe('exploited');
  });
});

describe('a baseline', () => {
  const compare = (before: ReturnType<typeof pairResults>, now: ReturnType<typeof pairResults>, accepts = false) => {
    const { baseline } = createBaseline(before, accepts);
    return compareWithBaseline(now, baseline, 'base.yaml', () => false).attacks[0];
  };
  const exploited = pairResults(times(5, 5), times(0, 5));
  const unattributed = pairResults(times(5, 5), times(5, 5));

  test('calls an attack that was exploited and is unattributed now unexpected, and not fixed', () => {
    expect(compare(exploited, unattributed)).toMatchObject({
      change: 'unexpected',
      expected: 'exploited 5/5',
      found: 'inconclusive (unattributed)',
    });
  });

  test('calls an attack unexpected that still succeeds, but now only in some runs besides unattributed ones', () => {
    const some = pairResults(['B', 'A', 'A', 'A', 'A'], times(5, 5));
    expect(compare(exploited, some)?.change).toBe('unexpected');
  });

  test('calls an attack new that was unattributed and is exploited now', () => {
    expect(compare(unattributed, exploited, true)?.change).toBe('new');
  });

  test.each([
    [false, [], ['inconclusive']],
    [true, [{ status: 'inconclusive', causes: ['unattributed'] }], []],
  ])('accepts an unattributed attack only as any inconclusive one (%s)', (accepts, entries, refused) => {
    const blessed = createBaseline(unattributed, accepts);
    expect(blessed.baseline.entries).toMatchObject(entries);
    expect(blessed.refused.map(({ status }) => status)).toEqual(refused);
    if (accepts) expect(compare(unattributed, unattributed, true)?.change).toBe('unchanged');
  });
});

describe('merged shards', () => {
  test.each<[title: string, options: PairOptions]>([
    ['of the attack and of its twin', {}],
    ['with a tier from which a match fails', { failTier: 'local_action' }],
  ])('%s give the results of one machine', (_title, options) => {
    const { plan, entries } = pairRuns(['AB', 'A', 'a', '-'], ['A', 'a', '-', '-'], options);
    const part = (index: number, isTwin: boolean) => ({
      folder: String(index),
      stored: {
        plan: { ...plan, shard: { index, of: 2, attacks: [isTwin ? 1 : 0] } },
        entries: entries.filter(({ twin = false }) => twin === isTwin),
        isTorn: false,
        finished: 'then',
      },
    });
    const merged = mergeShards([part(1, true), part(2, false)]);
    if (!merged.ok) throw new Error(merged.reason);
    const { joined } = merged;
    expect(makeResults(joined.plan, joined.entries, { finished: 'then' })).toEqual(
      makeResults(plan, entries, { finished: 'then' }),
    );
  });
});
