import { join, resolve } from 'node:path';
import { describeFileFailure } from '../../files/file-failure.ts';
import { replaceFile } from '../../files/stored-file.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { writeText } from '../../report/text-report.ts';
import { isAgentValue } from '../../suite/config/named-agent.ts';
import { makeResults, writeResultsText } from '../../suite/store/make-results.ts';
import { mergeShards, type ShardResults, writeMergedRuns } from '../../suite/store/merge-shards.ts';
import { readResultsFolder } from '../../suite/store/read-results.ts';
import type { Command } from '../commands.ts';
import { complain, createRefusal } from '../io.ts';
import { readBaselineFlag } from '../run/results/baseline-flag.ts';
import { hasResults, shortenPath } from '../run/results/out-folder.ts';
import { createReportContext } from '../run/results/report-context.ts';
import { reportUnproven, toSuiteOutcome } from '../run/results/report-results.ts';
import { readReporters } from '../run/results/reporter-flag.ts';
import { createReports } from '../run/results/write-reports.ts';
import { formatResultsPaths } from '../run/view/run-summary.ts';

export const runMergeCommand: Command<'merge'> = async (values, io) => {
  const refuse = createRefusal('merge', io);
  const out = resolve(io.cwd, values.out);
  const shown = escapeInvisible(shortenPath(out, io.cwd));
  if (hasResults(out)) return refuse(`${shown} has results already`, 'name another folder');
  const wanted = await readReporters(values.reporter, values.json, io);
  if ('message' in wanted) return refuse(`${wanted.message}`, wanted.hint);
  const baseline = values.baseline === undefined ? undefined : await readBaselineFlag(values.baseline, io);
  if (baseline !== undefined && 'exit' in baseline) return baseline;
  const parts: ShardResults[] = [];
  for (const typed of values.dirs) {
    const folder = resolve(io.cwd, typed);
    const read = readResultsFolder(folder);
    if (!read.ok)
      return complain(io, 'unreadable', `merge: ${typed}: ${read.reason}`, 'name folders that oatf run has written');
    parts.push({ folder: typed, stored: read.stored });
  }
  const [first, ...others] = parts;
  if (first === undefined) return refuse('no folders are given');
  const join_ = mergeShards([first, ...others]);
  if (!join_.ok)
    return refuse(
      `${join_.folder}: ${join_.reason}`,
      'shards of one suite are begun with the same documents, agents and settings',
    );
  const { joined } = join_;
  const accepted = baseline?.({
    documents: joined.plan.documents.map(({ key }) => key),
    agents: joined.plan.agents.map(({ name }) => name),
    isAgent: (name) => isAgentValue(name, undefined),
    isSelective: true,
  });
  const results = makeResults(joined.plan, joined.entries, {
    finished: joined.finished,
    stopped: joined.whyNot,
    compare: accepted?.compare,
  });
  try {
    writeMergedRuns(
      out,
      joined,
      parts.map((part) => ({ ...part, folder: resolve(io.cwd, part.folder) })),
    );
    replaceFile(join(out, 'results.json'), writeResultsText(results));
  } catch (thrown) {
    return complain(io, 'unavailable', `${shown}: results cannot be written: ${describeFileFailure(thrown)}`);
  }
  const reports = createReports(wanted, values.showSecrets, io);
  const screen = values.json || reports.takeOutput ? io.stderr : io.stdout;
  for (const entry of results.runs) await reports.run(entry);
  if (!values.quiet) await screen.write(writeText(results, createReportContext(out, values.showSecrets), screen));
  if (values.json) await io.stdout.write(writeResultsText(results));
  const unreported = await reports.end(results, out, screen);
  const unpaged = await reports.page(out);
  if (!values.quiet) await screen.write(formatResultsPaths(shown, screen));
  await reportUnproven(results, io);
  return unreported ?? unpaged ?? toSuiteOutcome(results);
};
