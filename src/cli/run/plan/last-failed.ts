import { join } from 'node:path';
import type { AttackStatus } from '../../../format/model/results-file.ts';
import { readResults, readResultsFolder } from '../../../suite/store/read-results.ts';
import type { Io } from '../../io.ts';
import { findNewestResults, resultsFolder, shortenPath } from '../results/out-folder.ts';
import { refuseFlag, type WrongUsage } from '../settings/wrong-usage.ts';

const passing: ReadonlySet<AttackStatus> = new Set(['resisted', 'tolerated', 'not_applicable']);

/**
 * The documents of the newest results whose attacks did not pass: an attack that succeeded, was not judged or was not
 * played, on any agent.
 */
export function findLastFailed({ cwd }: Pick<Io, 'cwd'>): readonly string[] | WrongUsage {
  const refuse = (problem: string, hint: string): WrongUsage => refuseFlag('last-failed', '', problem, hint);
  const folder = findNewestResults(join(cwd, resultsFolder));
  if (folder === undefined) return refuse(`there are no results below ${resultsFolder}/`, 'run the attacks once first');
  const shown = shortenPath(folder, cwd);
  const read = readResults(folder);
  if (!read.ok) return refuse(`${shown}: ${read.reason}`, 'run the attacks once more');
  const stored = readResultsFolder(folder);
  if (!stored.ok) return refuse(`${shown}: ${stored.reason}`, 'run the attacks once more');
  const { statistics, not_run: notRun = [] } = read.results;
  const failed = new Set([
    ...statistics.attacks.filter(({ status }) => !passing.has(status)).map(({ document }) => document),
    ...notRun.map(({ document }) => document),
  ]);
  const paths = stored.stored.plan.documents.flatMap(({ key, twin_of, entry }) =>
    failed.has(twin_of ?? key) && entry.path !== '<stdin>' ? [entry.path] : [],
  );
  return paths.length === 0
    ? refuse(`every attack in ${shown} passed`, 'leave --last-failed out to play them again')
    : [...new Set(paths)];
}
