import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import type { Results } from '../../src/format/model/results-file.ts';
import { writeJsonLinesReport, writeJsonReport } from '../../src/report/reporters.ts';
import { resultsSchema } from './results-schema.ts';
import { schemaErrorsIn } from './schema-errors.ts';
import { compared, hostile, nothing, oneEach, repeated, resultsOf } from './some-results.ts';

const fixed: readonly (readonly [what: string, results: Results])[] = [
  ['one of each outcome', oneEach],
  ['repeats', repeated],
  ['a baseline', compared],
  ['no runs', nothing],
  ...hostile.map(
    ([what, text]) => [what, resultsOf([{ name: text, evidence: text, outcomes: ['exploited'] }])] as const,
  ),
];

describe.each(fixed)('the JSON reports of results with %s', (_what, results) => {
  test('are the results unchanged in json', () => {
    expect(JSON.parse(writeJsonReport(results))).toEqual(results);
  });

  test('have one run on each line in jsonl', () => {
    const lines = writeJsonLinesReport(results).split('\n').slice(0, -1);
    expect(lines.map((line) => JSON.parse(line))).toEqual(results.runs);
  });
});

describe('the schema of results.json', () => {
  test.each(fixed)('accepts results with %s', (_what, results) => {
    expect(schemaErrorsIn(results)).toEqual([]);
  });

  test.each([
    ['another version', { ...nothing, version: 3 }],
    ['no statistics', { ...nothing, statistics: undefined }],
    ['an unknown outcome', { ...oneEach, runs: oneEach.runs.map((run) => ({ ...run, outcome: 'won' })) }],
    [
      'a rate above 1',
      {
        ...nothing,
        statistics: { ...nothing.statistics, success: { count: 1, of: 1, rate: 2, interval: null } },
      },
    ],
  ])('refuses results with %s', (_what, results) => {
    expect(schemaErrorsIn(JSON.parse(JSON.stringify(results)))).not.toEqual([]);
  });

  test('allows fields that it does not know', () => {
    const plain = new Ajv2020({ strict: true, allowUnionTypes: true, strictTuples: false }).compile(resultsSchema);
    expect(plain({ ...oneEach, later: true })).toBe(true);
  });
});
