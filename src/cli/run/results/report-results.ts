import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import type { Results } from '../../../format/model/results-file.ts';
import { count, notRunReasons } from '../../../report/count-text.ts';
import { formatUnprovenClaims } from '../../../report/format-figures.ts';
import { isWholeName } from '../../../suite/config/named-agent.ts';
import type { SuitePlan } from '../../../suite/plan/plan.ts';
import type { SuiteEnd } from '../../../suite/play-suite.ts';
import type { SuiteStatus } from '../../../suite/statistics/decided-early.ts';
import { findSuiteStatus } from '../../../suite/statistics/decided-early.ts';
import { hasAbsentAgent } from '../../../suite/store/absent-agents.ts';
import { writeResultsText } from '../../../suite/store/make-results.ts';
import type { CommandOutcome, Exit } from '../../command-outcome.ts';
import { complain, type Io, type Sink } from '../../io.ts';

import { formatResultsPaths } from '../view/run-summary.ts';
import { refuseFolder } from './out-folder.ts';
import { createReportContext } from './report-context.ts';
import type { RunFolder } from './run-folder.ts';

/** A suite of which at least one run was played. */
export interface PlayedSuite {
  readonly results: Results;
  readonly absent: SuiteEnd['absent'] | undefined;
  /** How the command ends because a server could not be opened. */
  readonly failure: CommandOutcome | undefined;
}

/** Says why a suite ended early. Returns how the command ends if nothing has run. */
export async function readPlayed(end: SuiteEnd, folder: RunFolder): Promise<PlayedSuite | CommandOutcome> {
  const { results, stopped, unavailable, absent } = end;
  const { io, output, shown } = folder;
  const failure =
    unavailable === undefined
      ? undefined
      : await complain(
          io,
          'unavailable',
          unavailable,
          'use another address with --listen; port 0, the default, takes a free port',
        );
  if (results !== undefined) return { results, absent, failure };
  if (failure !== undefined) return failure;
  const refusal = folder.refusal();
  if (refusal !== undefined) return refuseFolder(refusal, output.command, shown, io);
  const exit = folder.interrupted() ?? 'undecided';
  if (output.isLaunched) return complain(io, exit, `${output.command}: ${onlyProbed}`, probeHint);
  return complain(io, exit, `${output.command}: nothing has run: ${notRunReasons[stopped ?? 'interrupted']}`);
}

/** Writes all reports of the results. `outcome` is how the command ends if nothing goes wrong. */
export async function reportResults(
  { results, absent, failure }: PlayedSuite,
  outcome: CommandOutcome,
  folder: RunFolder,
): Promise<CommandOutcome> {
  const { io, path, shown, screen } = folder;
  const { plan, reports, json, quiet } = folder.output;
  for (const [agent, reason] of absent ?? [])
    await complain(io, 'unavailable', describeAbsence(agent, reason, results), hintAtAbsence(agent, plan, shown));
  if (json) await io.stdout.write(writeResultsText(results));
  const unreported = await reports.end(results, path, screen);
  const unpaged = await reports.page(path);
  if (!quiet) await screen.write(formatResultsPaths(shown, screen));
  const interrupted = folder.interrupted();
  return failure ?? unreported ?? unpaged ?? (interrupted === undefined ? outcome : { exit: interrupted });
}

const onlyProbed = 'nothing is stored: the client asked for server/discover and for nothing else';
const probeHint = 'some clients launch a server once for that alone; the run is what they launch next';

function describeAbsence(agent: string, reason: string, { not_run = [] }: Results): string {
  const left = not_run.reduce((sum, each) => sum + (each.agent === agent ? each.runs : 0), 0);
  const rest = left === 0 ? '' : `; ${count(left, 'run', 'runs')} on it left out`;
  return `${escapeInvisible(agent)} is unreachable: ${escapeInvisible(reason)}${rest}`;
}

function hintAtAbsence(agent: string, { agents }: SuitePlan, folder: string): string {
  // A name that does not fully describe the agent would mean another agent to `doctor`.
  const isWhole = agents.some((each) => each.name === agent && isWholeName(each));
  const name = isWhole ? ` ${escapeInvisible(agent)}` : '';
  return `oatf doctor${name} says what is wrong; oatf run --resume ${folder} continues once it is reachable`;
}

const exits: { readonly [S in SuiteStatus]: Exit } = {
  within: 'ok',
  exceeded: 'found',
  undecided: 'undecided',
};

export function toSuiteOutcome(results: Results): CommandOutcome {
  const exit = exits[findSuiteStatus(results)];
  // A successful attack decides the exit code, even if some agents were absent.
  return { exit: exit !== 'found' && hasAbsentAgent(results) ? 'unavailable' : exit };
}

/** Reports why a suite without a successful attack does not pass, if no single run shows the reason. */
export async function reportUnproven(results: Results, io: Io): Promise<void> {
  for (const line of formatUnprovenClaims(results, io.stderr.columns)) await complain(io, 'undecided', line);
}

/** Names the command that proposes marks, if outcomes rest on what was inferred without them. */
export async function suggestMarks({ runs }: Results, { stderr }: Io): Promise<void> {
  const unmarked = runs.filter(
    ({ coverage, outcome, cause, twin }) =>
      !twin &&
      coverage?.inferred &&
      coverage.pieces.some(({ needed }) => needed) &&
      (outcome === 'resisted' || cause === 'not_delivered'),
  );
  const documents = [...new Set(unmarked.map(({ document }) => document.path))];
  const [first, ...more] = documents;
  if (first === undefined) return;
  const which = more.length === 0 ? escapeInvisible(first) : `${documents.length} documents`;
  const whose = `${more.length === 0 ? 'has' : 'have'} no marks, so what must reach the agent is inferred`;
  const what = `oatf mark ${more.length === 0 ? escapeInvisible(first) : 'DOCUMENT'} proposes them`;
  await stderr.write(`oatf: ${stderr.colours.cyan('hint:')} ${which} ${whose}; ${what}\n`);
}

/** The final table, the changes, and the runs that are missing. */
export async function formatSuiteSummary(
  results: Results,
  folder: string,
  showSecrets: boolean,
  sink: Sink,
): Promise<string> {
  const { writeSummary } = await import('../../../report/text-report.ts');
  return writeSummary(results, createReportContext(folder, showSecrets), sink);
}
