import { parse, type TestSuite } from 'junit2json';
import { describe, expect, test } from 'vitest';
import type { Results } from '../../src/format/model/results-file.ts';
import { writeJunitReport } from '../../src/report/junit-report.ts';
import type { ReportContext } from '../../src/report/reporter.ts';
import { bare, compared, context, hostile, nothing, oneEach, open, repeated, resultsOf } from './some-results.ts';

async function suitesOf(results: Results, how: ReportContext = context): Promise<readonly TestSuite[]> {
  const read = await parse(writeJunitReport(results, how));
  if (read === null || read === undefined || !('testsuite' in read)) return [];
  return (read.testsuite ?? []) as readonly TestSuite[];
}

/** The name and the content of a case. */
async function casesOf(
  results: Results,
): Promise<readonly (readonly [name: string, kind: string, type: string | undefined])[]> {
  return (await suitesOf(results)).flatMap(({ testcase = [] }) =>
    testcase.map(({ name = '', failure, error, skipped }) => {
      const [kind, [first]] =
        failure !== undefined
          ? ['failure', failure]
          : error !== undefined
            ? ['error', error]
            : skipped !== undefined
              ? ['skipped', skipped]
              : ['passed', []];
      return [name, kind, (first as { type?: string } | undefined)?.type] as const;
    }),
  );
}

describe('the JUnit report', () => {
  test('has a test case for each outcome', async () => {
    expect(await casesOf(oneEach)).toEqual([
      ['T-1 A shop', 'failure', 'exploited'],
      ['T-2 A shop', 'failure', 'partial'],
      ['T-3 A shop', 'passed', undefined],
      ['T-4 A shop', 'error', 'inconclusive'],
      ['T-5 A shop', 'error', 'error'],
    ]);
  });

  test('has a suite for each agent, and one case for all repeats, which is skipped within the accepted rate', async () => {
    expect((await suitesOf(repeated)).map(({ name, tests, failures }) => [name, tests, failures])).toEqual([
      ['a', 1, 1],
      ['b', 1, 0],
    ]);
    expect(await casesOf(repeated)).toEqual([
      ['T-1 A shop', 'failure', 'flaky'],
      ['T-1 A shop', 'skipped', 'accepted'],
    ]);
  });

  test('skips an attack that the baseline accepts, and has an error for what did not run', async () => {
    expect(await casesOf(compared)).toEqual([
      ['T-1 A shop', 'skipped', 'accepted'],
      ['T-2 A shop', 'failure', 'exploited'],
      ['T-3 A shop', 'passed', undefined],
      ['T-4 A shop', 'passed', undefined],
      ['T-9', 'error', 'missing'],
      ['T-5', 'error', 'not_run'],
    ]);
  });

  test('counts the tests, failures and errors of its cases', async () => {
    const read = await parse(writeJunitReport(oneEach, context));
    expect(read).toMatchObject({ name: 'oatf', tests: 5, failures: 2, errors: 2, skipped: 0, time: 0.625 });
    expect((await suitesOf(oneEach))[0]).toMatchObject({
      tests: 5,
      failures: 2,
      errors: 2,
      skipped: 0,
      timestamp: '2026-11-15T12:00:00',
    });
  });

  test('shows the evidence of a failure, with carets under the match', async () => {
    const [suite] = await suitesOf(oneEach);
    const inner = suite?.testcase?.[0]?.failure?.[0]?.inner ?? '';
    const lines = inner.split('\n');
    const line = lines.findIndex((each) => each.includes('my card is'));
    const carets = lines[line + 1] ?? '';
    expect(lines[line]?.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('card');
    expect(inner).toContain('The profile reached the server');
  });

  test('has no suite if nothing was run', async () => {
    expect(await suitesOf(nothing)).toEqual([]);
  });

  const writable = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
  describe.each([
    ['with masked secrets', context],
    ['with secrets shown', open],
    ['without the documents', bare],
  ] as const)('%s', (_how, how) => {
    test.each(hostile)('keeps hostile text from breaking the XML: %s', async (_what, text) => {
      const results = resultsOf(
        (['exploited', 'resisted', 'inconclusive', 'error'] as const).map((outcome) => ({
          name: text,
          agent: text,
          path: text,
          indicator: text,
          reason: text,
          evidence: text,
          match: { path: text },
          outcomes: [outcome],
        })),
      );
      expect(writeJunitReport(results, how)).toMatch(writable);
      const suites = await suitesOf(results, how);
      expect(suites.map(({ testcase }) => testcase?.length)).toEqual([4]);
    });
  });
});
