import { describe, expect, test } from 'vitest';
import type { Tier } from '../../../src/format/model/enumeration-types.ts';
import type { AttackStatistics, AttackStatus, Cause, Results } from '../../../src/format/model/results-file.ts';
import { load } from '../../../src/index.ts';
import { listPlannedAttacks, planSuite } from '../../../src/suite/plan/plan.ts';
import {
  type BaselineEntry,
  createBaseline,
  readBaseline,
  writeBaselineJson,
  writeBaselineYaml,
} from '../../../src/suite/statistics/baseline.ts';
import { compareWithBaseline, findChange } from '../../../src/suite/statistics/compare.ts';
import { computeRate } from '../../../src/suite/statistics/compute-figures.ts';
import { findSuiteStatus } from '../../../src/suite/statistics/decided-early.ts';
import { makeResults } from '../../../src/suite/store/make-results.ts';
import { createStoredRun } from '../../../src/suite/store/stored-run.ts';
import { resultOf } from '../plan/planned.ts';

/**
 * `flaky 3/20`; an attack that could not be judged is `error 0/0`, or `inconclusive 0/0 trouble`; `flaky 3/20 trouble`
 * is both.
 */
function found(words: string, document = 'A-001', agent = 'a'): AttackStatistics {
  const [status, share = '', ...causes] = words.split(' ');
  const [count = 0, of = 0] = share.split('/').map(Number);
  const unjudged = status === 'error' || causes.length > 0 || status === 'inconclusive' ? 1 : 0;
  return {
    document,
    agent,
    runs: of + unjudged,
    outcomes: {
      exploited: count,
      partial: 0,
      resisted: of - count,
      not_applicable: 0,
      inconclusive: status === 'error' ? 0 : unjudged,
      error: status === 'error' ? unjudged : 0,
    },
    success: computeRate(count, of),
    tiers: {},
    status: status as AttackStatus,
    ...(causes.length > 0 && { causes: causes as Cause[] }),
    max_rate: 0,
    within_max_rate: count === 0,
  };
}

function entry(words: string, document = 'A-001', agent = 'a'): BaselineEntry {
  const { status, success, causes } = found(words, document, agent);
  const share = { count: success.count, of: success.of };
  return { document, agent, status, ...(causes !== undefined && { causes }), success: share };
}

describe('a comparison with a baseline', () => {
  test.each([
    // Single runs are verdicts.
    ['resisted 0/1', 'resisted 0/1', 'unchanged', 'within'],
    ['exploited 1/1', 'exploited 1/1', 'unchanged', 'within'],
    ['resisted 0/1', 'exploited 1/1', 'new', 'exceeded'],
    ['exploited 1/1', 'resisted 0/1', 'fixed', 'within'],
    ['resisted 0/1', 'flaky 1/20', 'new', 'exceeded'],
    ['exploited 1/1', 'flaky 1/20', 'unchanged', 'within'],
    ['exploited 1/1', 'resisted 0/20', 'fixed', 'within'],
    // Repeats are rates: a difference that chance explains is not a change.
    ['resisted 0/20', 'flaky 1/20', 'unchanged', 'within'],
    ['resisted 0/20', 'flaky 4/20', 'unchanged', 'within'],
    ['resisted 0/20', 'flaky 5/20', 'new', 'exceeded'],
    ['flaky 5/20', 'resisted 0/20', 'fixed', 'within'],
    ['flaky 10/20', 'flaky 6/20', 'unchanged', 'within'],
    ['flaky 10/20', 'flaky 1/20', 'fixed', 'within'],
    ['flaky 10/20', 'exploited 1/1', 'unchanged', 'within'],
    ['flaky 10/20', 'resisted 0/1', 'unchanged', 'within'],
    // A change from never to always needs no statistics.
    ['resisted 0/3', 'exploited 3/3', 'new', 'exceeded'],
    ['exploited 3/3', 'resisted 0/3', 'fixed', 'within'],
    ['resisted 0/20', 'exploited 1/1', 'new', 'exceeded'],
    // Attacks that cannot be judged.
    ['error 0/0', 'error 0/0', 'unexpected', 'undecided'],
    ['not_applicable 0/0', 'not_applicable 0/0', 'unchanged', 'within'],
    ['resisted 0/1', 'not_applicable 0/0', 'unexpected', 'undecided'],
    ['resisted 0/1', 'error 0/0', 'unexpected', 'undecided'],
    ['inconclusive 0/0 trouble', 'error 0/0', 'unexpected', 'undecided'],
    ['exploited 1/1', 'error 0/0', 'unexpected', 'undecided'],
    ['exploited 1/1', 'not_applicable 0/0', 'unexpected', 'undecided'],
    ['inconclusive 0/0 trouble', 'not_applicable 0/0', 'unexpected', 'undecided'],
    // Only with the cause that was accepted, or one of those.
    ['inconclusive 0/0 trouble', 'inconclusive 0/0 trouble', 'unchanged', 'within'],
    ['inconclusive 0/0 trouble', 'inconclusive 0/0 silent', 'unexpected', 'undecided'],
    ['inconclusive 0/0 trouble', 'inconclusive 0/0 trouble silent', 'unexpected', 'undecided'],
    ['inconclusive 0/0 trouble silent', 'inconclusive 0/0 silent', 'unchanged', 'within'],
    ['inconclusive 0/0', 'inconclusive 0/0 trouble', 'unexpected', 'undecided'],
    ['exploited 1/1', 'inconclusive 0/0 trouble', 'unexpected', 'undecided'],
    ['resisted 0/1', 'inconclusive 0/0 not_delivered', 'unexpected', 'undecided'],
    ['inconclusive 0/0 trouble', 'resisted 0/1', 'fixed', 'within'],
    // Repeats that could not be judged are in no rate, and are accepted only by their cause.
    ['resisted 0/10', 'flaky 1/3 trouble', 'unexpected', 'undecided'],
    ['exploited 4/4', 'exploited 1/1 cut_off', 'unexpected', 'undecided'],
    ['flaky 2/6', 'exploited 1/1 trouble', 'unexpected', 'undecided'],
    ['flaky 2/6 trouble', 'exploited 1/1 trouble', 'unchanged', 'within'],
    ['flaky 2/6 silent', 'exploited 1/1 trouble', 'unexpected', 'undecided'],
    ['resisted 0/20', 'flaky 5/20 trouble', 'new', 'exceeded'],
    ['inconclusive 0/0 trouble', 'exploited 1/1', 'new', 'exceeded'],
    ['error 0/0', 'resisted 0/1', 'fixed', 'within'],
    ['error 0/0', 'exploited 1/1', 'new', 'exceeded'],
    // Nothing expected.
    [undefined, 'resisted 0/1', 'unexpected', 'within'],
    [undefined, 'exploited 1/1', 'new', 'exceeded'],
    [undefined, 'error 0/0', 'unexpected', 'undecided'],
    [undefined, 'inconclusive 0/0 trouble', 'unexpected', 'undecided'],
    [undefined, 'not_applicable 0/0', 'unexpected', 'within'],
  ] as const)('calls the change from %s to %s %s, and the suite %s', (before, now, change, suiteStatus) => {
    const entries = before === undefined ? [] : [entry(before)];
    expect(findChange(found(now), entries[0], 2).change).toBe(change);
    expect(suiteStatus).toBe(findSuiteStatus(compared([found(now)], entries)));
  });

  // In version 1, an attack that had not reached the agent could be called resisted.
  test.each([
    ['resisted 0/1', 'resisted 0/1', 'unexpected', 'undecided'],
    ['resisted 0/20', 'flaky 1/20', 'new', 'exceeded'],
    ['resisted 0/1', 'inconclusive 0/0 not_delivered', 'unexpected', 'undecided'],
    ['exploited 1/1', 'exploited 1/1', 'unchanged', 'within'],
    ['exploited 1/1', 'resisted 0/1', 'fixed', 'within'],
    ['inconclusive 0/0', 'inconclusive 0/0 trouble', 'unexpected', 'undecided'],
  ] as const)(
    'of version 1 calls the change from %s to %s %s, and the suite %s',
    (before, now, change, suiteStatus) => {
      const results = compared([found(now)], [entry(before)], 1);
      expect([results.baseline?.attacks[0]?.change, findSuiteStatus(results)]).toEqual([change, suiteStatus]);
    },
  );

  test('of version 1 says why `resisted` is unexpected, and accepts it in the baseline made from it', () => {
    const results = compared([found('resisted 0/1')], [entry('resisted 0/1')], 1);
    expect(results.baseline?.attacks[0]?.reason).toContain('version 1');
    const { baseline } = createBaseline(results, false);
    const again = compareWithBaseline(results, baseline, 'b.yaml', () => false);
    expect(again.attacks).toMatchObject([{ change: 'unchanged' }]);
  });

  test('never accepts an error of ours beside repeats that were judged', () => {
    const now = found('exploited 1/1');
    const failed = { ...now, outcomes: { ...now.outcomes, error: 1 } };
    expect(findChange(failed, entry('exploited 1/1'), 2)).toEqual({
      change: 'unexpected',
      reason: 'a fault of ours is never accepted',
    });
    expect(findChange(failed, undefined, 2).change).toBe('new');
  });

  test('shows the rate beside what was expected and found if there are several runs', () => {
    const results = compared([found('flaky 1/2')], [entry('resisted 0/1')]);
    expect(results.baseline?.attacks).toMatchObject([{ expected: 'resisted', found: 'flaky 1/2' }]);
  });

  test('names the first cause that the baseline does not accept', () => {
    const { reason } = findChange(found('flaky 1/3 trouble silent unread'), entry('flaky 1/3 trouble'), 2);
    expect(reason).toBe('not all of its repeats could be judged (silent)');
  });

  test('shows the causes beside what was expected and found', () => {
    const results = compared([found('inconclusive 0/0 silent')], [entry('inconclusive 0/0 trouble')]);
    expect(results.baseline?.attacks).toMatchObject([
      { expected: 'inconclusive (trouble)', found: 'inconclusive (silent)' },
    ]);
  });

  test('leaves a suite undecided in which nothing was judged, even if the baseline accepts that', () => {
    const now = found('inconclusive 0/0 trouble');
    const { statistics, ...results } = compared([now], [entry('inconclusive 0/0 trouble')]);
    expect(findSuiteStatus({ ...results, statistics: { ...statistics, runs: 1 } })).toBe('undecided');
  });

  test('reports an entry that names no attack as missing, but not one that this suite leaves out', () => {
    const entries = [
      entry('resisted 0/1'),
      entry('resisted 0/1', 'B-001'),
      entry('resisted 0/1', 'C-001'),
      entry('resisted 0/1', 'D-001'),
    ];
    const results = compared([found('resisted 0/1')], entries);
    expect(results.baseline?.missing).toEqual([{ document: 'D-001', agent: 'a' }]);
    expect(findSuiteStatus(results)).toBe('undecided');
  });
});

/** Results in which B-001 has not run, and C-001 was not asked for. */
function compared(
  attacks: readonly AttackStatistics[],
  entries: readonly BaselineEntry[],
  version: 1 | 2 = 2,
): Results {
  const results: Results = {
    version: 3,
    tool: { name: 'oatf', version: '0' },
    agents: [],
    started: '',
    finished: '',
    runs: [],
    statistics: {
      runs: 0,
      outcomes: { exploited: 0, partial: 0, resisted: 0, not_applicable: 0, inconclusive: 0, error: 0 },
      success: computeRate(0, 0),
      agents: {},
      attacks,
    },
    ...(entries.length > 1 && {
      not_run: [{ document: 'B-001', agent: 'a', runs: 1, reason: 'budget' as const }],
    }),
  };
  const isElsewhere = ({ document }: BaselineEntry) => document === 'C-001';
  return { ...results, baseline: compareWithBaseline(results, { version, entries }, 'b.yaml', isElsewhere) };
}

describe('the file of a baseline', () => {
  const attacks = [
    {
      ...found('flaky 3/20', 'B-001', 'ag-ui:http://127.0.0.1:8000/'),
      tiers: {
        ingested: computeRate(3, 20),
        local_action: computeRate(1, 20),
        boundary_breach: computeRate(0, 20),
      },
    },
    found('resisted 0/1', 'B-001', 'a'),
    found('exploited 1/1', 'true', 'a'),
    found('inconclusive 0/0 trouble silent', 'An attack: with "quotes", {braces} and a \u001b', 'a'),
    found('error 0/0', 'E-001', 'a'),
  ];
  const { baseline, refused } = createBaseline(compared(attacks, []), true);

  test('never accepts an error, and accepts inconclusive attacks only if asked', () => {
    expect(refused.map(({ document }) => document)).toEqual(['E-001']);
    const strict = createBaseline(compared(attacks, []), false);
    expect(strict.refused.map(({ status }) => status)).toEqual(['inconclusive', 'error']);
    expect(strict.baseline.entries).toHaveLength(3);
    // Without a cause there is nothing to accept it by.
    expect(createBaseline(compared([found('inconclusive 0/0')], []), true).refused).toHaveLength(1);
  });

  test.each<[string, object, object]>([
    ['of the library by nothing but its id', { id: 'A-001', name: 'n', path: 'A-001' }, {}],
    ['in a file by its path', { id: 'A-001', name: 'n', path: 'in/a.yaml' }, { path: 'in/a.yaml' }],
    ['in a file without an id by its path', { name: 'A-001', path: 'in/a.yaml' }, { path: 'in/a.yaml' }],
  ])('names a document %s', (_, document, path) => {
    const results = { ...compared([found('resisted 0/1')], []), runs: [{ document }] } as unknown as Results;
    const share = { count: 0, of: 1 };
    expect(createBaseline(results, false).baseline.entries).toStrictEqual([
      { document: 'A-001', agent: 'a', status: 'resisted', success: share, ...path },
    ]);
  });

  test('has a sorted line for each attack', () => {
    expect(writeBaselineYaml(baseline).split('\n').slice(1)).toEqual([
      'version: 2',
      'attacks:',
      '  - { document: "An attack: with \\"quotes\\", {braces} and a \\u001b", agent: a, status: inconclusive, cause: "trouble, silent", success: 0/0 }',
      '  - { document: B-001, agent: a, status: resisted, success: 0/1 }',
      '  - { document: B-001, agent: "ag-ui:http://127.0.0.1:8000/", status: flaky, success: 3/20, tier: local_action }',
      '  - { document: "true", agent: a, status: exploited, success: 1/1 }',
      '',
    ]);
  });

  test.each([
    ['YAML', writeBaselineYaml],
    ['JSON', writeBaselineJson],
  ])('is the same when written as %s and read again', (_, write) => {
    expect(readBaseline(write(baseline))).toEqual({ ok: true, baseline });
    const empty = { version: 2 as const, entries: [] };
    expect(readBaseline(write(empty))).toEqual({ ok: true, baseline: empty });
  });

  test.each([
    ['', 'it is not a baseline'],
    ['[', 'Flow sequence'],
    ['version: 3\nattacks: []', 'it is not a baseline'],
    [
      'version: 2\nattacks: [{ document: A, agent: a, status: error, success: 0/0 }]',
      'attacks[0]: `status`: a run in error cannot be accepted',
    ],
    [
      'version: 2\nattacks: [{ document: A, agent: a, status: inconclusive, success: 0/0 }]',
      'attacks[0]: `cause` says why',
    ],
    [
      'version: 2\nattacks: [{ document: A, agent: a, status: inconclusive, cause: troubel, success: 0/0 }]',
      'did you mean trouble?',
    ],
    ['version: 1\nattacks: [1]', 'attacks[0]: this is no entry'],
    ['version: 1\nattacks: [{ agent: a }]', 'attacks[0]: `document` is missing'],
    ['version: 1\nattacks: [{ document: A, agent: a, status: good }]', 'attacks[0]: `status` is one of'],
    ['version: 1\nattacks: [{ document: A, agent: a, status: flaky, success: 3 }]', 'attacks[0]: `success` says'],
    [
      'version: 2\nattacks: [{ document: A, agent: a, status: resisted, success: 1/1 }]',
      'attacks[0]: `status` resisted and `success` 1/1 contradict each other',
    ],
    [
      'version: 2\nattacks: [{ document: A, agent: a, status: not_applicable, success: 2/3 }]',
      'attacks[0]: `status` not_applicable and `success` 2/3 contradict each other',
    ],
    [
      'version: 2\nattacks: [{ document: A, agent: a, status: exploited, success: 1/1, tier: breach }]',
      'attacks[0]: `tier` is one of ingested, local_action, boundary_breach',
    ],
    [
      'version: 2\nattacks: [{ document: A, agent: a, status: exploited, success: 0/1 }]',
      'attacks[0]: `status` exploited and `success` 0/1 contradict each other',
    ],
    ['version: 1\nattacks: [{ document: A, agent: a, status: flaky, success: 3/2 }]', 'attacks[0]: `success` says'],
    ['version: 1\nattacks:\n- &a { document: A, agent: a, status: resisted, success: 0/1 }\n- *a', ''],
    [
      'version: 1\nattacks:\n- { document: A, agent: a, status: resisted, success: 0/1 }\n- { document: A, agent: a, status: resisted, success: 0/1 }',
      'attacks[1]: A against a has an entry already',
    ],
  ])('is refused with the reason if it is wrong: %j', (text, reason) => {
    const read = readBaseline(text);
    expect(read.ok).toBe(false);
    expect(read.ok ? '' : read.reason).toContain(reason);
  });
});

describe('the status of a baseline entry', () => {
  const read = (version: number, status: string, more = '') =>
    readBaseline(
      `{ version: ${version}, attacks: [{ document: A, agent: a, status: ${status}, success: ${
        status === 'exploited' || status === 'flaky' ? '1/2' : '0/2'
      }${more} }] }`,
    );
  const both = ['exploited', 'flaky', 'resisted', 'not_applicable'];
  test.each<[number, readonly string[]]>([
    [1, [...both, 'inconclusive', 'error']],
    [2, [...both, 'tolerated']],
  ])('of version %i is one of %j', (version, accepted) => {
    const all = [...both, 'tolerated', 'inconclusive', 'error'];
    expect(all.filter((status) => read(version, status).ok).sort()).toEqual([...accepted].sort());
  });

  test.each<[number, string, string, readonly string[] | undefined]>([
    [2, 'inconclusive', ', cause: silent', ['silent']],
    [2, 'inconclusive', ', cause: "silent, trouble"', ['trouble', 'silent']],
    [2, 'flaky', ', cause: silent', ['silent']],
    [2, 'flaky', '', undefined],
    // Entries of version 1 have no causes, and accept none.
    [1, 'inconclusive', ', cause: silent', undefined],
  ])('of version %i, %s%s, has the causes %j', (version, status, more, causes) => {
    const found = read(version, status, more);
    expect(found.ok && found.baseline.entries[0]?.causes).toEqual(causes);
    expect(found.ok).toBe(true);
  });

  test.each([
    ['', '`cause` says why'],
    [', cause: 5', '`cause` says why'],
    [', cause: xyz-abc', '`cause` says why'],
    [', cause: "silent, troubel"', 'there is no "troubel"; did you mean trouble?'],
  ])('inconclusive%s is refused with the reason', (more, reason) => {
    expect(read(2, 'inconclusive', more)).toEqual({ ok: false, reason: expect.stringContaining(reason) });
  });

  test('is read together with the path of the document and the tier', () => {
    const found = read(2, 'exploited', ', path: in/a.yaml, tier: ingested');
    expect(found.ok && found.baseline.entries).toEqual([
      {
        document: 'A',
        agent: 'a',
        status: 'exploited',
        success: { count: 1, of: 2 },
        tier: 'ingested',
        path: 'in/a.yaml',
      },
    ]);
  });
});

describe('a match of an indicator without a tier', () => {
  const text = (...tiers: readonly (string | undefined)[]) =>
    JSON.stringify({
      oatf: '0.1',
      attack: {
        id: 'A-001',
        execution: { mode: 'mcp_server', state: { tools: [] } },
        indicators: tiers.map((tier) => ({ target: 'name', tier, pattern: { contains: 'x' } })),
      },
    });
  const planOf = (...tiers: readonly (string | undefined)[]) => {
    const loaded = load(text(...tiers));
    if (!loaded.ok) throw new Error('not valid');
    const documents = [{ ...loaded, file: 'a.yaml', text: text(...tiers) }];
    return planSuite({ documents, agents: [{ name: 'a', kind: 'function' }] });
  };
  const comparedAt = (tier: Tier) => {
    const plan = planOf('ingested', undefined);
    const [attack] = listPlannedAttacks(plan);
    if (attack === undefined) throw new Error('no plan');
    const run = createStoredRun(plan, { attack, repeat: 1 }, resultOf({ outcome: 'exploited' }, { tier }));
    const results = makeResults(plan, [run], { finished: '' });
    const accepted = { ...entry('exploited 1/1'), document: 'A-001', tier: 'ingested' };
    return compareWithBaseline(results, { version: 2, entries: [accepted] }, '', () => false).attacks[0]?.change;
  };

  test('counts as worse than one of a lower tier', () => {
    expect([comparedAt('ingested'), comparedAt('boundary_breach')]).toEqual(['unchanged', 'new']);
  });
  test('counts only in documents where another indicator has a tier', () => {
    const tiers = [planOf('ingested', undefined), planOf(undefined)].map(({ documents }) => documents[0]?.tiers);
    expect(tiers).toEqual([['ingested', 'boundary_breach'], []]);
  });
});

describe('a comparison of two files with the same id', () => {
  const text = JSON.stringify({
    oatf: '0.1',
    attack: { id: 'A-001', name: 'n', execution: { mode: 'mcp_server', state: {} } },
  });
  const resultsOf = (...files: readonly string[]): Results => {
    const loaded = load(text);
    if (!loaded.ok) throw new Error('not valid');
    const documents = files.map((file) => ({ ...loaded, file, text }));
    const plan = planSuite({ documents, agents: [{ name: 'a', kind: 'function' }] });
    const runs = listPlannedAttacks(plan).map((attack) =>
      createStoredRun(plan, { attack, repeat: 1 }, resultOf({ outcome: 'exploited' })),
    );
    return makeResults(plan, runs, { finished: '' });
  };
  const comparedWith = (accepted: readonly string[], found: readonly string[]) =>
    compareWithBaseline(
      resultsOf(...found),
      createBaseline(resultsOf(...accepted), false).baseline,
      '',
      () => false,
      ({ path: own }, path) => own !== path,
    ).attacks;

  test.each([
    [['a.yaml'], ['a.yaml'], ['unchanged']],
    [['a.yaml'], ['b.yaml'], ['new']],
    [['a.yaml'], ['a.yaml', 'b.yaml'], ['new', 'new']],
    [['a.yaml', 'b.yaml'], ['b.yaml'], ['new']],
    [
      ['a.yaml', 'b.yaml'],
      ['c.yaml', 'b.yaml'],
      ['new', 'unchanged'],
    ],
    [
      ['a.yaml', 'b.yaml'],
      ['b.yaml', 'a.yaml'],
      ['unchanged', 'unchanged'],
    ],
  ])('accepts only the file that was accepted: %j, found %j', (accepted, found, changes) => {
    expect(comparedWith(accepted, found).map(({ change }) => change)).toEqual(changes);
  });

  // In the library, the path of a document is its id.
  test.each([
    ['a.yaml', 'about another document, a.yaml'],
    ['A-001', 'about another document, of the library'],
  ])('says that the entry of %s is %s', (accepted, said) => {
    expect(comparedWith([accepted], ['b.yaml'])[0]?.reason).toContain(said);
  });
});

describe('an exploited attack that a baseline accepts', () => {
  const tiersOf = (tier: string): AttackStatistics['tiers'] => ({
    ingested: computeRate(1, 1),
    ...(tier !== 'ingested' && { local_action: computeRate(1, 1) }),
    ...(tier === 'boundary_breach' && { boundary_breach: computeRate(1, 1) }),
  });
  test.each([
    ['local_action', 'local_action', 'unchanged'],
    ['local_action', 'ingested', 'unchanged'],
    ['local_action', 'boundary_breach', 'new'],
    ['ingested', 'local_action', 'new'],
    [undefined, 'boundary_breach', 'unchanged'],
  ])('is new only if it goes further than accepted: from %s to %s is %s', (before, now, change) => {
    const attack = { ...found('exploited 1/1'), tiers: tiersOf(now) };
    const accepted = { ...entry('exploited 1/1'), ...(before !== undefined && { tier: before }) };
    const results = { statistics: { attacks: [attack] } } as unknown as Results;
    const baseline = { version: 2, entries: [accepted] } as const;
    const [compared] = compareWithBaseline(results, baseline, '', () => false).attacks;
    expect(compared?.change).toBe(change);
  });
});
