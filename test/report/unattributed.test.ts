import fc from 'fast-check';
import type { Log } from 'sarif';
import { describe, expect, test } from 'vitest';
import { toSuiteOutcome } from '../../src/cli/run/results/report-results.ts';
import type { Results } from '../../src/format/model/results-file.ts';
import type { ValueMap } from '../../src/format/model/value.ts';
import { writeGithubReport } from '../../src/report/github-report.ts';
import { buildIndex, createCatalogue } from '../../src/report/html/build-index.ts';
import { writeJunitReport } from '../../src/report/junit-report.ts';
import { writeMarkdownReport } from '../../src/report/markdown-report.ts';
import { writeJsonLinesReport, writeJsonReport } from '../../src/report/reporters.ts';
import { writeSarifReport } from '../../src/report/sarif-report.ts';
import { writeSummary, writeTextReport } from '../../src/report/text-report.ts';
import { pairResults, times } from '../suite/statistics/pair-runs.ts';
import { schemaErrorsIn } from './schema-errors.ts';
import { context } from './some-results.ts';

// An act that an agent does as often without the attack is no success, whoever reports it.

const plain = (text: string) => text;
const style = {
  columns: 120,
  colours: { bold: plain, dim: plain, red: (text: string) => `RED ${text}`, green: plain, yellow: plain },
};

const pageOf = (results: Results) =>
  buildIndex(results as unknown as ValueMap, context.redactor, createCatalogue('/nowhere', context.redactor)).index;

/** Where each report says that an attack succeeded. Empty if it does not. */
const successes: { readonly [report: string]: (results: Results) => readonly unknown[] } = {
  text: (results) => writeTextReport(results, context).match(/EXPLOITED|PARTIAL\b|FLAKY|^Evidence|exploited,/gm) ?? [],
  summary: (results) => writeSummary(results, context, style).match(/EXPLOITED|FLAKY|RED .*/g) ?? [],
  json: (results) =>
    (JSON.parse(writeJsonReport(results)) as Results).runs.filter(
      ({ twin, outcome }) => !twin && outcome === 'exploited',
    ),
  jsonl: (results) =>
    writeJsonLinesReport(results)
      .split('\n')
      .filter((line) => line.includes('"outcome":"exploited"') && !line.includes('"twin":true')),
  junit: (results) => writeJunitReport(results, context).match(/<failure/g) ?? [],
  sarif: (results) => (JSON.parse(writeSarifReport(results, context)) as Log).runs.flatMap((run) => run.results ?? []),
  markdown: (results) =>
    writeMarkdownReport(results, context).match(/attacks? succeeded|\*\*exploited|### Evidence/g) ?? [],
  github: (results) => writeGithubReport(results, context).match(/^::error/gm) ?? [],
  html: (results) =>
    pageOf(results).runs.filter(({ twin, outcome }) => !twin && (outcome === 'exploited' || outcome === 'partial')),
  exit: (results) => (toSuiteOutcome(results).exit === 'found' ? ['found'] : []),
};

describe.each(Object.entries(successes))('the report %s', (_name, find) => {
  test('shows a success of an attack that the twin does not do', () => {
    expect(find(pairResults(times(3, 4), times(0, 4)))).not.toEqual([]);
  });

  test('shows no success of an agent that does the same as often without the attack', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 12 }),
        fc.nat(12),
        fc.nat(12),
        fc.constantFrom('any', 'all'),
        (n, m, a, b, logic) => {
          const [s, t] = [Math.min(Math.max(a, 1), n), Math.min(Math.max(b, 1), m)];
          fc.pre(s / n <= t / m);
          const results = pairResults(times(s, n), times(t, m), { logic });
          expect(find(results)).toEqual([]);
          expect(schemaErrorsIn(JSON.parse(JSON.stringify(results)))).toEqual([]);
          expect(toSuiteOutcome(results).exit).toBe('undecided');
        },
      ),
      { numRuns: 25 },
    );
  });
});

describe('an unattributed attack', () => {
  const some = pairResults(['A', 'A', '-'], times(3, 3));
  const all = pairResults(['A', 'A'], times(2, 2));

  test('has a mark of its own in the grids', () => {
    expect(writeTextReport(all, context)).toContain('≈ UNATTRIBUTED 2/2');
    expect(writeMarkdownReport(all, context)).toContain('≈ unattributed');
    expect(
      pageOf(all)
        .runs.map(({ outcome }) => outcome)
        .slice(0, 2),
    ).toEqual(['unattributed', 'unattributed']);
  });

  test('is counted beside the rate, which leaves its runs out', () => {
    expect(writeTextReport(some, context)).toContain('attacks succeeded in 0/1, 0–80 %, 2 unattributed');
    expect(writeMarkdownReport(some, context)).toContain('success 0/1, 0–80 %, 2 unattributed');
    expect(writeJunitReport(some, context)).toContain('attacks succeeded in 0/1, 0–80 %, 2 unattributed');
  });

  test.each(
    Object.entries({ writeTextReport, writeJunitReport, writeSarifReport, writeMarkdownReport, writeGithubReport }),
  )('has its reason in the report of %s', (_name, write) => {
    const text = String(write(some, context)).replaceAll('\\', '');
    expect(text).toContain('ACME-001-A also matched in 3 of 3 runs without the attack');
    expect(text).toContain('the agent does this without an attack');
  });

  test('does not let SARIF count as successful', () => {
    const log = JSON.parse(writeSarifReport(all, context)) as Log;
    expect(log.runs[0]?.invocations?.[0]?.executionSuccessful).toBe(false);
  });
});

describe('an attack that succeeds with one indicator while another is set aside', () => {
  const mixed = pairResults(['AB', 'A'], ['A', 'A']);

  test('has the evidence of the one that counts, and not of the other', () => {
    expect(writeTextReport(mixed, context)).toContain('evidence of B');
    expect(writeTextReport(mixed, context)).not.toContain('evidence of A');
    const log = JSON.parse(writeSarifReport(mixed, context)) as Log;
    expect(log.runs[0]?.results?.map(({ ruleId }) => ruleId)).toEqual(['ACME-001-B']);
  });

  test('is counted with its unattributed runs beside it', () => {
    expect(writeTextReport(mixed, context)).toContain('EXPLOITED 1/1, 1 ≈ unattributed');
  });
});

describe('a partly attributed attack', () => {
  const partly = pairResults(times(20, 20), times(5, 20));

  test('counts in full, with the rate of the twin and the difference beside it', () => {
    const line =
      'ACME-001-A matched in 20/20 runs of the attack and in 5/20 without it: the attack adds 75 percentage points (47–89)';
    expect(partly.statistics.attacks[0]?.success).toMatchObject({ count: 20, of: 20 });
    for (const text of [
      writeTextReport(partly, context),
      writeJunitReport(partly, context),
      writeGithubReport(partly, context).replaceAll('%25', '%'),
      pageOf(partly).attacks[0]?.attribution?.join() ?? '',
    ])
      expect(text).toContain(line);
    expect(writeMarkdownReport(partly, context)).toContain('the attack adds 75 percentage points');
  });
});

describe('the hint to play benign twins', () => {
  const hint = 'run with --twins to see whether the attack caused this';
  test.each<[title: string, results: Results, isGiven: boolean]>([
    ['is given for a success without twins', pairResults(['A'], []), true],
    ['is not given if nothing succeeded', pairResults(['-'], []), false],
    ['is not given if a twin was played', pairResults(['A'], ['-']), false],
  ])('%s', (_title, results, isGiven) => {
    expect(writeSummary(results, context, style).includes(hint)).toBe(isGiven);
    expect(writeMarkdownReport(results, context).includes(hint)).toBe(isGiven);
    expect(pageOf(results).hint).toBe(isGiven ? hint : undefined);
  });
});
