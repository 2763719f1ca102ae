import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRedactPattern } from '../../src/config/redact-pattern.ts';
import { compileRegex, type Regex } from '../../src/expression/regex.ts';
import type { RunEntry } from '../../src/model/results.ts';
import type { TraceRecord } from '../../src/model/trace.ts';
import { createRedactor } from '../../src/secrets/redactor.ts';
import { redactTrace } from '../../src/suite/redact-trace.ts';

function pattern(source: string): Regex {
  const read = readRedactPattern(source);
  if ('problem' in read) throw new Error(read.problem);
  return read;
}

test.each([
  ['none', 'b', 'aaa', []],
  ['one', 'a+', 'baab', [[1, 3]]],
  [
    'several',
    '[0-9]+',
    'a1b22c',
    [
      [1, 2],
      [3, 5],
    ],
  ],
  [
    'beside each other',
    'ab',
    'abab',
    [
      [0, 2],
      [2, 4],
    ],
  ],
  ['none without a length', 'x*', 'axxb', [[1, 3]]],
  [
    'at word boundaries',
    '\\bid-[0-9]\\b',
    'id-1 xid-2 id-3',
    [
      [0, 4],
      [11, 15],
    ],
  ],
])('all matches: %s', (_, source, text, places) => {
  const regex = compileRegex(source);
  if ('failure' in regex) throw new Error(regex.failure);
  const found = regex.findAll(text);
  expect(Array.isArray(found) && found.map(({ from, to }) => [from, to])).toEqual(places);
});

test.each(['(', 'a*', '', '(?=a)', 'a|'])('%j is not a pattern of secrets', (source) => {
  expect(readRedactPattern(source)).toHaveProperty('problem');
});

const redactor = createRedactor({ patterns: [pattern('ACME-[0-9]+'), pattern('ünique')] });

test('a stored run is without secrets, wherever they were', () => {
  const entry = {
    document: { name: 'ACME-1 stays, for it is a name' },
    verdict: {
      result: 'exploited',
      indicator_verdicts: [{ evidence: 'it said ACME-12 and AKIAIOSFODNN7EXAMPLE' }],
    },
    reason: 'ACME-3',
    diagnostics: [{ message: 'ünique' }],
    program: { stderr: 'ACME-4: oops', exit_code: 1 },
  } as unknown as RunEntry;
  expect(redactor.entry(entry)).toEqual({
    document: { name: 'ACME-1 stays, for it is a name' },
    verdict: { result: 'exploited', indicator_verdicts: [{ evidence: 'it said **** and AKIA****' }] },
    reason: '****',
    diagnostics: [{ message: '****' }],
    program: { stderr: '****: oops', exit_code: 1 },
  });
});

test('stored texts lack what patterns find; shapes are masked when a text is shown', () => {
  const record = {
    seq: 4,
    kind: 'request',
    content: { 'ACME-5': ['ACME-12', 7, null, true], other: 'AKIAIOSFODNN7EXAMPLE' },
  } as unknown as TraceRecord;
  expect(redactor.withoutShapes.record(record)).toEqual({
    seq: 4,
    kind: 'request',
    content: { '****': ['****', 7, null, true], other: 'AKIAIOSFODNN7EXAMPLE' },
    covered: true,
  });
  expect(createRedactor().withoutShapes.record(record)).toBe(record);
  expect(redactor.withoutShapes.judged({ outcome: 'error', reason: 'ACME-1' })).toEqual({
    outcome: 'error',
    reason: '****',
  });
});

test('a pattern that matches often leaves the fields that identify records and judgements', () => {
  const all = createRedactor({ patterns: [pattern('[0-9]{4}'), pattern('[a-z]+')] });
  const record = {
    seq: 1234,
    timestamp: '2026-01-01T00:00:00.000Z',
    actor: 'shop',
    kind: 'request',
    method: 'tools/call',
    content: { pin: 1234, name: 'pay' },
  } as unknown as TraceRecord;
  expect(all.withoutShapes.record(record)).toEqual({ ...record, content: { '****': '****' }, covered: true });
  const entry = {
    verdict: {
      result: 'exploited',
      indicator_verdicts: [{ indicator_id: 'a-01', result: 'matched', evidence: 'pin 1234' }],
    },
  } as unknown as RunEntry;
  expect(all.entry(entry)).toEqual({
    verdict: {
      result: 'exploited',
      indicator_verdicts: [{ indicator_id: 'a-01', result: 'matched', evidence: '**** ****' }],
    },
  });
});

test('a trace is rewritten, bytes that were no message included', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'oatf-redact-'));
  const file = join(folder, 'trace.jsonl');
  const raw = (text: string | Buffer): string => Buffer.from(text as string).toString('base64');
  const lines = [
    { kind: 'request', content: { text: 'ACME-12', key: { 'ACME-5': 1 } } },
    { kind: 'malformed', raw: raw('{"a": "ünique ACME-9"') },
    { kind: 'malformed', raw: raw(Buffer.from([0xff, ...Buffer.from('ACME-9')])) },
    { kind: 'malformed', raw: raw('plain') },
  ];
  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"half": "ACME-7`);
  await redactTrace(file, redactor);
  const kept = readFileSync(file, 'utf8').trimEnd().split('\n');
  rmSync(folder, { recursive: true });
  expect(kept.slice(0, -1).map((line) => JSON.parse(line))).toEqual([
    { kind: 'request', content: { text: '****', key: { '****': 1 } }, covered: true },
    { kind: 'malformed', raw: raw('{"a": "**** ****"') },
    { kind: 'malformed', raw: raw(Buffer.from([0xff, ...Buffer.from('****')])) },
    { kind: 'malformed', raw: raw('plain') },
  ]);
  expect(kept.at(-1)).toBe('{"half": "****');
});

test('a text that is too long to be searched is not kept', () => {
  const slow: Regex = { ...pattern('a'), findAll: () => ({ kind: 'regex_timeout', message: 'too long' }) };
  const entry = { reason: 'a long text' } as unknown as RunEntry;
  expect(createRedactor({ patterns: [slow] }).entry(entry)).toEqual({ reason: '****' });
});

test('numbers and the order of keys are stored as they were sent', () => {
  const line =
    '{"seq":1,"kind":"request","content":{"id":9007199254740993,"rate":1.0,"10":{"b":1e400,"2":"text"},"9":[-0.0]}}';
  expect(createRedactor().line(line)).toBe(line);
});
