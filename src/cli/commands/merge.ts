import { join, resolve } from 'node:path';
import { failureOf } from '../../catalogue/failure.ts';
import { namesAgent } from '../../config/named-agent.ts';
import { writeText } from '../../report/text.ts';
import { visible } from '../../report/visible.ts';
import { makeResults, resultsToText } from '../../suite/make-results.ts';
import { joinParts, type Part, writeJoined } from '../../suite/merge.ts';
import { readFolder } from '../../suite/read-results.ts';
import { writeOwned } from '../../suite/write-owned.ts';
import type { Command } from '../commands.ts';
import { complain } from '../io.ts';
import { readBaselineFlag } from '../run/results/baseline-flag.ts';
import { outcomeOf, tellUnproven } from '../run/results/end-of-suite.ts';
import { hasResults, shownPath } from '../run/results/out-folder.ts';
import { reportContext } from '../run/results/report-context.ts';
import { readReporters } from '../run/results/reporter-flag.ts';
import { createReports } from '../run/results/write-reports.ts';
import { resultsLine } from '../run/view/report.ts';

export const merge: Command<'merge'> = async (values, io) => {
  const out = resolve(io.cwd, values.out);
  const shown = visible(shownPath(out, io.cwd));
  if (hasResults(out))
    return complain(io, 'usage', `merge: ${shown} has results already`, 'name another folder');
  const wanted = await readReporters(values.reporter, values.json, io);
  if ('message' in wanted)
    return complain(io, 'usage', `merge: ${visible(wanted.message)}`, visible(wanted.hint));
  const baseline = values.baseline === undefined ? undefined : await readBaselineFlag(values.baseline, io);
  if (baseline !== undefined && 'exit' in baseline) return baseline;
  const parts: Part[] = [];
  for (const typed of values.dirs) {
    const folder = resolve(io.cwd, typed);
    const read = readFolder(folder);
    if (!read.ok)
      return complain(
        io,
        'unreadable',
        `merge: ${visible(typed)}: ${visible(read.reason)}`,
        'name folders that oatf run has written',
      );
    parts.push({ folder: typed, stored: read.stored });
  }
  const [first, ...others] = parts;
  if (first === undefined) return complain(io, 'usage', 'merge: no folders are given');
  const join_ = joinParts([first, ...others]);
  if (!join_.ok)
    return complain(
      io,
      'usage',
      `merge: ${visible(join_.folder)}: ${visible(join_.reason)}`,
      'shards of one suite are begun with the same documents, agents and settings',
    );
  const { joined } = join_;
  const accepted = baseline?.({
    documents: joined.plan.documents.map(({ key }) => key),
    agents: joined.plan.agents.map(({ name }) => name),
    isAgent: (name) => namesAgent(name, undefined),
    isSelective: true,
  });
  const results = makeResults(joined.plan, joined.entries, {
    finished: joined.finished,
    stopped: joined.whyNot,
    compare: accepted?.compare,
  });
  try {
    writeJoined(
      out,
      joined,
      parts.map((part) => ({ ...part, folder: resolve(io.cwd, part.folder) })),
    );
    writeOwned(join(out, 'results.json'), resultsToText(results));
  } catch (thrown) {
    return complain(io, 'unavailable', `${shown}: results cannot be written: ${failureOf(thrown)}`);
  }
  const reports = createReports(wanted, values.showSecrets, io);
  const screen = values.json || reports.takeOutput ? io.stderr : io.stdout;
  for (const entry of results.runs) await reports.run(entry);
  if (!values.quiet) await screen.write(writeText(results, reportContext(out, values.showSecrets), screen));
  if (values.json) await io.stdout.write(resultsToText(results));
  const unreported = await reports.end(results, out, screen);
  const unpaged = await reports.page(out);
  if (!values.quiet) await screen.write(resultsLine(shown, screen));
  await tellUnproven(results, io);
  return unreported ?? unpaged ?? outcomeOf(results);
};
