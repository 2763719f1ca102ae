import { basename, dirname, relative, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isSeq } from 'yaml';
import { builtInAgentNames } from '../../agents/built-in/built-in-agents.ts';
import { readYaml } from '../../format/document/read-yaml.ts';
import { writeYaml } from '../../format/document/write-yaml.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { findDocument, findDocuments } from '../../suite/library/find-documents.ts';
import { readSourceDocument } from '../../suite/library/read-document.ts';
import type { PlayableDocument } from '../../suite/plan/plan.ts';
import type { Exit } from '../command-outcome.ts';
import { complain, type Io } from '../io.ts';
import { loadDocuments } from '../run/plan/load-documents.ts';
import { writeWhole } from '../write-whole.ts';
import { checkMarks } from './check-marks.ts';
import { checkVictims } from './check-victims.ts';
import { cannotFail, findMismatches, listNamedIndicators } from './found-results.ts';
import { type CaseResult, runCases } from './run-cases.ts';
import { type ExpectedKey, readTestFile, type TestCase, type TestFile } from './test-file.ts';
import type { ReportedCase, ReportedFile } from './test-reports.ts';

interface Options {
  /** Whether the file does not exist yet. */
  readonly isNew: boolean;
  /** Whether found values replace the expected ones. */
  readonly update: boolean;
  /** Traces for which an update adds a new case each. */
  readonly traces: readonly string[];
  /** Whether marks are checked in files that do not ask for it. */
  readonly marks: boolean;
  readonly signal: AbortSignal;
}

/** The results of each document, by case. */
type CheckedCases = readonly (readonly [PlayableDocument, ReadonlyMap<TestCase, CaseResult>])[];

/** Checks the documents of a test file against its cases. */
export async function checkTestFile(
  path: string,
  { isNew, update, traces, marks, signal }: Options,
  io: Io,
): Promise<ReportedFile | Exit> {
  const name = escapeInvisible(relative(io.cwd, path) || path);
  const folder: Io = { ...io, cwd: dirname(path) };
  const source = isNew
    ? ({ kind: 'text', text: traces.length > 0 ? 'tests: []\n' : newTestFileText } as const)
    : await readSourceDocument({ kind: 'file', name, path }, io);
  if (source.kind === 'unreadable') return (await complain(io, 'unreadable', `${name}: ${source.reason}`)).exit;
  if (source.kind === 'invalid') return (await complain(io, 'invalid', `${name}: ${source.diagnostic.message}`)).exit;
  const text = addTraceCases(
    source.text,
    traces.map((trace) => relative(dirname(path), resolve(io.cwd, trace))),
  );
  const read = readTestFile(text, { isUpdated: update });
  if (!read.ok) {
    for (const problem of read.problems) await complain(io, 'invalid', `${name}: ${problem}`);
    return 'invalid';
  }
  const { file } = read;
  const loaded = await loadDocuments(findTestSources(file, path), folder);
  if ('exit' in loaded) return loaded.exit;
  const { playables } = loaded;
  const unknown = file.documents === undefined ? [] : findUnknownIndicators(file, playables);
  if (unknown.length > 0)
    return (await complain(io, 'invalid', `${name}: no document has the indicator ${unknown.join(', ')}`)).exit;
  const further: ReportedCase[] = [];
  const held: (readonly [PlayableDocument, ReadonlyMap<TestCase, CaseResult>])[] = [];
  for (const [index, playable] of playables.entries()) {
    if (signal.aborted) break;
    await showProgress(`${name}: document ${index + 1} of ${playables.length}`, io);
    held.push([playable, await runCases(file, playable, folder, { signal })]);
    const { cases, victims } = await checkVictims(playable, file.victims, file.prompt, { signal });
    further.push(...cases);
    if ((marks || file.marks) && !signal.aborted)
      for (const { name: title, ...rest } of await checkMarks(playable, file.prompt, { signal }, victims))
        further.push({ name: file.documents === undefined ? title : `${playable.file}: ${title}`, ...rest });
  }
  await showProgress('', io);
  // Results of an interrupted run must not become expectations.
  if (!update || signal.aborted) return { file: name, cases: [...reportCases(file, held), ...further] };
  const after = updateExpectations(
    file,
    held.map(([, results]) => results),
  );
  const failure = writeWhole(path, after);
  if (failure !== undefined) return (await complain(io, 'unavailable', `${name}: cannot be written: ${failure}`)).exit;
  const again = readTestFile(after);
  const cases = reportCases(file, held, again.ok ? again.file.cases : []);
  // The expectations of a new file are only placeholders.
  return { file: name, cases: [...(isNew ? cases.map(({ updated: _, ...each }) => each) : cases), ...further] };
}

/** Shows on a terminal what is being played. The line is replaced by the next one, and an empty one removes it. */
async function showProgress(line: string, { stderr }: Io): Promise<void> {
  if (stderr.isTTY) await stderr.write(`\r\u001b[K${line}`);
}

function findTestSources({ document, documents }: TestFile, path: string) {
  return documents === undefined
    ? [findDocument(document ?? basename(path).replace(/\.test(\.ya?ml)$/i, '$1'), dirname(path))]
    : findDocuments(documents, dirname(path));
}

/** An indicator that no document has is a mistake that would otherwise go unnoticed. */
function findUnknownIndicators({ cases }: TestFile, playables: readonly PlayableDocument[]): readonly string[] {
  const known = new Set(playables.flatMap(({ document }) => document.attack.indicators?.map(({ id }) => id) ?? []));
  return [...new Set(cases.flatMap(({ expect }) => listNamedIndicators(expect)))].filter((id) => !known.has(id));
}

/** The cases of each document with their mismatches, against the expected values or those after an update. */
function reportCases(
  { cases, documents }: TestFile,
  held: CheckedCases,
  expected: readonly TestCase[] = cases,
): readonly ReportedCase[] {
  const isOneOfMany = documents !== undefined;
  return held.flatMap(([{ file }, results]) =>
    cases.map((each, index): ReportedCase => {
      const name = isOneOfMany ? `${file}: ${each.name}` : each.name;
      const result = results.get(each);
      if (result?.ok !== true)
        return {
          name,
          mismatches: [],
          problem: result?.problem ?? 'it was not run',
          ...(result?.exit !== undefined && { exit: result.exit }),
        };
      const { found } = result;
      const { expect = {} } = expected[index] ?? {};
      const mismatches = findMismatches(expect, found, { isOneOfMany });
      if (mismatches.length === 0 && cannotFail(expect, found))
        return { name, mismatches, problem: 'it has none of the indicators that the case expects something of' };
      const updated = expected === cases ? [] : findMismatches(each.expect, found, { isOneOfMany });
      return { name, mismatches, found, ...(updated.length > 0 && { updated }) };
    }),
  );
}

/** The test file for a document that has none: the results of the built-in agents. */
export const newTestFileText = `# The expectations for the document of the same name; oatf test checks them.
tests:
${builtInAgentNames.map((agent) => `  - agent: ${agent}\n    expect:\n      outcome: error\n      task: unknown\n      twin: inconclusive\n`).join('')}`;

const usual: readonly ExpectedKey[] = ['verdict', 'outcome', 'tier', 'task', 'indicators'];

/** The same for a stored run that says how it ended. */
const usualOfTraces: readonly ExpectedKey[] = [...usual, 'coverage'];

/** Expectations that several documents can share: indicator ids and tiers belong to one document. */
const shared: readonly ExpectedKey[] = ['outcome', 'task'];

/**
 * The same file with the found values in place of the expected ones, comments kept. If several documents gave different
 * results, the expectation stays.
 */
export function updateExpectations(
  { yaml, cases }: TestFile,
  documents: readonly ReadonlyMap<TestCase, CaseResult>[],
): string {
  for (const test of cases) {
    const results = documents.flatMap((results) => results.get(test) ?? []);
    const founds = results.flatMap((result) => (result.ok ? [result.found] : []));
    if (founds.length === 0 || founds.length < results.length) continue;
    const written = Object.keys(test.expect) as ExpectedKey[];
    const wanted =
      written.length > 0 ? written : documents.length > 1 ? shared : test.kind === 'trace' ? usualOfTraces : usual;
    for (const key of wanted) {
      // Expectations that still hold stay as written: `"*"` also covers indicators that are added later.
      if (key === 'indicators' && test.expect.indicators !== undefined) {
        const { indicators } = test.expect;
        if (founds.every((each) => findMismatches({ indicators }, each).length === 0)) continue;
      }
      const [found, ...others] = founds.map((each) => each[key]);
      if (others.some((other) => !isDeepStrictEqual(other, found))) continue;
      const path = ['tests', test.index, 'expect', key];
      if (found === undefined) yaml.deleteIn(path);
      else yaml.setIn(path, yaml.createNode(found));
    }
  }
  return writeYaml(yaml);
}

/** The text of a test file with a new case for each of these traces that has none. */
export function addTraceCases(text: string, traces: readonly string[]): string {
  const { yaml } = readYaml(text);
  if (yaml === undefined || traces.length === 0) return text;
  const tests = yaml.getIn(['tests'], true);
  if (!isSeq(tests)) yaml.setIn(['tests'], yaml.createNode([]));
  const known: unknown = yaml.toJS().tests;
  const has = (trace: string): boolean => Array.isArray(known) && known.some((each) => each?.trace === trace);
  for (const trace of traces) if (!has(trace)) yaml.addIn(['tests'], yaml.createNode({ trace }));
  return writeYaml(yaml);
}
