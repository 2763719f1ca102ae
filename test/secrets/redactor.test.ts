import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileRegex, type Regex } from '../../src/format/expression/regex.ts';
import type { RunEntry } from '../../src/format/model/results-file.ts';
import type { TraceRecord } from '../../src/format/model/trace-record.ts';
import { createRedactor } from '../../src/secrets/redactor.ts';
import { readRedactPattern } from '../../src/suite/config/redact-pattern.ts';
import { redactTrace } from '../../src/suite/store/read-lines.ts';

function pattern(source: string): Regex {
  const read = readRedactPattern(source);
  if ('problem' in read) throw new Error(read.problem);
  return read;
}

test.each([
  ['no match in a text without one', 'b', 'aaa', []],
  ['one match', 'a+', 'baab', [[1, 3]]],
  [
    'several matches',
    '[0-9]+',
    'a1b22c',
    [
      [1, 2],
      [3, 5],
    ],
  ],
  [
    'matches that stand beside each other',
    'ab',
    'abab',
    [
      [0, 2],
      [2, 4],
    ],
  ],
  ['no match that is empty', 'x*', 'axxb', [[1, 3]]],
  [
    'matches at word boundaries',
    '\\bid-[0-9]\\b',
    'id-1 xid-2 id-3',
    [
      [0, 4],
      [11, 15],
    ],
  ],
])('findAll finds %s', (_, source, text, places) => {
  const regex = compileRegex(source);
  if ('failure' in regex) throw new Error(regex.failure);
  const found = regex.findAll(text);
  expect(Array.isArray(found) && found.map(({ from, to }) => [from, to])).toEqual(places);
});

test.each(['(', 'a*', '', '(?=a)', 'a|'])('readRedactPattern refuses %j', (source) => {
  expect(readRedactPattern(source)).toHaveProperty('problem');
});

const redactor = createRedactor({ patterns: [pattern('ACME-[0-9]+'), pattern('ünique')] });

test('redactor.entry masks secrets in every field of a stored run, but keeps names of documents', () => {
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

test('withoutShapes masks what patterns find, and leaves secrets known by their shape', () => {
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

test('a pattern that matches often does not mask the fields that identify records and verdicts', () => {
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

test('redactTrace rewrites a trace, including messages that could not be read', async () => {
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

test('a redactor masks the whole text if searching it takes too long', () => {
  const slow: Regex = { ...pattern('a'), findAll: () => ({ kind: 'regex_timeout', message: 'too long' }) };
  const entry = { reason: 'a long text' } as unknown as RunEntry;
  expect(createRedactor({ patterns: [slow] }).entry(entry)).toEqual({ reason: '****' });
});

test('redactor.line keeps the spelling of numbers and the order of keys', () => {
  const line =
    '{"seq":1,"kind":"request","content":{"id":9007199254740993,"rate":1.0,"10":{"b":1e400,"2":"text"},"9":[-0.0]}}';
  expect(createRedactor().line(line)).toBe(line);
});
