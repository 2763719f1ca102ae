import { describe, expect, test } from 'vitest';
import { makeDocument } from '../../../src/cli/commands/new-command.ts';
import { newTestFileText, updateExpectations } from '../../../src/cli/test/check-test-file.ts';
import { cannotFail, findMismatches, toFoundInRun } from '../../../src/cli/test/found-results.ts';
import { runCases } from '../../../src/cli/test/run-cases.ts';
import { readTestFile, type TestCase, type TestFile } from '../../../src/cli/test/test-file.ts';
import { isPassed, reportTests } from '../../../src/cli/test/test-reports.ts';
import { loadMarked } from '../../../src/format/load-marked.ts';
import type { RunEntry } from '../../../src/format/model/results-file.ts';

const text = makeDocument({ surface: 'tool-response', goal: 'act', id: 'MINE-001', name: 'A calendar' });

function fileOf(written: string): TestFile {
  const read = readTestFile(written);
  if (!read.ok) throw new Error(read.problems.join('\n'));
  return read.file;
}

async function run(file: TestFile) {
  const loaded = loadMarked(text);
  if (!loaded.ok) throw new Error('it is not valid');
  const playable = { document: loaded.document, file: 'mine.yaml', text, warnings: [] };
  return runCases(file, playable, {} as never, new AbortController());
}

const written = (expected: string): string => `tests:
  - name: by hand
    messages:
      - actor: calendar
        method: tools/call
        content: { name: cancel_event, arguments: { title: x } }
    expect: ${expected}
`;

describe('oatf test, cases with messages', () => {
  test.each([
    ['{verdict: exploited, tier: boundary_breach, indicators: {MINE-001-01: matched}}', []],
    ['{verdict: not_exploited}', ['verdict']],
    ['{indicators: {MINE-001-01: not_matched}, tier: null}', ['tier', 'indicator MINE-001-01']],
    ['{indicators: {MINE-001-99: matched}}', ['indicator MINE-001-99']],
    ['{indicators: {"*": matched}}', []],
    ['{indicators: {"*": not_matched}}', ['indicator MINE-001-01']],
    ['{indicators: {"*": not_matched, MINE-001-01: matched}}', []],
  ])('compares the expectation %s with the result', async (expected, wrong) => {
    const file = fileOf(written(expected));
    const [[only, result] = []] = await run(file);
    const mismatches = result?.ok ? findMismatches(only?.expect ?? {}, result.found) : undefined;
    expect(mismatches?.map(({ what }) => what)).toEqual(wrong);
  });

  test('updates the expectations of the file with --update and keeps its comments', async () => {
    const file = fileOf(`# mine\n${written('{verdict: error, task: unknown}')}`);
    const after = updateExpectations(file, [await run(file)]);
    expect(after).toMatch(/^# mine\n/);
    const again = fileOf(after);
    expect(again.cases[0]?.expect).toEqual({ verdict: 'exploited', task: 'unknown' });
  });
});

test('oatf test --update: keeps "*" when it still holds', async () => {
  const file = fileOf(written('{outcome: error, indicators: {"*": matched}}'));
  const [only] = fileOf(updateExpectations(file, [await run(file)])).cases;
  expect(only?.expect.indicators).toEqual({ '*': 'matched' });
});

test('oatf test --update: fills in the result of a case that expects nothing yet', async () => {
  const read = readTestFile(written('{}'), { isUpdated: true });
  if (!read.ok) throw new Error(read.problems.join('\n'));
  const [only] = fileOf(updateExpectations(read.file, [await run(read.file)])).cases;
  expect(only?.expect).toMatchObject({ verdict: 'exploited', tier: 'boundary_breach' });
});

describe('readTestFile', () => {
  test.each([
    ['[]', /is a mapping with `tests`/],
    ['tests: []', /tests: there are none/],
    ['test: []', /test: there is no such key; did you mean tests\?/],
    ['tests: [{agent: gullable}]', /tests\[0\]\.agent: "gullable" is not a built-in agent/],
    ['tests: [{agent: gullible, trace: a.jsonl}]', /one of agent, trace and messages/],
    ['tests: [{agent: gullible, expect: {outcome: exploted}}]', /expect\.outcome: "exploted" is not one of/],
    ['tests: [{agent: gullible, expect: {twn: clean}}]', /expect\.twn: there is no such key; did you mean twin/],
    ['tests: [{trace: a.jsonl, expect: {twin: clean}}]', /twins are played against agents only/],
    ['tests: [{messages: [{from: me, method: a}]}]', /from: must be agent or attacker/],
    ['tests: [{messages: [{content: 1}]}]', /a message has a `method`/],
    ['tests: [{agent: gullible}]', /tests\[0\]\.expect: nothing is expected/],
    ['tests: [{agent: gullible, expect: {}}]', /nothing is expected/],
    ['tests: [{agent: gullible, expect: {indicators: {}}}]', /nothing is expected/],
    ['documents: []\ntests: [{agent: gullible, expect: {task: done}}]', /documents: must be a file/],
    [
      'document: a.yaml\ndocuments: .\ntests: [{agent: gullible, expect: {task: done}}]',
      /either `document` or `documents`/,
    ],
    ['documents: .\ntests: [{trace: a.jsonl, expect: {task: done}}]', /trace: belongs to one document/],
    ['tests: [', /./],
  ])('reports the place of the problem in: %s', (broken, problem) => {
    const read = readTestFile(broken);
    expect(read.ok ? '' : read.problems.join('\n')).toMatch(problem);
  });

  test('accepts the test file that "oatf new" writes', () => {
    expect(fileOf(newTestFileText).cases.map(({ name }) => name)).toEqual(['gullible', 'guarded', 'candid']);
  });
});

test('findMismatches: skips indicators that one of many documents does not have', () => {
  const expected = { indicators: { '*': 'matched', 'A-001-02': 'skipped' } };
  const mismatches = (indicators: { readonly [id: string]: string }) =>
    findMismatches(expected, { indicators }, { isOneOfMany: true }).map(({ what }) => what);
  expect(mismatches({ 'B-001-01': 'matched' })).toEqual([]);
  expect(mismatches({ 'A-001-01': 'matched', 'A-001-02': 'matched' })).toEqual(['indicator A-001-02']);
});

test.each([
  [
    'asks nothing of a document without indicators when it expects every indicator',
    { indicators: { '*': 'matched' } },
    {},
    true,
  ],
  [
    'asks nothing of a document when it expects only an indicator of another one',
    { indicators: { 'B-01': 'matched' } },
    { 'A-01': 'matched' },
    true,
  ],
  [
    'asks something when it expects an outcome, too',
    { outcome: 'resisted', indicators: { '*': 'matched' } },
    {},
    false,
  ],
  [
    'asks something when it expects an indicator that the document has',
    { indicators: { 'A-01': 'matched' } },
    { 'A-01': 'matched' },
    false,
  ],
  [
    'asks something when it expects every other indicator of the document',
    { indicators: { 'B-01': 'matched', '*': 'matched' } },
    { 'A-01': 'matched' },
    false,
  ],
])('cannotFail: a case %s', (_, expected, indicators, isNothing) => {
  expect(cannotFail(expected, { indicators })).toBe(isNothing);
});

test('oatf test --update: writes only what all matched documents have in common', () => {
  const file = fileOf('documents: .\ntests: [{agent: gullible, expect: {outcome: error, task: unknown}}]');
  const found = (task: string) =>
    new Map([[file.cases[0] as TestCase, { ok: true, found: { outcome: 'exploited', task } } as const]]);
  const [only] = fileOf(updateExpectations(file, [found('done'), found('not_done')])).cases;
  expect(only?.expect).toEqual({ outcome: 'exploited', task: 'unknown' });
});

const twinOf = (twin: Partial<RunEntry>) => toFoundInRun({ outcome: 'resisted' } as RunEntry, twin as RunEntry).twin;
const matched = { indicator_verdicts: [{ result: 'matched' }] } as unknown as RunEntry['verdict'];
test.each<readonly [string, Partial<RunEntry>]>([
  ['clean', { outcome: 'resisted', task: 'done' }],
  ['clean', { outcome: 'resisted', task: 'unknown' }],
  ['over_refusal', { outcome: 'resisted', task: 'not_done' }],
  ['false_positive', { outcome: 'exploited', verdict: matched }],
  ['false_positive', { outcome: 'inconclusive', verdict: matched }],
  ['inconclusive', { outcome: 'inconclusive', task: 'not_done' }],
])('toFoundInRun: calls a benign twin %s when its run was %j', (expected, twin) => {
  expect(twinOf(twin)).toBe(expected);
});

test.each([
  ['text', /✗ odd <name>\n {6}outcome: expected resisted, found none/],
  ['json', /"passed": false/],
  ['junit', /<testcase name="odd &lt;name&gt;" classname="a\.test\.yaml">\n *<failure/],
  ['github', /^::error file=a\.test\.yaml/],
] as const)('reportTests: reports a failed case in the format %s', (format, expected) => {
  const mismatches = [{ what: 'outcome', expected: 'resisted', found: 'none' }];
  const failed = { name: 'odd <name>', mismatches };
  const plain = { green: String, red: String } as never;
  expect(isPassed(failed)).toBe(false);
  expect(reportTests([{ file: 'a.test.yaml', cases: [failed] }], format, plain)).toMatch(expected);
});
