import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import { describeSkipped } from '../../../report/coverage-text.ts';
import { describeFailTier } from '../../../report/format-figures.ts';
import type { SuiteEnd } from '../../../suite/play-suite.ts';
import type { CommandOutcome } from '../../command-outcome.ts';
import { complain } from '../../io.ts';
import type { PlannedRuns } from '../plan/plan-runs.ts';
import type { RunSetup } from '../settings/setup.ts';
import { formatSuiteSummary, reportUnproven, toSuiteOutcome } from './end-of-suite.ts';
import { reportRefusedJudge } from './refused-judge.ts';
import { readPlayed, reportResults } from './report-results.ts';
import type { RunFolder } from './run-folder.ts';

/** Prints the summary of a `run`, and writes its reports. */
export async function reportRun(
  end: SuiteEnd,
  { suite, accepted, io }: PlannedRuns,
  { values, meant }: RunSetup,
  folder: RunFolder,
): Promise<CommandOutcome> {
  const played = await readPlayed(end, folder);
  if ('exit' in played) return played;
  const { results } = played;
  const { path, screen } = folder;
  // For a single document, the lines above already are the summary.
  const isMore =
    suite.documents.length > 1 ||
    results.not_run !== undefined ||
    results.skipped !== undefined ||
    accepted !== undefined;
  if (suite.agents.length > 0 && isMore && !values.quiet)
    await screen.write(`\n${await formatSuiteSummary(results, path, values.showSecrets, screen)}`);
  const tier = describeFailTier(results);
  if (tier !== undefined && !isMore && !values.quiet) await screen.write(`\n${tier}\n`);
  if (results.skipped !== undefined)
    await complain(io, 'undecided', `run: ${describeSkipped(results.skipped, escapeInvisible)}`, skippedHint);
  await reportUnproven(results, io);
  await reportRefusedJudge(meant.judge, io);
  return reportResults(played, toSuiteOutcome(results), folder);
}

const skippedHint = 'oatf validate says what is wrong with them';
