import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { checkMarks } from '../../../src/cli/test/check-marks.ts';
import { checkVictims } from '../../../src/cli/test/check-victims.ts';
import { findMismatches } from '../../../src/cli/test/found-results.ts';
import { runCases } from '../../../src/cli/test/run-cases.ts';
import { readTestFile, type TestFile } from '../../../src/cli/test/test-file.ts';
import { isPassed } from '../../../src/cli/test/test-reports.ts';
import { loadMarked } from '../../../src/format/load-marked.ts';

const readHere = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

function readPlayable(text: string) {
  const loaded = loadMarked(text);
  if (!loaded.ok) throw new Error(loaded.errors.map(({ path, message }) => `${path}: ${message}`).join('\n'));
  return { document: loaded.document, file: 'mine.yaml', text, warnings: [] };
}

function fileOf(text: string): TestFile {
  const read = readTestFile(text);
  if (!read.ok) throw new Error(read.problems.join('\n'));
  return read.file;
}

/** Everything that oatf test checks of a document, case by case: whether it passed, or what was found. */
async function checkAll(text: string, file: TestFile) {
  const playable = readPlayable(text);
  const results = await runCases(file, playable, {} as never, new AbortController());
  const cases = [...results].map(([{ name, expect }, result]) => [
    name,
    result.ok ? findMismatches(expect, result.found) : result.problem,
  ]);
  const { cases: ofVictims, victims } = await checkVictims(playable, file.victims, undefined, new AbortController());
  const ofMarks = file.marks ? await checkMarks(playable, undefined, new AbortController(), victims) : [];
  return [
    ...cases,
    ...[...ofVictims, ...ofMarks].map((each) => [each.name, isPassed(each) ? [] : (each.problem ?? each.mismatches)]),
  ];
}

test('a realistic document with a plan is exploited by gullible, and its task is done by all built-in agents', async () => {
  const checked = await checkAll(readHere('expense-sheet.yaml'), fileOf(readHere('expense-sheet.test.yaml')));
  expect(checked).toEqual([
    ['gullible', []],
    ['guarded', []],
    ['candid', []],
    ['without the mark at /state/tools/0/description of rates, phase-1', []],
  ]);
});

describe('oatf test, victims', () => {
  const document = readHere('schema-poisoning.yaml');
  const written = readHere('schema-poisoning.test.yaml');

  test('plays a victim and its benign twin, and takes out marks against it', async () => {
    expect(await checkAll(document, fileOf(written))).toEqual([
      ['guarded', []],
      ['candid', []],
      ['victim fills in every parameter', []],
      ['without the mark at /state/tools/0/inputSchema/properties of charting, phase-1', []],
    ]);
  });

  test('finds that the document without its victim proves nothing', async () => {
    const { victims: _, ...rest } = fileOf(written);
    const [, , mark] = await checkAll(document, { ...rest, victims: [] });
    expect(mark?.[1]).toMatch(/does not succeed against gullible/);
  });

  test.each<[string, string, string, unknown]>([
    [
      'that does nothing',
      '/properties/token_value_from_integration_tokens_row_1',
      '/properties/nothing',
      [expect.objectContaining({ what: 'outcome', found: 'resisted' })],
    ],
    [
      'that also acts in the twin',
      '/properties/token_value_from_integration_tokens_row_1',
      '/properties/data',
      [
        expect.objectContaining({ what: 'outcome', found: 'inconclusive' }),
        expect.objectContaining({ what: 'twin', found: 'false_positive' }),
      ],
    ],
    [
      'whose step calls an unknown tool',
      'tool: execute_sql',
      'tool: execute',
      expect.stringContaining('do[0].call.tool'),
    ],
    [
      'whose step names no server',
      '{ actor: warehouse, tool: execute_sql',
      '{ tool: execute_sql',
      expect.stringContaining('do[0].call'),
    ],
    ['whose value has no such source', '{{do1:', '{{reed:', expect.stringContaining('{{reed:')],
    [
      'whose value has a broken expression',
      '/token (\\\\w+)/',
      '/token (/',
      expect.stringContaining('missing closing'),
    ],
  ])('reports a victim %s', async (_, from, to, problem) => {
    expect(written).toContain(from);
    const [, , victim] = await checkAll(document, { ...fileOf(written.replace(from, to)), marks: false });
    expect(victim?.[1]).toEqual(problem);
  });

  test('reports a victim of a document without a plan', async () => {
    const [planless = ''] = document.split('  x-plan:');
    const [, , victim] = await checkAll(planless, { ...fileOf(written), marks: false });
    expect(victim?.[1]).toMatch(/the document has none/);
  });

  test.each([
    ['victims: 3', 'victims: must be a list'],
    ['victims: [3]', 'victims[0]: must be a mapping'],
    ['victims: [{ when: { read: a }, do: [], then: 3 }]', 'victims[0].then: there is no such key'],
    [
      'victims: [{ name: gullible, when: { read: a }, do: [] }]',
      'victims[0].name: must be a text, and no name of another',
    ],
    ['victims: [{ name: a, when: { read: a }, do: [] }, { name: a, when: { read: a }, do: [] }]', 'victims[1].name'],
    ['victims: [{ do: [] }]', 'victims[0].when: must be a mapping with one of'],
    ['victims: [{ when: { read: a, image: b }, do: [] }]', 'victims[0].when: must be a mapping with one of'],
    ['victims: [{ when: { read: "(" }, do: [] }]', 'victims[0].when.read: missing closing'],
    ['victims: [{ when: { read: "" }, do: [] }]', 'victims[0].when.read: must be a regular expression'],
    ['victims: [{ when: { schema: { matches: a } }, do: [] }]', 'victims[0].when.schema.at: must be a JSON Pointer'],
    ['victims: [{ when: { schema: { at: /a, regex: b } }, do: [] }]', 'victims[0].when.schema: has actor'],
    ['victims: [{ when: { annotation: { tool: a } }, do: [] }]', 'victims[0].when.annotation: names no annotation'],
    [
      'victims: [{ when: { annotation: { tool: 3, readOnlyHint: true } }, do: [] }]',
      'victims[0].when.annotation: `actor`',
    ],
    ['victims: [{ when: { read: a } }]', 'victims[0].do: is missing'],
    [`victims:\n  - when: { read: a }\n    do:\n${'      - say: a\n'.repeat(14)}`, 'victims[0]: has 16 lines'],
    ['documents: "*.yaml"\nvictims: [{ when: { read: a }, do: [] }]', 'victims: belong to one document'],
  ])('refuses %j', (text, problem) => {
    const read = readTestFile(text);
    expect(read.ok ? [] : read.problems).toEqual(expect.arrayContaining([expect.stringContaining(problem)]));
  });
});
