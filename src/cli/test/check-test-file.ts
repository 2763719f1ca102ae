import { basename, dirname, relative, resolve } from 'node:path';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { findDocument, findDocuments } from '../../suite/library/find-documents.ts';
import { readSourceDocument } from '../../suite/library/read-document.ts';
import type { PlayableDocument } from '../../suite/plan/plan.ts';
import type { Exit } from '../command-outcome.ts';
import { complain, type Io } from '../io.ts';
import { loadDocuments } from '../run/plan/load-documents.ts';
import { writeWhole } from '../write-whole.ts';
import { cannotFail, findMismatches, listNamedIndicators } from './found-results.ts';
import { type CaseResult, runCases } from './run-cases.ts';
import { readTestFile, type TestCase, type TestFile } from './test-file.ts';
import type { ReportedCase, ReportedFile } from './test-reports.ts';
import { addTraceCases, newTestFileText, updateExpectations } from './update.ts';

interface Options {
  /** Whether the file does not exist yet. */
  readonly isNew: boolean;
  /** Whether found values replace the expected ones. */
  readonly update: boolean;
  /** Traces for which an update adds a new case each. */
  readonly traces: readonly string[];
  readonly signal: AbortSignal;
}

/** The results of each document, by case. */
type CheckedCases = readonly (readonly [PlayableDocument, ReadonlyMap<TestCase, CaseResult>])[];

/** Checks the documents of a test file against its cases. */
export async function checkTestFile(
  path: string,
  { isNew, update, traces, signal }: Options,
  io: Io,
): Promise<ReportedFile | Exit> {
  const name = escapeInvisible(relative(io.cwd, path) || path);
  const folder: Io = { ...io, cwd: dirname(path) };
  const source = isNew
    ? ({ kind: 'text', text: traces.length > 0 ? 'tests: []\n' : newTestFileText } as const)
    : await readSourceDocument({ kind: 'file', name, path }, io);
  if (source.kind === 'unreadable') return (await complain(io, 'unreadable', `${name}: ${source.reason}`)).exit;
  if (source.kind === 'invalid')
    return (await complain(io, 'invalid', `${name}: ${escapeInvisible(source.diagnostic.message)}`)).exit;
  const text = addTraceCases(
    source.text,
    traces.map((trace) => relative(dirname(path), resolve(io.cwd, trace))),
  );
  const read = readTestFile(text, { isUpdated: update });
  if (!read.ok) {
    for (const problem of read.problems) await complain(io, 'invalid', `${name}: ${escapeInvisible(problem)}`);
    return 'invalid';
  }
  const { file } = read;
  const loaded = await loadDocuments(findTestSources(file, path), folder);
  if ('exit' in loaded) return loaded.exit;
  const { playables } = loaded;
  const unknown = file.documents === undefined ? [] : findUnknownIndicators(file, playables);
  if (unknown.length > 0)
    return (await complain(io, 'invalid', `${name}: no document has the indicator ${unknown.join(', ')}`)).exit;
  const held: (readonly [PlayableDocument, ReadonlyMap<TestCase, CaseResult>])[] = [];
  for (const [index, playable] of playables.entries()) {
    if (signal.aborted) break;
    await showProgress(`${name}: document ${index + 1} of ${playables.length}`, io);
    held.push([playable, await runCases(file, playable, folder, { signal })]);
  }
  await showProgress('', io);
  // Results of an interrupted run must not become expectations.
  if (!update || signal.aborted) return { file: name, cases: reportCases(file, held) };
  const after = updateExpectations(
    file,
    held.map(([, results]) => results),
  );
  const failure = writeWhole(path, after);
  if (failure !== undefined) return (await complain(io, 'unavailable', `${name}: cannot be written: ${failure}`)).exit;
  const again = readTestFile(after);
  const cases = reportCases(file, held, again.ok ? again.file.cases : []);
  // The expectations of a new file are only placeholders.
  return { file: name, cases: isNew ? cases.map(({ updated: _, ...each }) => each) : cases };
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
        return {
          name,
          mismatches,
          problem: 'it has none of the indicators that the case expects something of',
        };
      const updated = expected === cases ? [] : findMismatches(each.expect, found, { isOneOfMany });
      return { name, mismatches, found, ...(updated.length > 0 && { updated }) };
    }),
  );
}
