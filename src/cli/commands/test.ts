import { readFileSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { failureOf } from '../../catalogue/failure.ts';
import { findDocument } from '../../catalogue/find-documents.ts';
import { findTests } from '../../catalogue/find-tests.ts';
import { visible } from '../../report/visible.ts';
import type { Command } from '../commands.ts';
import { complain, type Io } from '../io.ts';
import { type Exit, gravestOf } from '../outcome.ts';
import { loadDocuments } from '../run/plan/load-documents.ts';
import { mismatchesOf } from '../test/found.ts';
import { isPassed, type ReportedCase, type ReportedFile, reportTests } from '../test/reports.ts';
import { runCases } from '../test/run-cases.ts';
import { readTestFile, type TestFile } from '../test/test-file.ts';
import { beginning, updated } from '../test/update.ts';
import { writeWhole } from '../write-whole.ts';

export const test: Command<'test'> = async ({ tests, update, format, out }, io) => {
  const operands = tests.length === 0 ? ['.'] : tests;
  const paths = findTests(operands, io.cwd, { mayBeNew: update });
  const stopping = new AbortController();
  let asked: Exit | undefined;
  void io.interruption().then((exit) => {
    asked = exit;
    stopping.abort();
  });
  const exits: Exit[] = [];
  const files: ReportedFile[] = [];
  for (const found of paths) {
    if (asked !== undefined) return { exit: asked };
    if ('reason' in found) {
      exits.push(
        (await complain(io, 'unreadable', `${visible(found.name)}: ${found.reason}`, found.hint)).exit,
      );
      continue;
    }
    const tested = await testFile(found.path, found.isNew, update, io, stopping.signal);
    if (typeof tested === 'string') exits.push(tested);
    else files.push(tested);
  }
  if (asked !== undefined) return { exit: asked };
  if (files.length === 0) return gravestOf(exits);
  const report = reportTests(files, format, io.stdout.colours);
  if (out === undefined) await io.stdout.write(report);
  else {
    const failure = writeWhole(resolve(io.cwd, out), report);
    if (failure !== undefined)
      exits.push((await complain(io, 'unavailable', `${visible(out)}: cannot be written: ${failure}`)).exit);
  }
  const hasFailed = files.some(({ cases }) => cases.some((each) => !isPassed(each)));
  return gravestOf([...exits, ...(hasFailed ? (['found'] as const) : [])]);
};

async function testFile(
  path: string,
  isNew: boolean,
  update: boolean,
  io: Io,
  signal: AbortSignal,
): Promise<ReportedFile | Exit> {
  const name = visible(relative(io.cwd, path) || path);
  const folder: Io = { ...io, cwd: dirname(path) };
  let text: string;
  try {
    text = isNew ? beginning : readFileSync(path, 'utf8');
  } catch (thrown) {
    return (await complain(io, 'unreadable', `${name}: ${failureOf(thrown)}`)).exit;
  }
  const read = readTestFile(text, { isUpdated: update });
  if (!read.ok) {
    for (const problem of read.problems) await complain(io, 'invalid', `${name}: ${visible(problem)}`);
    return 'invalid';
  }
  const { file } = read;
  const loaded = await loadDocuments([findDocument(documentOf(file, path), folder.cwd)], folder);
  if ('exit' in loaded) return loaded.exit;
  const [playable] = loaded.playables;
  if (playable === undefined) return 'invalid';
  const results = await runCases(file, playable, folder, signal);
  if (update) {
    const failure = writeWhole(path, updated(file, results));
    if (failure !== undefined)
      return (await complain(io, 'unavailable', `${name}: cannot be written: ${failure}`)).exit;
  }
  const cases = file.cases.map((each): ReportedCase => {
    const result = results.get(each);
    if (result?.ok !== true)
      return { name: each.name, mismatches: [], problem: result?.problem ?? 'it was not run' };
    return {
      name: each.name,
      mismatches: update ? [] : mismatchesOf(each.expect, result.found),
      found: result.found,
    };
  });
  return { file: name, cases };
}

function documentOf({ document }: TestFile, path: string): string {
  return document ?? basename(path).replace(/\.test(\.ya?ml)$/i, '$1');
}
