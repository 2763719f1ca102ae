import { basename, dirname, relative, resolve } from 'node:path';
import { findDocument, findDocuments } from '../../catalogue/find-documents.ts';
import { readDocument } from '../../catalogue/read-document.ts';
import { visible } from '../../report/visible.ts';
import type { Playable } from '../../suite/plan.ts';
import { complain, type Io } from '../io.ts';
import type { Exit } from '../outcome.ts';
import { loadDocuments } from '../run/plan/load-documents.ts';
import { writeWhole } from '../write-whole.ts';
import { asksNothingOf, mismatchesOf, namedIndicators } from './found.ts';
import type { ReportedCase, ReportedFile } from './reports.ts';
import { type CaseResult, runCases } from './run-cases.ts';
import { readTestFile, type TestCase, type TestFile } from './test-file.ts';
import { beginning, updated, withTraces } from './update.ts';

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
type Held = readonly (readonly [Playable, ReadonlyMap<TestCase, CaseResult>])[];

/** Checks the documents of a test file against its cases. */
export async function holdFile(
  path: string,
  { isNew, update, traces, signal }: Options,
  io: Io,
): Promise<ReportedFile | Exit> {
  const name = visible(relative(io.cwd, path) || path);
  const folder: Io = { ...io, cwd: dirname(path) };
  const source = isNew
    ? ({ kind: 'text', text: traces.length > 0 ? 'tests: []\n' : beginning } as const)
    : await readDocument({ kind: 'file', name, path }, io);
  if (source.kind === 'unreadable')
    return (await complain(io, 'unreadable', `${name}: ${source.reason}`)).exit;
  if (source.kind === 'invalid')
    return (await complain(io, 'invalid', `${name}: ${visible(source.diagnostic.message)}`)).exit;
  const text = withTraces(
    source.text,
    traces.map((trace) => relative(dirname(path), resolve(io.cwd, trace))),
  );
  const read = readTestFile(text, { isUpdated: update });
  if (!read.ok) {
    for (const problem of read.problems) await complain(io, 'invalid', `${name}: ${visible(problem)}`);
    return 'invalid';
  }
  const { file } = read;
  const loaded = await loadDocuments(sourcesOf(file, path), folder);
  if ('exit' in loaded) return loaded.exit;
  const { playables } = loaded;
  const unknown = file.documents === undefined ? [] : unknownIndicators(file, playables);
  if (unknown.length > 0)
    return (await complain(io, 'invalid', `${name}: no document has the indicator ${unknown.join(', ')}`))
      .exit;
  const held: (readonly [Playable, ReadonlyMap<TestCase, CaseResult>])[] = [];
  for (const [index, playable] of playables.entries()) {
    if (signal.aborted) break;
    await progress(`${name}: document ${index + 1} of ${playables.length}`, io);
    held.push([playable, await runCases(file, playable, folder, { signal })]);
  }
  await progress('', io);
  // Results of an interrupted run must not become expectations.
  if (!update || signal.aborted) return { file: name, cases: reportedCases(file, held) };
  const after = updated(
    file,
    held.map(([, results]) => results),
  );
  const failure = writeWhole(path, after);
  if (failure !== undefined)
    return (await complain(io, 'unavailable', `${name}: cannot be written: ${failure}`)).exit;
  const again = readTestFile(after);
  const cases = reportedCases(file, held, again.ok ? again.file.cases : []);
  // The expectations of a new file are only placeholders.
  return { file: name, cases: isNew ? cases.map(({ updated: _, ...each }) => each) : cases };
}

/** Shows on a terminal what is being played. The line is replaced by the next one, and an empty one removes it. */
async function progress(line: string, { stderr }: Io): Promise<void> {
  if (stderr.isTTY) await stderr.write(`\r\u001b[K${line}`);
}

function sourcesOf({ document, documents }: TestFile, path: string) {
  return documents === undefined
    ? [findDocument(document ?? basename(path).replace(/\.test(\.ya?ml)$/i, '$1'), dirname(path))]
    : findDocuments(documents, dirname(path));
}

/** An indicator that no document has is a mistake that would otherwise go unnoticed. */
function unknownIndicators({ cases }: TestFile, playables: readonly Playable[]): readonly string[] {
  const known = new Set(
    playables.flatMap(({ document }) => document.attack.indicators?.map(({ id }) => id) ?? []),
  );
  return [...new Set(cases.flatMap(({ expect }) => namedIndicators(expect)))].filter((id) => !known.has(id));
}

/** The cases of each document with their mismatches, against the expected values or those after an update. */
function reportedCases(
  { cases, documents }: TestFile,
  held: Held,
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
      const mismatches = mismatchesOf(expect, found, { isOneOfMany });
      if (mismatches.length === 0 && asksNothingOf(expect, found))
        return {
          name,
          mismatches,
          problem: 'it has none of the indicators that the case expects something of',
        };
      const updated = expected === cases ? [] : mismatchesOf(each.expect, found, { isOneOfMany });
      return { name, mismatches, found, ...(updated.length > 0 && { updated }) };
    }),
  );
}
