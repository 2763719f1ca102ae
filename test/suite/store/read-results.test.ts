import { chmodSync, existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { outcomeNames } from '../../../src/format/model/results-file.ts';
import { mergeShards, type ShardResults, writeMergedRuns } from '../../../src/suite/store/merge-shards.ts';
import { readResults, readResultsFolder } from '../../../src/suite/store/read-results.ts';
import { createFolderSink } from '../../../src/suite/store/results-folder.ts';
import { readRuns, toRunEntry } from '../../../src/suite/store/run-lines.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { planFor } from '../plan/planned.ts';

// Folders of results may come from anywhere: nothing is taken for a plan, a run or results that is not one.

const { shard: _, ...plan } = planFor({ ids: ['A-001'] });
const run = {
  document: plan.documents[0]?.entry,
  agent: 'a',
  repeat: 1,
  outcome: 'resisted',
  verdict: { result: 'not_exploited' },
  trace: 'traces/A-001.a.jsonl',
};
const results = { version: 3, runs: [run], statistics: { attacks: [] }, finished: 'then' };
const folderOf = (files: { readonly [name: string]: unknown }): string =>
  freshFolder(
    Object.entries(files).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
const document = plan.documents[0] as object;

describe('readResultsFolder', () => {
  test.each<[string, unknown, boolean]>([
    ['accepts a complete plan', plan, true],
    ['accepts a plan without documents and agents', { ...plan, documents: [], agents: [] }, true],
    ['refuses a plan that is a list', [plan], false],
    ['refuses a plan of version 1', { ...plan, version: 1 }, false],
    ['refuses a plan without a tool', { ...plan, tool: 'oatf' }, false],
    ['refuses a plan without settings', { ...plan, settings: [] }, false],
    ['refuses a plan without repeats', { ...plan, repeat: '1' }, false],
    ['refuses a plan without agents', { ...plan, agents: {} }, false],
    ['refuses a plan with an agent that is a text', { ...plan, agents: [...plan.agents, 'b'] }, false],
    ['refuses a plan with an agent without a name', { ...plan, agents: [...plan.agents, { kind: 'test' }] }, false],
    ['refuses a plan without documents', { ...plan, documents: {} }, false],
    ['refuses a plan with a document that is a text', { ...plan, documents: [document, 'x'] }, false],
    [
      'refuses a plan with a document without a key',
      { ...plan, documents: [document, { ...document, key: 1 }] },
      false,
    ],
    ['refuses a plan with a document without an entry', { ...plan, documents: [document, { key: 'k' }] }, false],
  ])('%s', (_name, value, isRead) => {
    const read = readResultsFolder(folderOf({ 'plan.json': value }));
    expect(read.ok || read.reason.includes('not of version 2 or 3')).toBe(true);
    expect(read.ok).toBe(isRead);
  });

  test('gives a reason and throws nothing if plan.json is a folder', () => {
    const folder = folderOf({ 'plan.json/x': '' });
    expect(readResultsFolder(folder)).toEqual({ ok: false, reason: expect.not.stringContaining('JSON') });
  });
});

describe('runOf and readRuns', () => {
  test.each<[string, unknown, boolean]>([
    ...outcomeNames.map((outcome): [string, unknown, boolean] => [
      `accept a run that is ${outcome}`,
      { ...run, outcome },
      true,
    ]),
    [
      'accept an exploited run with its verdict',
      { ...run, outcome: 'exploited', verdict: { result: 'exploited' } },
      true,
    ],
    ['refuse a resisted run whose verdict is exploited', { ...run, verdict: { result: 'exploited' } }, false],
    ['refuse a run with an unknown outcome', { ...run, outcome: 'good' }, false],
    ['refuse a run without an outcome', { ...run, outcome: undefined }, false],
    ['refuse a run without a document', { ...run, document: 'A-001' }, false],
    ['refuse a run without a verdict', { ...run, outcome: 'error', verdict: null }, false],
    ['refuse a run without an agent', { ...run, agent: 1 }, false],
    ['refuse a run without a repeat', { ...run, repeat: '1' }, false],
    ['refuse undefined', undefined, false],
    ['refuse a list', [run], false],
  ])('%s', (_name, value, is) => {
    expect(toRunEntry(value as never) !== undefined).toBe(is);
  });

  const line = `${JSON.stringify(run)}\n`;
  test.each<[string, object]>([
    ['', { ok: true, entries: [], isTorn: false }],
    [line, { ok: true, entries: [run], isTorn: false }],
    [line + line, { ok: true, entries: [run, run], isTorn: false }],
    [`${line}{"a"`, { ok: true, entries: [run], isTorn: true }],
    // A line counts only with its line feed.
    [line + line.trimEnd(), { ok: true, entries: [run], isTorn: true }],
    [`${line}{\n`, { ok: false, line: 2 }],
    [`{}\n${line}`, { ok: false, line: 1 }],
  ])('read only whole and valid lines (row %#)', (text, expected) => {
    expect(readRuns(text)).toEqual(expected);
  });
});

describe('readResults', () => {
  const attack = { document: 'A-001', agent: 'a', status: 'resisted', success: { count: 0, of: 1 }, tiers: {} };
  const withAttack = (change: object): object => ({
    ...results,
    statistics: { attacks: [attack, { ...attack, ...change }] },
  });
  test.each<[string, unknown, string?]>([
    ['accepts complete results', { ...results, statistics: { attacks: [attack] } }],
    ['accepts results of version 1', { ...results, version: 1 }],
    ['refuses results of version 4', { ...results, version: 4 }, 'its version is 4, not 2 or 3'],
    ['refuses results without a version', { ...results, version: undefined }, 'its version is missing, not 2 or 3'],
    ['refuses a list', [results], 'it is not an object'],
    ['refuses results without runs', { ...results, runs: {} }, 'it has no list of runs'],
    ['refuses results with an empty run', { ...results, runs: [run, {}] }, 'runs[1] is not a run'],
    ['refuses results without statistics', { ...results, statistics: 1 }, 'it has no statistics.attacks'],
    ['refuses results without attacks', { ...results, statistics: { attacks: {} } }, 'it has no statistics.attacks'],
    ...(
      [
        ['document', 1],
        ['agent', undefined],
        ['status', {}],
        ['success', { count: 1 }],
        ['failures', 1],
        ['causes', [1]],
        ['tiers', { ingested: 1 }],
      ] as const
    ).map(
      ([field, value]) =>
        [
          `refuses an attack with a wrong ${field}`,
          withAttack({ [field]: value }),
          `statistics.attacks[1].${field} is missing or wrong`,
        ] as [string, unknown, string],
    ),
    ['refuses what is not JSON', '{', 'it is not JSON'],
  ])('%s, from a file and from a folder', (_name, value, problem) => {
    const folder = folderOf({ 'results.json': value });
    const file = readResults(join(folder, 'results.json'));
    expect(file.ok ? file.results : file.reason).toEqual(
      problem === undefined ? value : `it is not a results.json of this tool: ${problem}`,
    );
    expect(readResults(folder)).toEqual(file);
  });

  test('gives a reason if the folder is missing', () => {
    expect(readResults(join(freshFolder(), 'x'))).toEqual({ ok: false, reason: 'there is no such folder' });
  });

  const day = new Date('2026-02-03T04:05:06.000Z');
  test.each<[string, { readonly [name: string]: unknown }, string]>([
    ['the time in results.json', { 'results.json': results, 'runs.jsonl': '' }, 'then'],
    [
      'the time of the last line if the results cannot be read',
      { 'results.json': {}, 'runs.jsonl': '' },
      day.toISOString(),
    ],
    [
      'the time of the last line if the results name no time',
      { 'results.json': { ...results, finished: 5 }, 'runs.jsonl': '' },
      day.toISOString(),
    ],
    ['the time of the start if nothing has run', {}, plan.started],
  ])('takes as the end %s', (_name, files, finished) => {
    const folder = folderOf({ 'plan.json': plan, ...files });
    if ('runs.jsonl' in files) utimesSync(join(folder, 'runs.jsonl'), day, day);
    const read = readResultsFolder(folder);
    expect(read.ok && read.stored.finished).toBe(finished);
  });

  test('makes the results from the runs if results.json cannot be read', () => {
    const folder = folderOf({
      'plan.json': plan,
      'runs.jsonl': `${JSON.stringify(run)}\n`,
      'results.json': '{',
    });
    const read = readResults(folder);
    expect(read.ok && [read.results.statistics.runs, read.results.not_run]).toEqual([1, undefined]);
  });
});

describe('inFolder', () => {
  const path = (): string => join(freshFolder(), 'results');
  test('removes a new folder without runs when discarded', async () => {
    const folder = path();
    const sink = createFolderSink(folder)(plan, ['text']);
    await sink.discard();
    expect(existsSync(folder)).toBe(false);
  });

  test('keeps files of others when discarded', async () => {
    const folder = freshFolder([['mine', '']]);
    const sink = createFolderSink(folder)(plan, ['text']);
    await sink.discard();
    expect(readdirSync(folder)).toEqual(['mine']);
  });

  test('keeps a folder with a run when discarded', async () => {
    const folder = path();
    const sink = createFolderSink(folder)(plan, ['text']);
    sink.add(run as never);
    await sink.discard();
    expect(readdirSync(folder).sort()).toEqual(['documents', 'plan.json', 'runs.jsonl', 'traces']);
  });

  test('leaves nothing new behind if the folder cannot be filled', () => {
    // The name of the document is taken by a folder.
    const folder = freshFolder([['documents/A-001.yaml/x', '']]);
    expect(() => createFolderSink(folder)(plan, ['text'])).toThrow();
    expect(readdirSync(folder)).toEqual(['documents']);
  });
});

describe('merged results', () => {
  const part = (started: string, finished: string, index: number): ShardResults => {
    const own = { ...planFor({ ids: ['A-001', 'B-001'], shard: { index, of: 2 } }), started };
    return { folder: String(index), stored: { plan: own, entries: [], isTorn: false, finished } };
  };

  test('last from the first start to the last end, and belong to no shard', () => {
    const joined = mergeShards([part('t2', 't3', 1), part('t1', 't2', 2)]);
    if (!joined.ok) throw new Error(joined.reason);
    expect([joined.joined.plan.started, joined.joined.finished]).toEqual(['t1', 't3']);
    expect(joined.joined.plan).not.toHaveProperty('shard');
    expect(joined.joined.plan).not.toHaveProperty('skipped');
  });

  test.each<[string, boolean]>([
    ['traces/A-001.a.jsonl', true],
    ['traces/gone.jsonl', false],
    ['../elsewhere', false],
    ['traces/../../elsewhere', false],
    ['traces\\..\\elsewhere', false],
    ['plan.json', false],
  ])('have the trace %s of a shard only if it is a file within traces (%s)', (trace, isCopied) => {
    const around = freshFolder([
      ['elsewhere', 'secret'],
      ['part/traces/A-001.a.jsonl', 'trace'],
      ['part/plan.json', 'not ours'],
    ]);
    const folder = join(around, 'part');
    chmodSync(join(folder, 'traces/A-001.a.jsonl'), 0o644);
    const entries = [{ ...run, trace }] as never;
    const stored = { plan, entries, isTorn: false, finished: 't' };
    const out = join(around, 'out', 'merged');
    writeMergedRuns(out, { plan, entries, finished: 't', whyNot: () => 'interrupted' }, [{ folder, stored }]);
    const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).sort();
    expect(files).toEqual(['documents', 'plan.json', 'runs.jsonl', 'traces', ...(isCopied ? [trace] : [])]);
    for (const name of files) expect(statSync(join(out, name)).mode & 0o077).toBe(0);
    expect(existsSync(join(around, 'out', 'elsewhere'))).toBe(false);
    rmSync(around, { recursive: true });
  });
});
