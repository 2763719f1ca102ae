import { describe, expect, test } from 'vitest';
import type { Results, RunEntry } from '../../src/format/model/results-file.ts';
import { writeGithubReport } from '../../src/report/github-report.ts';
import { writeJunitReport } from '../../src/report/junit-report.ts';
import { writeMarkdownReport } from '../../src/report/markdown-report.ts';
import { writeSarifReport } from '../../src/report/sarif-report.ts';
import { writeTextReport } from '../../src/report/text-report.ts';
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
        indicator_verdicts: [{ indicator_id: 'T-1-01', result: 'not_matched', looked: { messages: 3, sentence } }],
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
  text: writeTextReport,
  markdown: writeMarkdownReport,
  junit: writeJunitReport,
  sarif: writeSarifReport,
  github: writeGithubReport,
};

describe.each(Object.entries(reporters))('coverage in the %s report', (name, report) => {
  const reported = (results: Results): string => plain(String(report(results, context)));

  // Annotations are only for attacks that a person has to look at.
  test.each(
    (['inconclusive', 'not_applicable'] as const).filter((each) => name !== 'github' || each === 'inconclusive'),
  )('says once what was missing in a run that is %s', (outcome) => {
    const text = reported(withCoverage(outcome));
    for (const part of [crooked, `missing: ${unread}`, '5 of 8 pieces reached the agent']) expect(text).toContain(part);
    expect(text).not.toContain(`missing: ${crooked}`);
  });

  test('is left out if the run ended in an error of ours', () => {
    const [run] = withCoverage('inconclusive').runs;
    const results = resultsOf([{ id: 'T-1', outcomes: ['error'] }]);
    const runs = results.runs.map((each) => ({ ...each, coverage: run?.coverage ?? coverage }));
    expect(reported({ ...results, runs })).not.toContain('missing: ');
  });

  test('is left out if the results have none', () => {
    expect(reported(resultsOf([{ outcomes: ['inconclusive'] }]))).not.toContain('pieces');
  });
});

test.each([
  ['markdown', writeMarkdownReport],
  ['junit', writeJunitReport],
])('the %s report says which messages an indicator looked at', (_, report) => {
  expect(plain(report(withCoverage('resisted'), context))).toContain(`T-1-01 not matched: ${sentence}`);
});

test.each([
  ['text', writeTextReport, 'delivery asked for: strict'],
  ['markdown', writeMarkdownReport, 'delivery strict'],
])('the %s report says which delivery was asked for', (_, report, words) => {
  expect(report(withCoverage('resisted'), context)).toContain(words);
});

describe('a resisted run with inferred delivery', () => {
  function withInferred(inferred: number): Results {
    const results = withCoverage('resisted');
    const { statistics } = results;
    const counted = inferred > 0 ? { delivery_inferred: inferred } : {};
    const agents = Object.fromEntries(
      Object.entries(statistics.agents).map(([name, own]) => [name, { ...own, ...counted }]),
    );
    return { ...results, statistics: { ...statistics, ...counted, agents } };
  }

  test.each(['text', 'markdown', 'junit'] as const)('is counted apart in %s', (name) => {
    expect(plain(reporters[name](withInferred(2), context))).toMatch(/resisted with delivery inferred/);
    expect(plain(reporters[name](withInferred(0), context))).not.toMatch(/delivery inferred/);
  });
});
