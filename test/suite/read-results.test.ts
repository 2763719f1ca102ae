import { chmodSync, existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { outcomeNames } from '../../src/model/results.ts';
import { joinParts, type Part, writeJoined } from '../../src/suite/merge.ts';
import { readFolder, readResults } from '../../src/suite/read-results.ts';
import { inFolder } from '../../src/suite/results.ts';
import { readRuns, runOf } from '../../src/suite/run-lines.ts';
import { freshFolder } from '../support/fresh-folder.ts';
import { planFor } from './planned.ts';

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
const results = { version: 2, runs: [run], statistics: { attacks: [] }, finished: 'then' };
const folderOf = (files: { readonly [name: string]: unknown }): string =>
  freshFolder(
    Object.entries(files).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
const document = plan.documents[0] as object;

describe('a plan', () => {
  test.each<[string, unknown, boolean]>([
    ['whole', plan, true],
    ['of nothing', { ...plan, documents: [], agents: [] }, true],
    ['a list', [plan], false],
    ['of version 1', { ...plan, version: 1 }, false],
    ['without a tool', { ...plan, tool: 'oatf' }, false],
    ['without settings', { ...plan, settings: [] }, false],
    ['without repeats', { ...plan, repeat: '1' }, false],
    ['without agents', { ...plan, agents: {} }, false],
    ['with one agent that is none', { ...plan, agents: [...plan.agents, 'b'] }, false],
    ['with an agent without a name', { ...plan, agents: [...plan.agents, { kind: 'test' }] }, false],
    ['without documents', { ...plan, documents: {} }, false],
    ['with one document that is none', { ...plan, documents: [document, 'x'] }, false],
    ['with a document without a key', { ...plan, documents: [document, { ...document, key: 1 }] }, false],
    ['with a document without an entry', { ...plan, documents: [document, { key: 'k' }] }, false],
  ])('%s', (_name, value, isRead) => {
    const read = readFolder(folderOf({ 'plan.json': value }));
    expect(read.ok || read.reason.includes('not of version 2')).toBe(true);
    expect(read.ok).toBe(isRead);
  });

  test('that is no file is a reason, and no exception', () => {
    const folder = folderOf({ 'plan.json/x': '' });
    expect(readFolder(folder)).toEqual({ ok: false, reason: expect.not.stringContaining('JSON') });
  });
});

describe('a run', () => {
  test.each<[string, unknown, boolean]>([
    ...outcomeNames.map((outcome): [string, unknown, boolean] => [outcome, { ...run, outcome }, true]),
    ['exploited', { ...run, outcome: 'exploited', verdict: { result: 'exploited' } }, true],
    ['resisted, in which something matched', { ...run, verdict: { result: 'exploited' } }, false],
    ['of no known outcome', { ...run, outcome: 'good' }, false],
    ['without an outcome', { ...run, outcome: undefined }, false],
    ['without a document', { ...run, document: 'A-001' }, false],
    ['without a verdict', { ...run, outcome: 'error', verdict: null }, false],
    ['without an agent', { ...run, agent: 1 }, false],
    ['without a repeat', { ...run, repeat: '1' }, false],
    ['nothing', undefined, false],
    ['a list', [run], false],
  ])('%s', (_name, value, is) => {
    expect(runOf(value as never) !== undefined).toBe(is);
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
  ])('%#: lines', (text, expected) => {
    expect(readRuns(text)).toEqual(expected);
  });
});

describe('results', () => {
  test.each<[string, unknown, boolean]>([
    ['whole', results, true],
    ['of version 1', { ...results, version: 1 }, true],
    ['of version 3', { ...results, version: 3 }, false],
    ['a list', [results], false],
    ['without runs', { ...results, runs: {} }, false],
    ['with a run that is none', { ...results, runs: [run, {}] }, false],
    ['without statistics', { ...results, statistics: 1 }, false],
    ['without attacks', { ...results, statistics: { attacks: {} } }, false],
    ['not JSON', '{', false],
  ])('%s, in a file or in a folder', (_name, value, isRead) => {
    const folder = folderOf({ 'results.json': value });
    const file = readResults(join(folder, 'results.json'));
    expect(file.ok ? file.results : file.reason).toEqual(
      isRead ? value : 'it is not a results.json of this tool',
    );
    const whole = readResults(folder);
    expect(whole.ok ? whole.results : whole.reason).toEqual(isRead ? value : 'there is no plan.json in it');
  });

  test('that are not there', () => {
    expect(readResults(join(freshFolder(), 'x'))).toEqual({ ok: false, reason: 'there is no such folder' });
  });

  const day = new Date('2026-02-03T04:05:06.000Z');
  test.each<[string, { readonly [name: string]: unknown }, string]>([
    ['as they say', { 'results.json': results, 'runs.jsonl': '' }, 'then'],
    ['as the last line was written', { 'results.json': {}, 'runs.jsonl': '' }, day.toISOString()],
    [
      'as the last line was written, where they do not say',
      { 'results.json': { ...results, finished: 5 }, 'runs.jsonl': '' },
      day.toISOString(),
    ],
    ['as they began, where nothing has run', {}, plan.started],
  ])('ended %s', (_name, files, finished) => {
    const folder = folderOf({ 'plan.json': plan, ...files });
    if ('runs.jsonl' in files) utimesSync(join(folder, 'runs.jsonl'), day, day);
    const read = readFolder(folder);
    expect(read.ok && read.stored.finished).toBe(finished);
  });

  test('are made again where they cannot be read', () => {
    const folder = folderOf({
      'plan.json': plan,
      'runs.jsonl': `${JSON.stringify(run)}\n`,
      'results.json': '{',
    });
    const read = readResults(folder);
    expect(read.ok && [read.results.statistics.runs, read.results.not_run]).toEqual([1, undefined]);
  });
});

describe('a folder that is begun', () => {
  const path = (): string => join(freshFolder(), 'results');
  test('and has no run is removed again', async () => {
    const folder = path();
    const sink = inFolder(folder)(plan, ['text']);
    await sink.discard();
    expect(existsSync(folder)).toBe(false);
  });

  test('with files of others keeps them', async () => {
    const folder = freshFolder([['mine', '']]);
    const sink = inFolder(folder)(plan, ['text']);
    await sink.discard();
    expect(readdirSync(folder)).toEqual(['mine']);
  });

  test('and has a run is kept', async () => {
    const folder = path();
    const sink = inFolder(folder)(plan, ['text']);
    sink.add(run as never);
    await sink.discard();
    expect(readdirSync(folder).sort()).toEqual(['documents', 'plan.json', 'runs.jsonl', 'traces']);
  });

  test('and cannot be filled leaves nothing new behind', () => {
    // The name of the document is taken by a folder.
    const folder = freshFolder([['documents/A-001.yaml/x', '']]);
    expect(() => inFolder(folder)(plan, ['text'])).toThrow();
    expect(readdirSync(folder)).toEqual(['documents']);
  });
});

describe('merged results', () => {
  const part = (started: string, finished: string, index: number): Part => {
    const own = { ...planFor({ ids: ['A-001', 'B-001'], shard: { index, of: 2 } }), started };
    return { folder: String(index), stored: { plan: own, entries: [], isTorn: false, finished } };
  };

  test('last from the first start to the last end, and belong to no shard', () => {
    const joined = joinParts([part('t2', 't3', 1), part('t1', 't2', 2)]);
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
  ])('have %s of their shard: %s', (trace, isCopied) => {
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
    writeJoined(out, { plan, entries, finished: 't', whyNot: () => 'interrupted' }, [{ folder, stored }]);
    const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).sort();
    expect(files).toEqual(['documents', 'plan.json', 'runs.jsonl', 'traces', ...(isCopied ? [trace] : [])]);
    for (const name of files) expect(statSync(join(out, name)).mode & 0o077).toBe(0);
    expect(existsSync(join(around, 'out', 'elsewhere'))).toBe(false);
    rmSync(around, { recursive: true });
  });
});
