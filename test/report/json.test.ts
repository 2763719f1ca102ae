import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { Results } from '../../src/model/results.ts';
import { jsonLinesReport, jsonReport } from '../../src/report/json.ts';
import { resultsSchema } from './results-schema.ts';
import { schemaErrorsIn } from './schema-errors.ts';
import { compared, hostile, nothing, oneEach, repeated, resultsOf } from './some-results.ts';

const fixed: readonly (readonly [what: string, results: Results])[] = [
  ['one of each outcome', oneEach],
  ['repeats', repeated],
  ['a baseline', compared],
  ['nothing', nothing],
  ...hostile.map(
    ([what, text]) => [what, resultsOf([{ name: text, evidence: text, outcomes: ['exploited'] }])] as const,
  ),
];

describe.each(fixed)('%s', (_what, results) => {
  test('json is the results as they are', () => {
    expect(JSON.parse(jsonReport(results))).toEqual(results);
  });

  test('jsonl is a run a line', () => {
    const lines = jsonLinesReport(results).split('\n').slice(0, -1);
    expect(lines.map((line) => JSON.parse(line))).toEqual(results.runs);
  });
});

describe('the schema of results.json', () => {
  test.each(fixed)('accepts %s', (_what, results) => {
    expect(schemaErrorsIn(results)).toEqual([]);
  });

  test.each([
    ['another version', { ...nothing, version: 3 }],
    ['no statistics', { ...nothing, statistics: undefined }],
    [
      'an outcome that is none',
      { ...oneEach, runs: oneEach.runs.map((run) => ({ ...run, outcome: 'won' })) },
    ],
    [
      'a rate above 1',
      {
        ...nothing,
        statistics: { ...nothing.statistics, success: { count: 1, of: 1, rate: 2, interval: null } },
      },
    ],
  ])('refuses %s', (_what, results) => {
    expect(schemaErrorsIn(JSON.parse(JSON.stringify(results)))).not.toEqual([]);
  });

  test('lets results grow', () => {
    const plain = new Ajv2020({ strict: true, allowUnionTypes: true, strictTuples: false }).compile(
      resultsSchema,
    );
    expect(plain({ ...oneEach, later: true })).toBe(true);
  });
});
