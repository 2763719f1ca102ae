import { describe, expect, test } from 'vitest';
import type { Results, RunEntry } from '../../src/model/results.ts';
import { githubReport } from '../../src/report/github.ts';
import { junitReport } from '../../src/report/junit.ts';
import { markdownReport } from '../../src/report/markdown.ts';
import { sarifReport } from '../../src/report/sarif.ts';
import { textReport } from '../../src/report/text.ts';
import { context, resultsOf } from './some-results.ts';

// Every report shows what was missing beside attacks that could not be judged, and, if there is room, what indicators
// looked at.

const crooked = 'phase "crooked" never began: tools/call 1 of 3';
const unread = 'the content of the resource report://q3 was never read';
const sentence = '3 messages of tools/call; the path argument.body is in none of them';

const coverage: NonNullable<RunEntry['coverage']> = {
  delivered: 5,
  of: 8,
  inferred: false,
  missing: [crooked, unread],
  pieces: [],
};

function withCoverage(outcome: 'inconclusive' | 'not_applicable' | 'resisted'): Results {
  const results = resultsOf([{ id: 'T-1', outcomes: [outcome] }]);
  const reason = outcome === 'resisted' ? {} : { reason: crooked };
  return {
    ...results,
    runs: results.runs.map((run) => ({
      ...run,
      ...reason,
      demand: 'strict',
      coverage,
      verdict: {
        ...run.verdict,
        indicator_verdicts: [
          { indicator_id: 'T-1-01', result: 'not_matched', looked: { messages: 3, sentence } },
        ],
      },
    })),
  };
}

/** The text without the markup of the format. */
function plain(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('\\"', '"')
    .replaceAll('\\', '')
    .replaceAll('%0A', '\n')
    .replaceAll('\u200b', '');
}

const reporters = {
  text: textReport,
  markdown: markdownReport,
  junit: junitReport,
  sarif: sarifReport,
  github: githubReport,
};

describe.each(Object.entries(reporters))('%s', (name, report) => {
  const told = (results: Results): string => plain(String(report(results, context)));

  // Annotations are only for attacks that a person has to look at.
  test.each(
    (['inconclusive', 'not_applicable'] as const).filter(
      (each) => name !== 'github' || each === 'inconclusive',
    ),
  )('says what was missing where a run is %s, each thing once', (outcome) => {
    const text = told(withCoverage(outcome));
    for (const part of [crooked, `missing: ${unread}`, '5 of 8 pieces reached the agent'])
      expect(text).toContain(part);
    expect(text).not.toContain(`missing: ${crooked}`);
  });

  test('says nothing of it where the fault is ours', () => {
    const [run] = withCoverage('inconclusive').runs;
    const results = resultsOf([{ id: 'T-1', outcomes: ['error'] }]);
    const runs = results.runs.map((each) => ({ ...each, coverage: run?.coverage ?? coverage }));
    expect(told({ ...results, runs })).not.toContain('missing: ');
  });

  test('says nothing of it where results do not', () => {
    expect(told(resultsOf([{ outcomes: ['inconclusive'] }]))).not.toContain('pieces');
  });
});

test.each([
  ['markdown', markdownReport],
  ['junit', junitReport],
])('%s has what indicators looked at', (_, report) => {
  expect(plain(report(withCoverage('resisted'), context))).toContain(`T-1-01 not matched: ${sentence}`);
});

test.each([
  ['text', textReport, 'delivery asked for: strict'],
  ['markdown', markdownReport, 'delivery strict'],
])('%s says which delivery was asked for', (_, report, words) => {
  expect(report(withCoverage('resisted'), context)).toContain(words);
});
