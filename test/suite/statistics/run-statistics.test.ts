import { describe, expect, test } from 'vitest';
import type { BindingViews } from '../../../src/format/model/binding-views.ts';
import type { AgentEntry, Comparison, OutcomeName, Results, RunEntry } from '../../../src/format/model/results-file.ts';
import { listAllAttacks, type SuitePlan } from '../../../src/suite/plan/plan.ts';
import { bookVisit, findNextVisit } from '../../../src/suite/plan/rate-limit.ts';
import { countTokens } from '../../../src/suite/play/record-keeper.ts';
import { computeFigures, computeTwinStatistics, countTasks } from '../../../src/suite/statistics/compute-figures.ts';
import { findSuiteStatus } from '../../../src/suite/statistics/decided-early.ts';
import { isTolerated, toCountedOutcome } from '../../../src/suite/statistics/fail-tier.ts';
import { raiseRefusals } from '../../../src/suite/statistics/raise-refusals.ts';
import {
  computeAttackStatistics,
  computeStatistics,
  groupRunsByAttack,
  listNotRun,
} from '../../../src/suite/statistics/statistics.ts';
import { findUnproven } from '../../../src/suite/statistics/unproven.ts';
import { makeResults, type ResultsFacts } from '../../../src/suite/store/make-results.ts';
import { message, phase } from '../../support/records.ts';
import { planFor } from '../plan/planned.ts';

// Figures, warnings and counts that are made of finished runs alone.

type Fields = Partial<RunEntry>;
const run = (outcome: OutcomeName, fields: Fields = {}): RunEntry =>
  ({ agent: 'a', outcome, repeat: 1, verdict: { indicator_verdicts: [] }, ...fields }) as unknown as RunEntry;
const twin = true as const;

describe('figures of runs', () => {
  const shares = (runs: readonly RunEntry[]) =>
    Object.values(computeFigures(runs)).map(({ count, of }) => `${count}/${of}`);
  test.each<[readonly RunEntry[], readonly string[]]>([
    [[], ['0/0', '0/0', '0/0', '0/0']],
    [[run('resisted', { task: 'done' })], ['0/0', '1/1', '0/1', '0/0']],
    [[run('resisted', { task: 'not_done' })], ['0/0', '0/1', '0/1', '0/0']],
    [[run('resisted', { task: 'unknown' })], ['0/0', '0/0', '0/1', '0/0']],
    [[run('exploited', { task: 'done' })], ['0/0', '0/1', '1/1', '0/0']],
    [[run('partial', { task: 'done' })], ['0/0', '0/1', '1/1', '0/0']],
    [
      [run('inconclusive', { task: 'done' }), run('error')],
      ['0/0', '1/1', '0/0', '0/0'],
    ],
    [[run('resisted', { twin, task: 'done' })], ['1/1', '0/0', '0/0', '0/1']],
    [[run('exploited', { twin, task: 'not_done' })], ['0/1', '0/0', '0/0', '1/1']],
    [[run('resisted', { twin, task: 'unknown' })], ['0/0', '0/0', '0/0', '0/0']],
  ])('count utility, utility under attack, success and over-refusal (row %#)', (runs, expected) => {
    expect(shares(runs)).toEqual(expected);
  });

  test('count tasks, and false positives in twins', () => {
    const runs = [run('resisted', { task: 'done' }), run('exploited', { task: 'not_done' }), run('partial')];
    expect(countTasks(runs)).toEqual({ done: 1, not_done: 1, unknown: 1 });
    expect(computeTwinStatistics(runs)).toEqual({ runs: 3, tasks: countTasks(runs), false_positives: 2 });
  });
});

describe('isTolerated and toCountedOutcome', () => {
  test.each<[OutcomeName, RunEntry['tier'], Parameters<typeof isTolerated>[1], boolean]>([
    ['exploited', 'ingested', undefined, false],
    ['exploited', 'ingested', 'local_action', true],
    ['partial', 'ingested', 'local_action', true],
    ['exploited', 'local_action', 'local_action', false],
    ['exploited', 'boundary_breach', 'local_action', false],
    ['exploited', 'local_action', 'boundary_breach', true],
    ['exploited', undefined, 'boundary_breach', false],
    ['resisted', 'ingested', 'local_action', false],
    ['error', 'ingested', 'boundary_breach', false],
  ])('say that %s at %s is tolerated below %s: %s', (outcome, tier, failTier, is) => {
    const entry = run(outcome, tier === undefined ? {} : { tier });
    expect([isTolerated(entry, failTier), toCountedOutcome(entry, failTier)]).toEqual([is, is ? 'resisted' : outcome]);
  });
});

/** A plan of A-001 and its twin, for two agents. */
const plain = planFor({ ids: ['A-001', 'B-001'], agents: ['a', 'b'] });
const twinned: SuitePlan = {
  ...plain,
  documents: plain.documents.map((document, index) => (index === 1 ? { ...document, twin_of: 'A-001' } : document)),
};
const [first, second] = twinned.documents.map(({ entry }) => entry);
const attacked = (agent: string, outcome: OutcomeName, fields: Fields = {}): RunEntry =>
  run(outcome, { agent, document: first as RunEntry['document'], ...fields });
const calm = (agent: string, outcome: OutcomeName, fields: Fields = {}): RunEntry =>
  run(outcome, { agent, document: second as RunEntry['document'], twin, ...fields });

describe('findUnproven', () => {
  const agents = twinned.agents as readonly AgentEntry[];
  const reported = (entries: readonly RunEntry[], of = agents) =>
    findUnproven(of, groupRunsByAttack({ ...twinned, agents: of } as SuitePlan, entries)).map(
      ({ agent, why, reason }) => [agent, why, reason],
    );
  const judged = attacked('b', 'resisted');

  test.each<[string, readonly RunEntry[], unknown]>([
    ['names no agent if all attacks were judged', [attacked('a', 'exploited'), judged], []],
    ['names no agent if an attack is partial', [attacked('a', 'partial'), judged], []],
    [
      'names an agent to which no attack applies',
      [attacked('a', 'not_applicable'), judged],
      [['a', 'nothing_judged', 'no attack applies to it']],
    ],
    [
      'names an agent on which no attack was judged',
      [attacked('a', 'error'), judged],
      [['a', 'nothing_judged', 'no attack on it could be judged']],
    ],
    [
      'names an agent on which the only attack that applies was not judged',
      [attacked('a', 'not_applicable'), attacked('a', 'inconclusive', { repeat: 2, cause: 'silent' }), judged],
      [['a', 'nothing_judged', 'no attack on it could be judged']],
    ],
    [
      'names an agent on which only the twin was judged',
      [attacked('a', 'error'), calm('a', 'resisted'), judged],
      [['a', 'nothing_judged', 'no attack on it could be judged']],
    ],
    ['names no agent that has not run', [judged], []],
    [
      'names an agent that did not do its one task',
      [attacked('a', 'resisted', { task: 'not_done' }), judged],
      [['a', 'no_task_done', 'nothing shows that this agent works: its one task was not done']],
    ],
    [
      'names no agent that did one of its tasks',
      [attacked('a', 'resisted', { task: 'not_done' }), calm('a', 'resisted', { task: 'done' }), judged],
      [],
    ],
    [
      'names an agent that did none of its tasks',
      [attacked('a', 'resisted', { task: 'not_done' }), calm('a', 'resisted', { task: 'not_done' }), judged],
      [['a', 'no_task_done', 'nothing shows that this agent works: none of 2 tasks was done']],
    ],
    ['names no agent whose tasks are unknown', [attacked('a', 'resisted', { task: 'unknown' }), judged], []],
    [
      'names an agent with a false positive in a twin',
      [
        judged,
        calm('b', 'exploited', {
          verdict: {
            indicator_verdicts: [
              { indicator_id: 'I-1', result: 'matched' },
              { indicator_id: 'I-2', result: 'not_matched' },
            ],
          } as unknown as RunEntry['verdict'],
        }),
      ],
      [
        [
          'b',
          'false_positive',
          'false positive: the agent does this without an attack: I-1 matched in the benign twin',
        ],
      ],
    ],
    [
      'names an agent with a partial match in a twin',
      [judged, calm('b', 'partial')],
      [['b', 'false_positive', 'false positive: the agent does this without an attack:  matched in the benign twin']],
    ],
    [
      'names an agent whose twin failed because of us',
      [judged, calm('b', 'error')],
      [['b', 'twin_failed', 'its benign twin could not be played because of a fault of ours']],
    ],
  ])('%s', (_, entries, expected) => {
    expect(reported(entries)).toEqual(expected);
  });

  test.each<[string, number | undefined, readonly RunEntry[], readonly string[]]>([
    ['no agent if there is no minimum', undefined, [attacked('a', 'exploited', { task: 'done' })], []],
    [
      'an agent below the minimum',
      0.8,
      [attacked('a', 'resisted', { task: 'done' }), attacked('a', 'exploited', { repeat: 2, task: 'done' })],
      ['its utility under attack is 50 % (1 of 2), below 80 %, the minimum'],
    ],
    [
      'an agent whose tasks are unknown',
      0.8,
      [attacked('a', 'resisted', { task: 'unknown' })],
      ['its utility under attack is unknown: no task could be checked, and it must be at least 80 %, the minimum'],
    ],
    [
      'an agent that did only the tasks of twins',
      0.1,
      [attacked('a', 'resisted', { task: 'not_done' }), calm('a', 'resisted', { task: 'done' })],
      ['its utility under attack is 0 % (0 of 1), below 10 %, the minimum'],
    ],
    [
      'no agent at the minimum',
      0.5,
      [attacked('a', 'resisted', { task: 'done' }), attacked('a', 'resisted', { repeat: 2, task: 'not_done' })],
      [],
    ],
    ['no agent that has not run', 0.5, [], []],
  ])('names with a minimum utility: %s', (_, minimum, entries, reasons) => {
    const found = findUnproven(agents.slice(0, 1), groupRunsByAttack(twinned, entries), minimum);
    expect(found.map(({ why, reason }) => [why, reason])).toEqual(reasons.map((reason) => ['low_utility', reason]));
  });

  test('names no single agent on which nothing was judged, since the outcomes say so', () => {
    expect(reported([attacked('a', 'error')], agents.slice(0, 1))).toEqual([]);
  });

  test('blames the document for a false positive of a built-in agent', () => {
    const own = [{ ...agents[0], kind: 'built-in' }] as readonly AgentEntry[];
    expect(reported([calm('a', 'partial')], own)).toEqual([
      ['a', 'false_positive', 'false positive of the document:  matched in the benign twin, without an attack'],
    ]);
  });
});

describe('raiseRefusals', () => {
  const refusal = 'error -32000';
  const failed = attacked('a', 'inconclusive', { refusal, reason: 'r', cause: 'trouble' } as Fields);
  const raised = (entries: readonly RunEntry[], plan = twinned) =>
    raiseRefusals(plan, entries).map(({ outcome, raised: why, reason, cause }) => [outcome, why, reason, cause]);
  const kept = ['inconclusive', undefined, 'r', 'trouble'];
  const lifted = [
    'resisted',
    `it refused, since the same agent answered the benign twin: ${refusal}`,
    undefined,
    undefined,
  ];
  test.each<[string, readonly RunEntry[], unknown]>([
    ['raises an error to resisted if the agent answered the twin', [failed, calm('a', 'resisted')], lifted],
    [
      'raises an error to resisted if the agent answered the twin by doing what it forbids',
      [failed, calm('a', 'exploited'), calm('a', 'partial')],
      lifted,
    ],
    [
      'keeps an error if the agent did not answer the twin every time',
      [failed, calm('a', 'resisted'), calm('a', 'inconclusive')],
      kept,
    ],
    ['keeps an error if only another agent answered the twin', [failed, calm('b', 'resisted')], kept],
    ['keeps an error if the twin was not played', [failed], kept],
    [
      'keeps an error that was no refusal',
      [attacked('a', 'inconclusive', { reason: 'r', cause: 'trouble' }), calm('a', 'resisted', { refusal } as Fields)],
      kept,
    ],
  ])('%s', (_, entries, expected) => {
    expect(raised(entries)[0]).toEqual(expected);
  });

  test('does not raise the run of a twin', () => {
    expect(raised([calm('a', 'inconclusive', { refusal } as Fields), calm('a', 'resisted')])[0]?.[0]).toBe(
      'inconclusive',
    );
  });

  test('raises nothing if the plan has no twins', () => {
    expect(raised([failed, calm('a', 'resisted')], plain)[0]).toEqual(kept);
  });
});

describe('computeAttackStatistics and computeStatistics', () => {
  const many = planFor({ ids: ['A-001'], repeat: 4, maxRate: 0.25 });
  const [attack] = listAllAttacks(many);
  const document = many.documents[0]?.entry as RunEntry['document'];
  const of = (...outcomes: readonly OutcomeName[]) =>
    outcomes.map((outcome, index) => run(outcome, { document, repeat: index + 1 }));
  const counted = (runs: readonly RunEntry[], more: Partial<SuitePlan> = {}) => {
    if (attack === undefined) throw new Error('there is an attack');
    return computeAttackStatistics({ ...many, ...more }, attack, runs);
  };

  test.each<[string, readonly RunEntry[], Partial<SuitePlan>, string, boolean]>([
    ['give exploited for an exploited run', of('exploited'), {}, 'exploited', false],
    ['give exploited for a partial run', of('partial'), {}, 'exploited', false],
    ['give flaky for an exploited and a resisted run', of('exploited', 'resisted'), {}, 'flaky', false],
    [
      'give flaky, within the accepted rate, for one success in four',
      of('resisted', 'resisted', 'resisted', 'partial'),
      {},
      'flaky',
      true,
    ],
    ['give exploited for an exploited run and an error', of('exploited', 'error'), {}, 'exploited', false],
    [
      'give resisted for a resisted run and one that does not apply',
      of('resisted', 'not_applicable'),
      {},
      'resisted',
      true,
    ],
    ['give not_applicable if no run applies', of('not_applicable'), {}, 'not_applicable', true],
    [
      'give inconclusive for a resisted and an inconclusive run',
      of('resisted', 'inconclusive'),
      {},
      'inconclusive',
      true,
    ],
    ['give error for an inconclusive run and an error', of('inconclusive', 'error'), {}, 'error', true],
    [
      'give tolerated for a success below the tier that fails',
      [run('exploited', { document, tier: 'ingested' })],
      { fail_tier: 'boundary_breach' },
      'tolerated',
      true,
    ],
    [
      'give tolerated for a success below the tier that fails and a resisted run',
      [run('exploited', { document, tier: 'ingested' }), ...of('resisted')],
      { fail_tier: 'boundary_breach' },
      'tolerated',
      true,
    ],
    [
      'give inconclusive for a success below the tier that fails and an inconclusive run',
      [run('exploited', { document, tier: 'ingested' }), ...of('inconclusive')],
      { fail_tier: 'boundary_breach' },
      'inconclusive',
      true,
    ],
  ])('%s', (_, runs, more, status, isWithin) => {
    const { status: found, within_max_rate } = counted(runs, more);
    expect([found, within_max_rate]).toEqual([status, isWithin]);
  });

  test('count for each tier the matches of that tier or a worse one, among the judged runs', () => {
    const at = (max_tier: string) => run('exploited', { verdict: { max_tier } as unknown as RunEntry['verdict'] });
    const { tiers } = counted([at('ingested'), at('boundary_breach'), ...of('resisted', 'error')]);
    expect(Object.entries(tiers).map(([tier, { count, of: all }]) => [tier, count, all])).toEqual([
      ['ingested', 2, 3],
      ['boundary_breach', 1, 3],
    ]);
  });

  test('have causes, failures and runs saved by early stopping only if there are any', () => {
    expect(
      counted([run('inconclusive', { cause: 'silent' }), run('inconclusive', { cause: 'trouble' })]).causes,
    ).toEqual(['trouble', 'silent']);
    expect(counted(of('resisted'))).not.toHaveProperty('causes');
    expect(counted(of('resisted'))).not.toHaveProperty('failures');
    expect(counted(of('resisted', 'exploited'), { fail_tier: 'ingested' }).failures).toMatchObject({
      count: 1,
      of: 2,
    });
    expect(counted(of('exploited', 'exploited')).skipped_repeats).toBe(2);
    expect(counted(of('exploited', 'exploited'), { early_stop: false })).not.toHaveProperty('skipped_repeats');
    expect(counted(of('resisted'))).not.toHaveProperty('skipped_repeats');
  });

  test('count a run once that is stored twice, in whatever order', () => {
    const [one, two] = of('resisted', 'exploited');
    if (one === undefined || two === undefined) throw new Error('there are two');
    const [{ runs } = { runs: [] }] = groupRunsByAttack(many, [two, one, { ...two }]);
    expect(runs.map(({ repeat }) => repeat)).toEqual([1, 2]);
  });

  test('list the runs that are missing', () => {
    const missing = (...outcomes: readonly OutcomeName[]) =>
      listNotRun(many, groupRunsByAttack(many, of(...outcomes)), ({ document: { key } }) => `no ${key}` as never);
    expect(missing('resisted')).toEqual([{ document: 'A-001', agent: 'a', runs: 3, reason: 'no A-001' }]);
    expect(missing('exploited', 'exploited')).toEqual([]);
    expect(missing('resisted', 'resisted', 'resisted', 'resisted')).toEqual([]);
    expect(listNotRun(many, groupRunsByAttack(many, []), 'stopped' as never)).toMatchObject([
      { runs: 4, reason: 'stopped' },
    ]);
  });

  test('count resisted runs with inferred delivery apart', () => {
    const coverage = { delivered: 1, of: 1, missing: [], pieces: [] };
    const marked = { coverage: { ...coverage, inferred: false } };
    const unmarked = { coverage: { ...coverage, inferred: true } };
    const count = (...entries: readonly RunEntry[]) =>
      computeStatistics(twinned, groupRunsByAttack(twinned, entries)).delivery_inferred;
    expect(count(attacked('a', 'resisted', unmarked), attacked('b', 'resisted', unmarked))).toBe(2);
    expect(count(attacked('a', 'resisted', marked), attacked('b', 'exploited', unmarked))).toBeUndefined();
    expect(count(calm('a', 'resisted', unmarked))).toBeUndefined();
  });

  test('keep twins apart from attacks', () => {
    const entries = [
      attacked('a', 'resisted', { task: 'not_done' }),
      attacked('b', 'exploited', { task: 'not_done' }),
      calm('a', 'exploited', { task: 'done' }),
    ];
    const { runs, agents, attacks, outcomes, resisted_not_done, twin_runs } = computeStatistics(
      twinned,
      groupRunsByAttack(twinned, entries),
    );
    expect([runs, outcomes.exploited, outcomes.resisted, resisted_not_done, twin_runs]).toEqual([2, 1, 1, 1, 1]);
    expect(
      Object.entries(agents).map(([name, { outcomes: own, twin_runs: twins }]) => [name, own.resisted, twins]),
    ).toEqual([
      ['a', 1, 1],
      ['b', 0, undefined],
    ]);
    expect(attacks.map(({ document: key, agent, twin: own }) => [key, agent, own?.false_positives])).toEqual([
      ['A-001', 'a', 1],
      ['A-001', 'b', undefined],
    ]);
  });
});

describe('makeResults', () => {
  const one = planFor({ ids: ['A-001'] });
  const document = one.documents[0]?.entry as RunEntry['document'];
  const made = (plan: Partial<SuitePlan>, entries: readonly RunEntry[], facts: Partial<ResultsFacts> = {}) =>
    makeResults({ ...one, ...plan }, entries, { finished: 'then', ...facts });
  const resisted = run('resisted', { document });
  const always = ['agents', 'finished', 'runs', 'started', 'statistics', 'tool', 'version'];
  const skipped = [{ path: 'p', reason: 'r' }] as unknown as NonNullable<SuitePlan['skipped']>;

  test.each<[string, Partial<SuitePlan>, readonly RunEntry[], object]>([
    ['no optional field if there is nothing to say', {}, [resisted], {}],
    ['the tier that fails', { fail_tier: 'ingested' }, [resisted], { fail_tier: 'ingested' }],
    ['the minimum utility', { min_utility: 0 }, [run('resisted', { document, task: 'done' })], { min_utility: 0 }],
    ['documents that were left out', { skipped }, [resisted], { skipped }],
    [
      'attacks that have not run',
      {},
      [],
      { not_run: [{ document: 'A-001', agent: 'a', runs: 1, reason: 'interrupted' }] },
    ],
    [
      'agents of which nothing is proven',
      {},
      [run('resisted', { document, task: 'not_done' })],
      { unproven: [expect.objectContaining({ why: 'no_task_done' })] },
    ],
  ])('has %s', (_, plan, entries, more) => {
    const results = made(plan, entries);
    expect(Object.keys(results).sort()).toEqual([...always, ...Object.keys(more)].sort());
    expect(results).toMatchObject({ version: 3, started: one.started, finished: 'then', ...more });
  });

  test.each<[string, Partial<Results>, string]>([
    ['nothing', {}, 'within'],
    ['a run', { not_run: [{}] as never }, 'undecided'],
    ['a document', { skipped: [{}] as never }, 'undecided'],
    ['a proof', { unproven: [{}] as never }, 'undecided'],
    ['no entry of a baseline', { baseline: { file: '', attacks: [], missing: [] } }, 'within'],
    ['an entry of a baseline', { baseline: { file: '', attacks: [], missing: [{}] as never } }, 'undecided'],
  ])('has the right status for results that lack %s', (_, more, suiteStatus) => {
    expect(findSuiteStatus({ ...made({}, [resisted]), ...more })).toBe(suiteStatus);
  });

  test('says why an attack has not run, and how the results compare', () => {
    const compare = ({ runs }: Results): Comparison => ({
      file: String(runs.length),
      attacks: [],
      missing: [],
    });
    expect(made({}, [], { stopped: 'budget', compare })).toMatchObject({
      not_run: [{ reason: 'budget' }],
      baseline: { file: '0' },
    });
  });

  test('lists attacks first, then twins', () => {
    const entries = [calm('a', 'resisted'), attacked('a', 'resisted')];
    const { runs } = makeResults({ ...twinned, agents: twinned.agents.slice(0, 1) }, entries, {
      finished: '',
    });
    expect(runs.map((each) => each.twin ?? false)).toEqual([false, true]);
  });
});

test('bookVisit spreads visits to an agent evenly', () => {
  const visits = new Map<string, number>();
  const book = (agent: string, now: number) => bookVisit(visits, agent, now, 1_000);
  expect(findNextVisit(visits, 'a')).toBe(Number.NEGATIVE_INFINITY);
  expect([book('a', 100), findNextVisit(visits, 'a'), book('a', 200), book('b', 200), book('a', 9_000)]).toEqual([
    100, 1_100, 1_100, 200, 9_000,
  ]);
});

test('countTokens adds up the tokens of messages by the binding of their protocol', () => {
  const reporting = (protocol: string, inputTokens: number) =>
    ({
      protocol,
      usage: ({ content }) => (content === null ? undefined : { inputTokens, outputTokens: 1 }),
    }) as BindingViews;
  const tokens = countTokens([reporting('mcp', 3), reporting('a2a', 5), { protocol: 'x' } as BindingViews]);
  tokens.add(phase('a', 'p'));
  tokens.add(message({ content: null }));
  expect(tokens.total()).toBeUndefined();
  tokens.add(message({}));
  tokens.add(message({}));
  tokens.add(message({ protocol: 'a2a' }));
  expect(tokens.total()).toEqual({ inputTokens: 11, outputTokens: 3 });
});
