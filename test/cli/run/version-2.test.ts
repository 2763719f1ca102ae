import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import type { Results } from '../../../src/format/model/results-file.ts';
import { buildIndex, createCatalogue } from '../../../src/report/html/build-index.ts';
import { readReportResults } from '../../../src/report/html/read-report-results.ts';
import { createRedactor } from '../../../src/secrets/redactor.ts';
import { readResults } from '../../../src/suite/store/read-results.ts';
import { schemaErrorsIn } from '../../report/schema-errors.ts';
import { freshFolder } from '../../support/fresh-folder.ts';
import { callOatf, root } from '../run-cli.ts';

// A folder that a build with results of version 2 wrote: three agents, one of which could not be launched, repeats that
// were skipped, and a match in every benign twin.
const recorded = join(root, 'test/suite/store/version-2');

/** A copy of the folder, named `old`, beside its document. */
function copyRecorded(): string {
  const folder = freshFolder([['weather.yaml', readFileSync(join(recorded, 'documents/TRY-001.yaml'), 'utf8')]]);
  cpSync(recorded, join(folder, 'old'), { recursive: true });
  return folder;
}

function readJson(...path: readonly string[]) {
  return JSON.parse(readFileSync(join(...path), 'utf8'));
}

/** The names and values of version 2, in any file of JSON. */
const oldWords = /"(?:settled_early|false_alarms?|not_there)"/;

function readOrThrow(path: string): Results {
  const read = readResults(path);
  if (!read.ok) throw new Error(read.reason);
  return read.results;
}

describe('a results folder of version 2', () => {
  test('has names that version 3 changed', () => {
    expect(readFileSync(join(recorded, 'results.json'), 'utf8')).toMatch(oldWords);
    expect(readFileSync(join(recorded, 'runs.jsonl'), 'utf8')).toMatch(oldWords);
  });

  test.each<[title: string, path: (folder: string) => string]>([
    ['its folder', (folder) => folder],
    ['its results.json', (folder) => join(folder, 'results.json')],
  ])('is read as version 3 from %s', (_title, path) => {
    const results = readOrThrow(path(recorded));
    const { attacks } = results.statistics;
    expect(schemaErrorsIn(results)).toEqual([]);
    expect(JSON.stringify(results)).not.toMatch(oldWords);
    expect(attacks.map(({ skipped_repeats, twin }) => [skipped_repeats, twin?.false_positives])).toEqual([
      [2, 3],
      [2, 3],
      [undefined, undefined],
    ]);
    expect(results.unproven?.map(({ why }) => why)).toEqual(['false_positive', 'false_positive', 'nothing_judged']);
    expect(results.not_run?.map(({ reason }) => reason)).toEqual(['unreachable']);
    expect(results.runs.filter(({ unreachable }) => unreachable)).toHaveLength(3);
  });

  test('is judged together with its benign twins if results.json is made again from its runs', () => {
    const folder = join(copyRecorded(), 'old');
    const { not_run } = readOrThrow(folder);
    rmSync(join(folder, 'results.json'));
    const made = readOrThrow(folder);
    expect(made.version).toBe(3);
    expect(made.statistics.attacks.map(({ status, unattributed }) => [status, unattributed])).toEqual([
      ['exploited', undefined],
      // Only TRY-001-02 matched, as in every run of its twin.
      ['inconclusive', 1],
      ['inconclusive', undefined],
    ]);
    // The early decision is open again, because the twins have a match too.
    expect(made.not_run?.map(({ agent }) => agent)).toEqual([
      'gullible',
      'guarded',
      ...(not_run ?? []).map(({ agent }) => agent),
    ]);
  });

  test.each([
    ['results.json', ''],
    ['its runs, while there is no results.json', 'results.json'],
  ])('is shown on the page from %s', (_title, removed) => {
    const folder = join(copyRecorded(), 'old');
    if (removed !== '') rmSync(join(folder, removed));
    const read = readReportResults(folder);
    if (!read.ok) throw new Error(read.message);
    expect(JSON.stringify(read.results)).not.toMatch(oldWords);
    const redactor = createRedactor({ shapes: false });
    const { index } = buildIndex(read.results, redactor, createCatalogue(folder, redactor));
    if (removed === '')
      expect(index.notRun).toEqual([{ reason: 'the agent was unreachable, three runs in a row', runs: 3 }]);
    expect(index.runs).toHaveLength(11);
  });
});

describe('oatf', () => {
  test('merges a folder of version 2 into one of version 3', async () => {
    const folder = copyRecorded();
    await callOatf(['merge', 'old', '--out', 'new', '--quiet'], folder);
    expect(schemaErrorsIn(readJson(folder, 'new/results.json'))).toEqual([]);
    expect(readJson(folder, 'new/plan.json').version).toBe(3);
    expect(readFileSync(join(folder, 'new/runs.jsonl'), 'utf8')).not.toMatch(oldWords);
    const { runs } = readJson(folder, 'new/results.json');
    expect(runs.filter(({ unreachable }: { unreachable?: true }) => unreachable)).toHaveLength(3);
  });

  test('makes a baseline from results of version 2, and compares with it', async () => {
    const folder = copyRecorded();
    const { not_run: _missing, ...whole } = readJson(recorded, 'results.json');
    writeFileSync(join(folder, 'whole.json'), JSON.stringify(whole));
    const blessed = await callOatf(['bless', 'whole.json', '--out', 'base.yaml', '--accept-inconclusive'], folder);
    expect([blessed.exit, blessed.stdout]).toEqual([0, 'base.yaml: 3 attacks, 2 exploited, 1 inconclusive\n']);
    await callOatf(['merge', 'old', '--baseline', 'base.yaml', '--out', 'new', '--quiet'], folder);
    const { baseline }: Results = readJson(folder, 'new/results.json');
    expect(baseline?.attacks.map(({ expected }) => expected)).toEqual([
      'exploited',
      'exploited',
      'inconclusive (trouble)',
    ]);
  });

  test('continues a folder of version 2 as version 3', async () => {
    const folder = copyRecorded();
    const old = join(folder, 'old');
    // Only a build of the same version continues a suite, and only with programs that exist.
    const { tool, agents, settings, ...plan } = readJson(old, 'plan.json');
    const { programs: _, ...others } = settings;
    const own = { ...plan, tool: { ...tool, version: manifest.version }, agents: agents.slice(0, 2), settings: others };
    writeFileSync(join(old, 'plan.json'), JSON.stringify(own));
    const lines = readFileSync(join(old, 'runs.jsonl'), 'utf8').split('\n');
    writeFileSync(
      join(old, 'runs.jsonl'),
      lines.filter((line) => !line.includes('there-is-no-such-program')).join('\n'),
    );
    rmSync(join(old, 'results.json'));
    const ran = await callOatf(['run', '--resume', 'old', '--quiet'], folder);
    expect(ran.exit, ran.stderr).toBe(1);
    const results = readJson(old, 'results.json');
    // The repeats that an early decision had skipped are played, because the twins have a match too.
    expect([readJson(old, 'plan.json').version, results.version, results.runs.length]).toEqual([3, 3, 12]);
    expect(readFileSync(join(old, 'runs.jsonl'), 'utf8')).not.toMatch(oldWords);
    expect(schemaErrorsIn(results)).toEqual([]);
  });
});
