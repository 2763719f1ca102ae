import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Results } from '../../src/format/model/results-file.ts';
import { writeJsonLinesReport, writeJsonReport } from '../../src/report/reporters.ts';
import { createBaseline, writeBaselineJson, writeBaselineYaml } from '../../src/suite/statistics/baseline.ts';
import { resultsSchema } from '../../src/suite/store/results-schema.ts';
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
    ['another version', { ...nothing, version: 2 }],
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

  test('is the one that the package has and that oatf schema --results prints', () => {
    const built: unknown = JSON.parse(
      readFileSync(createRequire(import.meta.url).resolve('oatf/results.schema.json'), 'utf8'),
    );
    expect(built).toEqual(JSON.parse(JSON.stringify(resultsSchema)));
  });
});

describe('the schema of baseline files', () => {
  const isBaseline = new Ajv2020({ strict: true, allowUnionTypes: true, strictTuples: false }).compile({
    ...resultsSchema,
    $ref: '#/$defs/baseline',
    required: [],
    properties: {},
  });
  const entry = { document: 'A-001', agent: 'a', status: 'resisted', success: '0/1' };

  test.each<[title: string, file: unknown, isValid: boolean]>([
    ['accepts the baseline of results', JSON.parse(writeBaselineJson(createBaseline(repeated, true).baseline)), true],
    ['accepts a baseline of version 1', { version: 1, attacks: [{ ...entry, status: 'error' }] }, true],
    ['accepts a baseline in YAML', parse(writeBaselineYaml(createBaseline(oneEach, true).baseline)), true],
    ['refuses a baseline of another version', { version: 4, attacks: [] }, false],
    ['refuses an entry with an unknown status', { version: 2, attacks: [{ ...entry, status: 'won' }] }, false],
    ['refuses an entry whose success is a rate', { version: 2, attacks: [{ ...entry, success: 0.5 }] }, false],
  ])('%s', (_title, file, isValid) => {
    expect(isBaseline(file), JSON.stringify(isBaseline.errors)).toBe(isValid);
  });
});
