import { describe, expect, test } from 'vitest';
import { githubReport } from '../../src/report/github.ts';
import { junitReport } from '../../src/report/junit.ts';
import { markdownReport } from '../../src/report/markdown.ts';
import { sarifReport } from '../../src/report/sarif.ts';
import { textReport } from '../../src/report/text.ts';
import { standingOfResults } from '../../src/suite/standing.ts';
import { schemaErrorsIn } from './schema-errors.ts';
import { context, resultsOf } from './some-results.ts';

// Documents that were left out because they are not valid.

const skipped = [{ path: 'broken.yaml', reason: 'V-004: execution is missing' }];
const some = resultsOf([{ outcomes: ['resisted'] }], { skipped });

test.each(Object.entries({ textReport, markdownReport, junitReport, sarifReport, githubReport }))(
  '%s names what was left out, and why',
  (_name, report) => {
    const text = String(report(some, context));
    expect(text).toContain('broken.yaml');
    expect(text).toContain('execution is missing');
  },
);

test('the headline of a page of Markdown says that not all was run, and how much', () => {
  const page = markdownReport(some, context);
  expect(page).toMatch(/^## 1 attack resisted, but not all was run/);
  expect(page).toContain('1 document left out');
});

test('it is in the schema', () => {
  expect(schemaErrorsIn(JSON.parse(JSON.stringify(some)))).toEqual([]);
});

describe('the standing of such results', () => {
  test.each([
    ['resisted', 'undecided'],
    ['exploited', 'exceeded'],
    ['inconclusive', 'undecided'],
  ] as const)('%s is %s', (outcome, standing) => {
    expect(standingOfResults(resultsOf([{ outcomes: [outcome] }], { skipped }))).toBe(standing);
  });
});
