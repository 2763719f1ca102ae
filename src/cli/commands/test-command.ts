import { findTests } from '../../suite/library/find-documents.ts';
import { type Exit, findMostSevereExit } from '../command-outcome.ts';
import type { Command } from '../commands.ts';
import { complain, createRefusal } from '../io.ts';
import { watchInterruption } from '../run/play/interruption.ts';
import { checkTestFile } from '../test/check-test-file.ts';
import { type ReportedCase, type ReportedFile, readTestReporters, reportTests } from '../test/test-reports.ts';
import { writeWhole } from '../write-whole.ts';

export const runTestCommand: Command<'test'> = async ({ tests, update, trace, marks, reporter }, io) => {
  const refuse = createRefusal('test', io);
  const reports = readTestReporters(reporter, io.cwd);
  if ('message' in reports) return refuse(reports.message, reports.hint);
  if (trace.length > 0 && !update) return refuse('--trace needs --update, because it adds a case', 'give both');
  const paths = findTests(tests.length === 0 ? ['.'] : tests, io.cwd, { mayBeNew: update });
  if (trace.length > 0 && paths.length > 1) return refuse('--trace works with one document only', 'name that one');
  const { signal, exit } = watchInterruption(io, undefined);
  const exits: Exit[] = [];
  const files: ReportedFile[] = [];
  for (const found of paths) {
    if ('reason' in found) {
      exits.push((await complain(io, 'unreadable', `${found.name}: ${found.reason}`, found.hint)).exit);
      continue;
    }
    const { path, isNew } = found;
    const held = await checkTestFile(path, { isNew, update, traces: trace, marks, signal }, io);
    const asked = exit();
    if (asked !== undefined) return { exit: asked };
    if (typeof held === 'string') exits.push(held);
    else files.push(held);
  }
  if (files.length === 0) return findMostSevereExit(exits);
  for (const { name, file } of reports) {
    const report = reportTests(files, name, io.stdout.colours);
    const failure =
      file === undefined
        ? void (await io.stdout.write(report, name === 'github' ? 'exact' : undefined))
        : writeWhole(file, report);
    if (failure !== undefined)
      exits.push((await complain(io, 'unavailable', `${file ?? ''}: cannot be written: ${failure}`)).exit);
  }
  return findMostSevereExit([...exits, ...files.flatMap(({ cases }) => cases.map(chooseCaseExit))]);
};

/** A case that could not be judged is neither passed nor failed. */
function chooseCaseExit({ mismatches, problem, exit }: ReportedCase): Exit {
  if (mismatches.length > 0) return 'found';
  return problem === undefined ? 'ok' : (exit ?? 'undecided');
}
