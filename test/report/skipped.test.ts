import { describe, expect, test } from 'vitest';
import { writeGithubReport } from '../../src/report/github-report.ts';
import { writeJunitReport } from '../../src/report/junit-report.ts';
import { writeMarkdownReport } from '../../src/report/markdown-report.ts';
import { writeSarifReport } from '../../src/report/sarif-report.ts';
import { writeTextReport } from '../../src/report/text-report.ts';
import { findSuiteStatus } from '../../src/suite/statistics/decided-early.ts';
import { schemaErrorsIn } from './schema-errors.ts';
import { context, resultsOf } from './some-results.ts';

// Documents that were left out because they are not valid.

const skipped = [{ path: 'broken.yaml', reason: 'V-004: execution is missing' }];
const some = resultsOf([{ outcomes: ['resisted'] }], { skipped });

test.each(
  Object.entries({
    textReport: writeTextReport,
    markdownReport: writeMarkdownReport,
    junitReport: writeJunitReport,
    sarifReport: writeSarifReport,
    githubReport: writeGithubReport,
  }),
)('%s names what was left out, and why', (_name, report) => {
  const text = String(report(some, context));
  expect(text).toContain('broken.yaml');
  expect(text).toContain('execution is missing');
});

test('the headline of the Markdown report says that not all was run, and how much was left out', () => {
  const page = writeMarkdownReport(some, context);
  expect(page).toMatch(/^## 1 attack resisted, but not all was run/);
  expect(page).toContain('1 document left out');
});

test('the schema of results.json accepts documents that were left out', () => {
  expect(schemaErrorsIn(JSON.parse(JSON.stringify(some)))).toEqual([]);
});

describe('the status of results with documents that were left out', () => {
  test.each([
    ['resisted', 'undecided'],
    ['exploited', 'exceeded'],
    ['inconclusive', 'undecided'],
  ] as const)('is, if the runs are %s, %s', (outcome, suiteStatus) => {
    expect(findSuiteStatus(resultsOf([{ outcomes: [outcome] }], { skipped }))).toBe(suiteStatus);
  });
});
