import { findTests } from '../../catalogue/find-tests.ts';
import { visible } from '../../report/visible.ts';
import type { Command } from '../commands.ts';
import { complain } from '../io.ts';
import { type Exit, gravestOf } from '../outcome.ts';
import { holdFile } from '../test/hold-file.ts';
import { readTestReporters } from '../test/reporter-flag.ts';
import { type ReportedCase, type ReportedFile, reportTests } from '../test/reports.ts';
import { writeWhole } from '../write-whole.ts';

export const test: Command<'test'> = async ({ tests, update, trace, reporter }, io) => {
  const reports = readTestReporters(reporter, io.cwd);
  if ('message' in reports) return complain(io, 'usage', `test: ${visible(reports.message)}`, reports.hint);
  if (trace.length > 0 && !update)
    return complain(io, 'usage', 'test: --trace needs --update, because it adds a case', 'give both');
  const paths = findTests(tests.length === 0 ? ['.'] : tests, io.cwd, { mayBeNew: update });
  if (trace.length > 0 && paths.length > 1)
    return complain(io, 'usage', 'test: --trace works with one document only', 'name that one');
  const stopping = new AbortController();
  let asked: Exit | undefined;
  void io.interruption().then((exit) => {
    asked = exit;
    stopping.abort();
  });
  const exits: Exit[] = [];
  const files: ReportedFile[] = [];
  for (const found of paths) {
    if ('reason' in found) {
      exits.push(
        (await complain(io, 'unreadable', `${visible(found.name)}: ${found.reason}`, found.hint)).exit,
      );
      continue;
    }
    const { path, isNew } = found;
    const held = await holdFile(path, { isNew, update, traces: trace, signal: stopping.signal }, io);
    if (asked !== undefined) return { exit: asked };
    if (typeof held === 'string') exits.push(held);
    else files.push(held);
  }
  if (files.length === 0) return gravestOf(exits);
  for (const { name, file } of reports) {
    const report = reportTests(files, name, io.stdout.colours);
    const failure = file === undefined ? void (await io.stdout.write(report)) : writeWhole(file, report);
    if (failure !== undefined)
      exits.push(
        (await complain(io, 'unavailable', `${visible(file ?? '')}: cannot be written: ${failure}`)).exit,
      );
  }
  return gravestOf([...exits, ...files.flatMap(({ cases }) => cases.map(exitOf))]);
};

/** A case that could not be judged is neither passed nor failed. */
function exitOf({ mismatches, problem, exit }: ReportedCase): Exit {
  if (mismatches.length > 0) return 'found';
  return problem === undefined ? 'ok' : (exit ?? 'undecided');
}
