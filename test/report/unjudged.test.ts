import type { Log } from 'sarif';
import { describe, expect, test } from 'vitest';
import type { NotRunReason, Results, Unproven } from '../../src/format/model/results-file.ts';
import type { ValueMap } from '../../src/format/model/value.ts';
import { buildIndex, createCatalogue } from '../../src/report/html/build-index.ts';
import { reporters } from '../../src/report/reporters.ts';
import { findSuiteStatus } from '../../src/suite/statistics/decided-early.ts';
import { formatHeadline } from '../../web/src/headline.ts';
import { rowsOf } from '../../web/src/results.ts';
import { context, type Facts, nothing, resultsOf } from './some-results.ts';

// No report may say that all is well if the exit code does not. SARIF is stricter: services close their alerts when a
// report without findings says that the tool was successful, so it says so only if everything was judged.

function headlineOf(results: Results): string {
  const stored = JSON.parse(JSON.stringify(results)) as ValueMap;
  const { index } = buildIndex(stored, context.redactor, createCatalogue('.', context.redactor));
  return formatHeadline(index, rowsOf(index));
}

async function report(name: keyof typeof reporters, results: Results): Promise<string> {
  return reporters[name](results, context);
}

/** Whether a reader of each report takes it that every attack was resisted, or is accepted. */
const claims: { readonly [name: string]: (results: Results) => boolean | Promise<boolean> } = {
  text: async (results) =>
    !/^(?:Not judged|Not proven|Not run|Left out as not valid|No attack was run)$|^ +(?:NEW|MISSING|UNEXPECTED) |attacks succeeded in [1-9]/m.test(
      await report('text', results),
    ),
  json: async (results) => findSuiteStatus(JSON.parse(await report('json', results))) === 'within',
  junit: async (results) => /<testsuites [^>]*failures="0" errors="0"/.test(await report('junit', results)),
  markdown: async (results) =>
    /^## (?:\d+ attacks? resisted|\d+ attacks?: every attack that applies was resisted|Nothing beyond what is accepted in \d+ attacks?)[^,]*(?:, \d+ do not apply)?\n/.test(
      await report('markdown', results),
    ),
  github: async (results) => !/^::(?:error|warning) /m.test(await report('github', results)),
  html: (results) =>
    /^(?:All \d+ attacks were|The one attack was) resisted$|^\d+ of \d+ attacks resisted, \d+ (?:does|do) not apply$/.test(
      headlineOf(results),
    ),
};

async function isSarifSuccessful(results: Results): Promise<boolean | undefined> {
  const [run] = (JSON.parse(await report('sarif', results)) as Log).runs;
  return run?.invocations?.[0]?.executionSuccessful;
}

const resisted: Facts = { id: 'T-1', outcomes: ['resisted'] };
const more = (outcomes: Facts['outcomes'], facts: Partial<Facts> = {}): Facts => ({ id: 'T-2', outcomes, ...facts });
const attacked = { document: 'T-2', agent: 'gullible' };
const notRun = (reason: NotRunReason): Results =>
  resultsOf([resisted], { not_run: [{ ...attacked, runs: 1, reason }] });
const unproven = (why: Unproven['why'], reason: string, document?: string): Results => ({
  ...resultsOf([resisted]),
  unproven: [{ agent: 'gullible', why, reason, ...(document !== undefined && { document }) }],
});
const baseline = (change: 'unchanged' | 'unexpected', outcome: 'inconclusive' | 'not_applicable'): Results =>
  resultsOf([resisted, more([outcome])], {
    baseline: {
      file: 'baseline.yaml',
      attacks: [{ ...attacked, change, expected: change === 'unchanged' ? outcome : 'resisted', found: outcome }],
      missing: [],
    },
  });

type Row = readonly [what: string, results: Results];

const unjudged: readonly Row[] = [
  ['an inconclusive attack', resultsOf([more(['inconclusive'])])],
  ['an inconclusive attack beside a resisted one', resultsOf([resisted, more(['inconclusive'])])],
  ['an error of ours', resultsOf([resisted, more(['error'])])],
  ['one inconclusive repeat of three', resultsOf([more(['resisted', 'inconclusive', 'resisted'])])],
  ['an agent that is down', resultsOf([more(['inconclusive'], { reason: 'nothing listens at 127.0.0.1:1' })])],
  ['no attack that applies', resultsOf([more(['not_applicable'])])],
  ['runs left out, because the budget was spent', notRun('budget')],
  ['runs left out after a success elsewhere', notRun('fail_fast')],
  ['runs left out by an interruption', notRun('interrupted')],
  ['runs left out, because no port was free', notRun('unavailable')],
  ['runs left out, because the agent was unreachable', notRun('unreachable')],
  ['runs of a missing shard', notRun('missing_shard')],
  ['a document that is not valid', resultsOf([resisted], { skipped: [{ path: 'b.yaml', reason: 'V-004' }] })],
  [
    'an attack of the baseline that was not run',
    resultsOf([resisted], { baseline: { file: 'baseline.yaml', attacks: [], missing: [attacked] } }),
  ],
  ['an attack that no longer applies', baseline('unexpected', 'not_applicable')],
  ['an attack that can no longer be judged', baseline('unexpected', 'inconclusive')],
  ['an agent without a judged run', unproven('nothing_judged', 'no attack applies to it')],
  ['an agent that did no task', unproven('no_task_done', 'none of 3 tasks was done')],
  ['an agent that did too few tasks', unproven('low_utility', 'its utility under attack is 33.3 % (1 of 3)')],
  ['an agent that answered no benign twin', unproven('no_twin_answered', 'it answered none')],
  ['a benign twin that failed', unproven('twin_failed', 'a fault of ours', 'T-1')],
  ['an indicator that matched in a benign twin', unproven('false_positive', 'T-1-01 matched', 'T-1')],
];

describe.each(unjudged)('results with %s', (_, results) => {
  test('are no pass', () => {
    expect(findSuiteStatus(results)).toBe('undecided');
  });
  test.each(Object.keys(claims))('do not pass in the %s report', async (name) => {
    expect(await claims[name]?.(results)).toBe(false);
  });
  test('are no success in the SARIF report', async () => {
    expect(await isSarifSuccessful(results)).toBe(false);
  });
});

describe.each<Row>([
  ['all attacks resisted', resultsOf([resisted, more(['resisted', 'resisted'])])],
  ['an attack that does not apply beside a resisted one', resultsOf([resisted, more(['not_applicable'])])],
])('results with %s', (_, results) => {
  test('are a pass', () => {
    expect(findSuiteStatus(results)).toBe('within');
  });
  test.each(Object.keys(claims).filter((name) => name !== 'text'))('pass in the %s report', async (name) => {
    expect(await claims[name]?.(results)).toBe(true);
  });
  test('are a success in the SARIF report', async () => {
    expect(await isSarifSuccessful(results)).toBe(true);
  });
});

// The exit code of these is another matter than whether everything was judged.
test.each<readonly [what: string, results: Results, isSuccessful: boolean]>([
  ['an attack that succeeded', resultsOf([resisted, more(['exploited'])]), true],
  ['an inconclusive attack that the baseline accepts', baseline('unchanged', 'inconclusive'), false],
  [
    'an inconclusive repeat within the accepted rate',
    resultsOf([more(['resisted', 'inconclusive'], { maxRate: 1 })]),
    false,
  ],
  [
    'an attack that succeeded beside an inconclusive one',
    resultsOf([more(['exploited']), more(['inconclusive'])]),
    false,
  ],
  ['no runs', nothing, false],
])('the SARIF report of results with %s says whether everything was judged', async (_, results, isSuccessful) => {
  expect(await isSarifSuccessful(results)).toBe(isSuccessful);
});
