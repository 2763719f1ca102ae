import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { suggestTwins } from '../../report/attribution-text.ts';
import { describeSkipped } from '../../report/coverage-text.ts';
import { describeFailTier } from '../../report/format-figures.ts';
import { playSuite, type SuiteEnd } from '../../suite/play-suite.ts';
import { type CommandOutcome, type Exit, ok } from '../command-outcome.ts';
import type { Arguments, Command } from '../commands.ts';
import { complain, createRefusal, type Io } from '../io.ts';
import { type PlannedRuns, planRuns } from '../run/plan/plan-runs.ts';
import { prepareSuite } from '../run/play/prepare-suite.ts';
import {
  formatSuiteSummary,
  readPlayed,
  reportResults,
  reportUnproven,
  suggestMarks,
  toSuiteOutcome,
} from '../run/results/report-results.ts';
import { complainUnwritten, openRunFolder, type RunFolder } from '../run/results/run-folder.ts';
import { readConfigFlag } from '../run/settings/config-flag.ts';
import { reportRefusedJudge } from '../run/settings/judge-flag.ts';
import { type RunSetup, readRunSettings } from '../run/settings/setup.ts';

/** Settings → plan → play → report. Each stage passes its value to the next, or ends the command. */
export const runAttacks: Command<'run'> = async (typed, io) => {
  if (typed.watch) return watchAttacks(typed, io);
  const config = await readConfigFlag(typed.config, io);
  if (config !== undefined && 'exit' in config) return config;
  const settings = await readRunSettings(typed, config, io);
  if ('exit' in settings) return settings;
  const { meant, values, redactor } = settings;
  let folder: RunFolder | undefined;
  try {
    const planned = await planRuns(settings, io);
    if ('exit' in planned) return planned;
    const { suite, pace, exposure, output } = planned;
    const opened = await openRunFolder(output, planned.io);
    if ('exit' in opened) return opened;
    folder = opened;
    const prepared = prepareSuite(suite, { ...meant, exposure, values, redactor, ...folder }, pace);
    const end = await playSuite(prepared);
    const outcome = await reportRun(end, planned, settings, folder);
    await folder.linger();
    return outcome;
  } catch (thrown) {
    if (folder === undefined) throw thrown;
    const outcome = await complainUnwritten(thrown, folder.shown, folder.io);
    await folder.linger();
    return outcome;
  } finally {
    await folder?.close();
    // Closes agents that were started once for all runs.
    await Promise.allSettled(meant.agents.map((agent) => agent.close?.()));
  }
};

/** Plays the documents that have changed, with one line for each run, on a cleared screen. */
async function watchAttacks(typed: Arguments<'run'>, io: Io): Promise<CommandOutcome> {
  const refuse = createRefusal('run', io);
  const unfit = ['stdio', 'resume', 'list', 'json', 'ui'] as const;
  const wrong = unfit.find((flag) => typed[flag] !== undefined && typed[flag] !== false);
  if (wrong !== undefined) return refuse(`--watch and --${wrong} cannot be combined`);
  if (typed.documents.length === 0 || typed.documents.includes('-') || typed.agent.length === 0)
    return refuse(
      '--watch needs documents that are files, and --agent',
      'such as oatf run attacks --agent gullible --watch',
    );
  const { watchDocuments } = await import('../watch.ts');
  const stop = io.interruption();
  return watchDocuments(typed.documents, { ...io, interruption: () => stop }, async (changed) => {
    if (io.stdout.isTTY) await io.stdout.write(cleared);
    if (changed.length === 0) return ok;
    // After a round is over, an interruption must not end it again.
    let isOver = false;
    const interruption = (): Promise<Exit> =>
      new Promise((resolve) => void stop.then((exit) => !isOver && resolve(exit)));
    const round = { ...typed, documents: changed, watch: false, quiet: !typed.verbose };
    const outcome = await runAttacks(round, { ...io, interruption });
    isOver = true;
    return outcome;
  });
}

/** Clears the screen; earlier output can still be scrolled back to. */
const cleared = '\u001b[2J\u001b[H';

/** Prints the summary of a `run`, and writes its reports. */
async function reportRun(
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
  const twins = suite.agents.length > 0 && !isMore && !values.quiet ? suggestTwins(results.runs) : undefined;
  if (twins !== undefined) await screen.write(`\n${twins}\n`);
  if (results.skipped !== undefined)
    await complain(io, 'undecided', `run: ${describeSkipped(results.skipped, escapeInvisible)}`, skippedHint);
  await reportUnproven(results, io);
  if (!values.quiet) await suggestMarks(results, io);
  await reportRefusedJudge(meant.judge, io);
  return reportResults(played, toSuiteOutcome(results), folder);
}

const skippedHint = 'oatf validate says what is wrong with them';
