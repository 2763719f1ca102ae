import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Results } from '../../../src/format/model/results-file.ts';
import { createTraceNamer, listPlannedAttacks, type SuitePlan } from '../../../src/suite/plan/plan.ts';
import { makeResults } from '../../../src/suite/store/make-results.ts';
import { mergeShards, type ShardResults, writeMergedRuns } from '../../../src/suite/store/merge-shards.ts';
import { readResults, readResultsFolder, type StoredRuns } from '../../../src/suite/store/read-results.ts';
import { ResultsFolder } from '../../../src/suite/store/results-folder.ts';
import { addRun, type PlanOptions, planFor, resultOf, textOf } from '../plan/planned.ts';

const root = mkdtempSync(join(tmpdir(), 'oatf-suite-'));
let folders = 0;
afterAll(() => rmSync(root, { recursive: true, force: true }));

function freshPath(): string {
  folders += 1;
  return join(root, String(folders));
}

/** The outcome of a run depends only on its document, agent and repeat. */
function outcomeOf(key: string, agent: string, repeat: number) {
  const number = [...`${key} ${agent} ${repeat}`].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9_973, 7);
  if (number % 4 === 0) return resultOf({ outcome: 'exploited' }, { maxTier: 'boundary_breach' });
  if (number % 7 === 0) return resultOf({ outcome: 'error', reason: 'why not' });
  return resultOf({ outcome: 'resisted' });
}

function runAll(path: string, plan: SuitePlan, reversed = false): ResultsFolder {
  const folder = ResultsFolder.begin(
    path,
    plan,
    plan.documents.map(({ key }) => textOf(key)),
  );
  const tasks = listPlannedAttacks(plan).flatMap((attack) =>
    Array.from({ length: plan.repeat }, (_, index) => ({ attack, repeat: index + 1 })),
  );
  for (const task of reversed ? tasks.reverse() : tasks) {
    writeFileSync(folder.traceFile(task), `${createTraceNamer(plan)(task)}\n`);
    addRun(folder, task, outcomeOf(task.attack.document.key, task.attack.agent.name, task.repeat));
  }
  return folder;
}

function stored(path: string): StoredRuns {
  const read = readResultsFolder(path);
  if (!read.ok) throw new Error(read.reason);
  return read.stored;
}

const finished = '2026-01-01T01:00:00.000Z';
const options: PlanOptions = {
  ids: ['A-001', 'B-001', 'C-001', 'D-001', 'E-001'],
  agents: ['a', 'b:c'],
  repeat: 3,
};

describe('a folder of results', () => {
  test('has runs in the order of the plan, in whatever order they end', async () => {
    const plan = planFor(options);
    const forwards = await runAll(freshPath(), plan).finish({ finished });
    const backwards = await runAll(freshPath(), plan, true).finish({ finished });
    expect(backwards).toEqual(forwards);
    expect(forwards.runs.map(({ document, agent, repeat }) => `${document.id} ${agent} ${repeat}`).slice(0, 7)).toEqual(
      ['A-001 a 1', 'A-001 a 2', 'A-001 a 3', 'A-001 b:c 1', 'A-001 b:c 2', 'A-001 b:c 3', 'B-001 a 1'],
    );
  });

  test('has the plan and documents before anything runs, for its owner only', () => {
    const path = freshPath();
    ResultsFolder.begin(path, planFor(options), options.ids.map(textOf));
    const modes = readdirSync(path, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => [name, (statSync(join(path, name)).mode & 0o777).toString(8)]);
    expect(modes).toEqual([
      ['documents', '700'],
      ...options.ids.map((id) => [`documents/${id}.yaml`, '600']),
      ['plan.json', '600'],
      ['runs.jsonl', '600'],
      ['traces', '700'],
    ]);
  });

  test('can be read at any byte at which its writer was killed', () => {
    const path = freshPath();
    runAll(path, planFor(options));
    const text = readFileSync(join(path, 'runs.jsonl'), 'utf8');
    const ends = [...text.matchAll(/\n/g)].map(({ index }) => index + 1);
    fc.assert(
      fc.property(fc.nat(text.length), (length) => {
        writeFileSync(join(path, 'runs.jsonl'), text.slice(0, length));
        const { entries, isTorn } = stored(path);
        expect(entries.length).toBe(ends.filter((end) => end <= length).length);
        expect(isTorn).toBe(length > 0 && !ends.includes(length));
      }),
      { numRuns: 60 },
    );
  });

  test('gives the same results when resumed after an interruption', async () => {
    const plan = planFor(options);
    const whole = await runAll(freshPath(), plan).finish({ finished });
    const path = freshPath();
    runAll(path, plan);
    const lines = readFileSync(join(path, 'runs.jsonl'), 'utf8').split('\n');
    writeFileSync(join(path, 'runs.jsonl'), `${lines.slice(0, 11).join('\n')}\n{"document":{"id":`);
    const folder = ResultsFolder.reopen(path, stored(path));
    expect(folder.entries.length).toBe(11);
    for (const attack of listPlannedAttacks(plan)) {
      const done = new Set(folder.runsOf(attack).map(({ repeat }) => repeat));
      for (const repeat of [1, 2, 3])
        if (!done.has(repeat))
          addRun(folder, { attack, repeat }, outcomeOf(attack.document.key, attack.agent.name, repeat));
    }
    expect(await folder.finish({ finished })).toEqual(whole);
    expect(stored(path).entries.length).toBe(30);
  });

  test('drops runs that the user stopped, and repeats them when resumed', () => {
    const plan = planFor({ ids: ['A-001', 'B-001'] });
    const path = freshPath();
    const [first, second] = listPlannedAttacks(plan);
    const begun = ResultsFolder.begin(path, plan, []);
    if (first === undefined || second === undefined) throw new Error('two attacks');
    addRun(begun, { attack: first, repeat: 1 }, resultOf({ outcome: 'resisted' }));
    addRun(
      begun,
      { attack: second, repeat: 1 },
      resultOf({ outcome: 'resisted' }, { end: { reason: 'stopped', diagnostics: [], skipped: [], waiting: {} } }),
    );
    const folder = ResultsFolder.reopen(path, stored(path));
    expect(folder.entries.map(({ document }) => document.id)).toEqual(['A-001']);
    expect(stored(path).entries.length).toBe(1);
  });

  test('gets a folder for traces again when resumed', () => {
    const path = freshPath();
    ResultsFolder.begin(path, planFor(options), []);
    rmSync(join(path, 'traces'), { recursive: true });
    ResultsFolder.reopen(path, stored(path));
    expect((statSync(join(path, 'traces')).mode & 0o777).toString(8)).toBe('700');
  });

  test('keeps a run that the user stopped if the agent had already complied', () => {
    const plan = planFor({ ids: ['A-001'] });
    const path = freshPath();
    const [attack] = listPlannedAttacks(plan);
    if (attack === undefined) throw new Error('an attack');
    const end = { reason: 'stopped', diagnostics: [], skipped: [], waiting: {} } as const;
    addRun(ResultsFolder.begin(path, plan, []), { attack, repeat: 1 }, resultOf({ outcome: 'exploited' }, { end }));
    const folder = ResultsFolder.reopen(path, stored(path));
    expect(folder.entries.map(({ outcome }) => outcome)).toEqual(['exploited']);
  });

  test('counts a run once, so that a repeated line does not hide a missing run', () => {
    const plan = planFor({ ids: ['A-001'], repeat: 2 });
    const path = freshPath();
    const [attack] = listPlannedAttacks(plan);
    if (attack === undefined) throw new Error('an attack');
    const folder = ResultsFolder.begin(path, plan, []);
    for (const repeat of [2, 2]) addRun(folder, { attack, repeat }, resultOf({ outcome: 'resisted' }));
    const { statistics, not_run } = makeResults(plan, stored(path).entries, { finished });
    expect([statistics.runs, not_run?.map(({ runs }) => runs)]).toEqual([1, [1]]);
  });

  test('is refused if a run says resisted and its verdict exploited', () => {
    const plan = planFor({ ids: ['A-001'] });
    const path = freshPath();
    const [attack] = listPlannedAttacks(plan);
    if (attack === undefined) throw new Error('an attack');
    addRun(ResultsFolder.begin(path, plan, []), { attack, repeat: 1 }, resultOf({ outcome: 'exploited' }));
    const lines = join(path, 'runs.jsonl');
    writeFileSync(lines, readFileSync(lines, 'utf8').replace('"outcome":"exploited"', '"outcome":"resisted"'));
    expect(readResultsFolder(path)).toMatchObject({ ok: false });
  });

  test('makes missing results again, and says what has not run', () => {
    const path = freshPath();
    const plan = planFor({ ids: ['A-001', 'B-001'], repeat: 2 });
    const [first] = listPlannedAttacks(plan);
    const folder = ResultsFolder.begin(path, plan, []);
    if (first === undefined) throw new Error('an attack');
    addRun(folder, { attack: first, repeat: 1 }, resultOf({ outcome: 'resisted' }));
    const read = readResults(path);
    expect(read.ok && read.results.not_run).toEqual([
      { document: 'A-001', agent: 'a', runs: 1, reason: 'interrupted' },
      { document: 'B-001', agent: 'a', runs: 2, reason: 'interrupted' },
    ]);
  });

  test.each([
    ['with no files', () => {}, 'there is no such folder'],
    [
      'without a plan',
      (path: string) => ResultsFolder.begin(path, planFor({ ids: [] }), []) && rmSync(join(path, 'plan.json')),
      'there is no plan.json in it',
    ],
    [
      'with a broken plan',
      (path: string) =>
        ResultsFolder.begin(path, planFor({ ids: [] }), []) && writeFileSync(join(path, 'plan.json'), '{'),
      'its plan.json is not JSON',
    ],
    [
      'with a broken line',
      (path: string) =>
        ResultsFolder.begin(path, planFor({ ids: [] }), []) && appendFileSync(join(path, 'runs.jsonl'), '{}\n'),
      'line 1 of its runs.jsonl is not a run',
    ],
  ])('%s is refused', (_, make, reason) => {
    const path = freshPath();
    make(path);
    expect(readResultsFolder(path)).toEqual({ ok: false, reason });
  });
});

describe('the status of an attack by its repeats', () => {
  const plan = planFor({ ids: ['A-001'], repeat: 4 });
  const [attack] = listPlannedAttacks(plan);
  const runs = (
    path: string,
    outcomes: readonly ('exploited' | 'partial' | 'resisted' | 'inconclusive' | 'error')[],
  ): Results => {
    const folder = ResultsFolder.begin(path, plan, []);
    if (attack === undefined) throw new Error('an attack');
    for (const [index, outcome] of outcomes.entries())
      addRun(
        folder,
        { attack, repeat: index + 1 },
        resultOf(
          outcome === 'inconclusive'
            ? { outcome, cause: 'silent', reason: 'x', causes: [{ cause: 'silent', reason: 'x' }] }
            : outcome === 'error'
              ? { outcome, reason: 'x' }
              : { outcome },
          outcome === 'exploited'
            ? { maxTier: 'boundary_breach' }
            : outcome === 'partial'
              ? { maxTier: 'ingested' }
              : {},
        ),
      );
    return makeResults(plan, folder.entries, { finished });
  };

  test.each([
    [['exploited', 'exploited'], 'exploited', '2/2', '2/2', '2/2'],
    [['exploited', 'partial'], 'exploited', '2/2', '2/2', '1/2'],
    [['exploited', 'error'], 'exploited', '1/1', '1/1', '1/1'],
    [['exploited', 'resisted', 'error'], 'flaky', '1/2', '1/2', '1/2'],
    [['partial', 'resisted'], 'flaky', '1/2', '1/2', '0/2'],
    [['resisted', 'resisted'], 'resisted', '0/2', '0/2', '0/2'],
    [['resisted', 'inconclusive'], 'inconclusive', '0/1', '0/1', '0/1'],
    [['resisted', 'inconclusive', 'error'], 'error', '0/1', '0/1', '0/1'],
    [['inconclusive'], 'inconclusive', '0/0', '0/0', '0/0'],
  ] as const)('for %j is %s, with the right rates', (outcomes, status, success, ingested, breach) => {
    const [found] = runs(freshPath(), outcomes).statistics.attacks;
    const words = ({ count, of }: { count: number; of: number }) => `${count}/${of}`;
    expect([
      found?.status,
      found && words(found.success),
      ...Object.entries(found?.tiers ?? {}).map(([tier, rate]) => `${tier} ${words(rate)}`),
    ]).toEqual([status, success, `ingested ${ingested}`, `boundary_breach ${breach}`]);
  });
});

describe('mergeShards', () => {
  test('makes of seven shards what one machine makes', async () => {
    const whole = await runAll(freshPath(), planFor(options)).finish({ finished });
    const parts: ShardResults[] = [];
    for (const index of [4, 1, 7, 2, 6, 3, 5]) {
      const folder = freshPath();
      await runAll(folder, planFor({ ...options, shard: { index, of: 7 } }), true).finish({ finished });
      parts.push({ folder, stored: stored(folder) });
    }
    const [first, ...others] = parts;
    if (first === undefined) throw new Error('seven');
    const join_ = mergeShards([first, ...others]);
    if (!join_.ok) throw new Error(join_.reason);
    const out = freshPath();
    writeMergedRuns(out, join_.joined, parts);
    expect(makeResults(join_.joined.plan, join_.joined.entries, { finished, stopped: join_.joined.whyNot })).toEqual(
      whole,
    );
    const again = stored(out);
    expect(makeResults(again.plan, again.entries, { finished })).toEqual(whole);
    for (const { trace, document } of whole.runs) {
      expect(readFileSync(join(out, trace), 'utf8')).toBe(`${trace}\n`);
      expect(readFileSync(join(out, document.source ?? ''), 'utf8')).toBe(textOf(document.id ?? ''));
    }
  });

  const shardOf = async (
    more: Partial<PlanOptions>,
    change: (plan: SuitePlan) => SuitePlan = (plan) => plan,
  ): Promise<ShardResults> => {
    const folder = freshPath();
    await runAll(folder, change(planFor({ ...options, ...more }))).finish({ finished });
    return { folder: JSON.stringify(more), stored: stored(folder) };
  };
  const firstHalf = { shard: { index: 1, of: 2 } };
  const secondHalf = { shard: { index: 2, of: 2 } };

  test.each<[string, Partial<PlanOptions>, (plan: SuitePlan) => SuitePlan, string]>([
    ['the attacks of the first', firstHalf, (plan) => plan, 'A-001 against a is in '],
    ['all attacks', {}, (plan) => plan, 'A-001 against a is in '],
    ['fewer documents', { ...secondHalf, ids: ['A-001'] }, (plan) => plan, 'the document B-001 is missing'],
    ['more documents', { ...secondHalf, ids: [...options.ids, 'F-001'] }, (plan) => plan, 'the document F-001 is new'],
    [
      'its documents in another order',
      { ...secondHalf, ids: [...options.ids].reverse() },
      (plan) => plan,
      'the documents are in another order',
    ],
    ['other agents', { ...secondHalf, agents: ['a'] }, (plan) => plan, 'the agents: ["a"], and not ["a","b:c"]'],
    ['more repeats', { ...secondHalf, repeat: 4 }, (plan) => plan, 'the number of repeats: 4, and not 3'],
    [
      'another accepted rate',
      { ...secondHalf, maxRate: 0.5 },
      (plan) => plan,
      'the accepted rate of A-001: 0.5, and not none',
    ],
    [
      'another version of this tool',
      secondHalf,
      (plan) => ({ ...plan, tool: { name: 'oatf', version: '9' } }),
      'it is of version 9',
    ],
    [
      'a changed document',
      secondHalf,
      (plan) => ({ ...plan, documents: plan.documents.map((each) => ({ ...each, sha256: 'x' })) }),
      'the document A-001 has changed',
    ],
    [
      'other settings',
      secondHalf,
      (plan) => ({ ...plan, settings: { prompt: 'Hi' } }),
      'the setting prompt: "Hi", and not none',
    ],
  ])('refuses a shard with %s', async (_, more, change, reason) => {
    const join_ = mergeShards([await shardOf(firstHalf), await shardOf(more, change)]);
    expect(join_.ok ? '' : join_.reason).toContain(reason);
  });

  test('lists every document once that any shard left out', async () => {
    const left = (...paths: string[]) => paths.map((path) => ({ path, reason: 'syntax' }));
    const join_ = mergeShards([
      await shardOf(firstHalf, (plan) => ({ ...plan, skipped: left('a.yaml', 'b.yaml') })),
      await shardOf(secondHalf, (plan) => ({ ...plan, skipped: left('b.yaml', 'c.yaml') })),
    ]);
    if (!join_.ok) throw new Error(join_.reason);
    const { plan, entries } = join_.joined;
    expect(makeResults(plan, entries, { finished }).skipped).toEqual(left('a.yaml', 'b.yaml', 'c.yaml'));
  });

  test('without all shards says which attacks are missing', async () => {
    const join_ = mergeShards([await shardOf(firstHalf)]);
    if (!join_.ok) throw new Error(join_.reason);
    const { plan, entries, whyNot } = join_.joined;
    const { not_run } = makeResults(plan, entries, { finished, stopped: whyNot });
    expect(not_run?.map(({ document, agent, runs, reason }) => [document, agent, runs, reason])).toEqual(
      options.ids.map((id) => [id, 'b:c', 3, 'missing_shard']),
    );
  });
});

describe('a folder of results with an absent agent', () => {
  const absent = resultOf(
    { outcome: 'inconclusive', cause: 'trouble', reason: 'x', causes: [{ cause: 'trouble', reason: 'x' }] },
    { absent: 'nothing listens there' },
  );

  function begun(): { readonly path: string; readonly plan: SuitePlan; readonly folder: ResultsFolder } {
    const path = freshPath();
    const plan = planFor({ ids: ['A-001', 'B-001', 'C-001', 'D-001'] });
    const texts = plan.documents.map(({ key }) => textOf(key));
    const folder = ResultsFolder.begin(path, plan, texts);
    for (const attack of listPlannedAttacks(plan).slice(0, 3)) addRun(folder, { attack, repeat: 1 }, absent);
    return { path, plan, folder };
  }

  test('says that the agent was unreachable, even if the results were not written', () => {
    const { path } = begun();
    const read = readResults(path);
    expect(read.ok && read.results.not_run).toEqual([
      { document: 'D-001', agent: 'a', runs: 1, reason: 'unreachable' },
    ]);
  });

  test('drops its runs when the suite is resumed', () => {
    const { path } = begun();
    const read = readResultsFolder(path);
    if (!read.ok) throw new Error(read.reason);
    expect(read.stored.entries).toHaveLength(3);
    expect(ResultsFolder.reopen(path, read.stored).entries).toEqual([]);
  });

  test('says so in merged shards, too', () => {
    const { path } = begun();
    const read = readResultsFolder(path);
    if (!read.ok) throw new Error(read.reason);
    const join_ = mergeShards([{ folder: path, stored: read.stored }]);
    if (!join_.ok) throw new Error(join_.reason);
    const { plan, entries, finished, whyNot } = join_.joined;
    expect(makeResults(plan, entries, { finished, stopped: whyNot }).not_run).toMatchObject([
      { document: 'D-001', reason: 'unreachable' },
    ]);
  });
});
