import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import type { Log, Run } from 'sarif';
import { describe, expect, test } from 'vitest';
import type { Results } from '../../src/format/model/results-file.ts';
import type { ReportContext } from '../../src/report/reporter.ts';
import { writeSarifReport } from '../../src/report/sarif-report.ts';
import { bare, compared, context, hostile, nothing, oneEach, repeated, resultsOf } from './some-results.ts';

function runOf(results: Results, how: ReportContext = context): Run {
  const [run, ...others] = (JSON.parse(writeSarifReport(results, how)) as Log).runs;
  if (run === undefined || others.length > 0) throw new Error('not one run');
  return run;
}

describe('the SARIF report', () => {
  test('has a result only for what matched in runs that succeeded', () => {
    expect(runOf(oneEach).results?.map(({ ruleId, level }) => [ruleId, level])).toEqual([
      ['T-1-01', 'error'],
      ['T-2/T-1-01', 'error'],
    ]);
  });

  test('has a notification for an attack that could not be judged', () => {
    const [invocation] = runOf(oneEach).invocations ?? [];
    expect(invocation).toMatchObject({
      executionSuccessful: false,
      startTimeUtc: '2026-11-15T12:00:00.000Z',
      toolExecutionNotifications: [
        { level: 'warning', message: { text: expect.stringContaining('T-4') } },
        { level: 'error', message: { text: expect.stringContaining('the agent crashed') } },
      ],
    });
  });

  test.each([
    ['a file of its own', 'attacks/my shop.yaml', { uri: 'attacks/my%20shop.yaml' }],
    ['a document of the library', 'T-1', { uri: 'documents/T-1.yaml', uriBaseId: 'RESULTS' }],
  ])('has results that point at the indicator in %s', (_what, path, artifactLocation) => {
    const [result] = runOf(resultsOf([{ id: 'T-1', path, outcomes: ['exploited'] }])).results ?? [];
    expect(result?.locations).toMatchObject([
      { physicalLocation: { artifactLocation, region: { startLine: 42, startColumn: 7 } } },
    ]);
  });

  test('has results that point at the file if the document is not at hand', () => {
    const [result] = runOf(oneEach, bare).results ?? [];
    expect(result?.locations?.[0]?.physicalLocation).not.toHaveProperty('region');
  });

  test.each([
    ['ingested', 'note'],
    ['local_action', 'warning'],
    ['boundary_breach', 'error'],
    [undefined, 'error'],
  ])('gives tier %s the level %s', (tier, level) => {
    const indicators = () => [{ id: 'T-1-01', ...(tier !== undefined && { tier }) }];
    const run = runOf(oneEach, { ...context, indicators });
    expect(run.results?.[0]?.level).toBe(level);
    expect(run.tool.driver.rules?.[0]?.defaultConfiguration?.level).toBe(level);
  });

  test.each([
    ['critical', 'boundary_breach', '9.5'],
    ['high', 'boundary_breach', '8.0'],
    ['high', 'local_action', '5.5'],
    ['high', 'ingested', '3.0'],
    ['high', undefined, '8.0'],
    ['medium', 'boundary_breach', '5.5'],
    ['low', 'ingested', '0.5'],
    ['informational', 'boundary_breach', '0.5'],
    ['unheard of', 'boundary_breach', undefined],
  ])('gives severity %s and tier %s the security-severity %s', (severity, tier, expected) => {
    const indicators = () => [{ id: 'T-1-01', ...(tier !== undefined && { tier }) }];
    const run = runOf(resultsOf([{ id: 'T-1', severity, outcomes: ['exploited'] }]), {
      ...context,
      indicators,
    });
    expect(run.tool.driver.rules?.[0]?.properties?.['security-severity']).toBe(expected);
  });

  test('has a rule for each indicator, and each result names its rule', () => {
    const { tool, results = [] } = runOf(repeated);
    expect(tool.driver.rules?.map(({ id }) => id)).toEqual(['T-1-01']);
    for (const { ruleIndex = -1, ruleId } of results) expect(tool.driver.rules?.[ruleIndex]?.id).toBe(ruleId);
  });

  test('has one result for all repeats, with a fingerprint that differs between agents', () => {
    const { results = [] } = runOf(repeated);
    expect(results.map(({ occurrenceCount }) => occurrenceCount)).toEqual([2, 1]);
    expect(new Set(results.map(({ partialFingerprints }) => JSON.stringify(partialFingerprints))).size).toBe(2);
  });

  test('has fingerprints that do not depend on evidence, order or rates', () => {
    const [first] = runOf(resultsOf([{ id: 'T-1', outcomes: ['exploited'], evidence: 'a' }])).results ?? [];
    const [, second] =
      runOf(
        resultsOf([
          { id: 'T-0', outcomes: ['exploited'] },
          { id: 'T-1', outcomes: ['resisted', 'partial'], evidence: 'b' },
        ]),
      ).results ?? [];
    expect(second?.partialFingerprints).toEqual(first?.partialFingerprints);
  });

  test('suppresses an attack that the baseline accepts', () => {
    expect(
      runOf(compared).results?.map(({ baselineState, suppressions = [] }) => [baselineState, suppressions.length]),
    ).toEqual([
      ['unchanged', 1],
      ['new', 0],
    ]);
  });

  test('escapes links in evidence', () => {
    const [result] =
      runOf(resultsOf([{ outcomes: ['exploited'], evidence: '[x](https://evil.example)' }])).results ?? [];
    expect(result?.message.text).not.toContain('](');
  });
});

const schema = new URL('../../node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json', import.meta.url);

describe('the schema of SARIF 2.1.0', () => {
  // The schema's draft is older than those that ajv knows, and one of its patterns is not valid with the flag `u`.
  const { id: _id, $schema: _draft, ...draft } = existsSync(schema) ? JSON.parse(readFileSync(schema, 'utf8')) : {};
  const validate = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(draft);

  const rows: readonly (readonly [what: string, results: Results])[] = [
    ['one of each outcome', oneEach],
    ['repeats', repeated],
    ['a baseline', compared],
    ['no runs', nothing],
    ...hostile.map(
      ([what, text]) =>
        [
          what,
          resultsOf([
            {
              name: text,
              path: text,
              indicator: text,
              tags: [text, text],
              evidence: text,
              outcomes: ['exploited'],
            },
            { id: text, reason: text, severity: text, outcomes: ['error'] },
          ]),
        ] as const,
    ),
  ];
  test.each(rows)('accepts the report of results with %s', (_what, results) => {
    const accepted = validate(JSON.parse(writeSarifReport(results, context)));
    expect({ accepted, errors: validate.errors }).toEqual({ accepted: true, errors: null });
  });
});
