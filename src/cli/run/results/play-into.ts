import { rmdirSync } from 'node:fs';
import { failureOf } from '../../../catalogue/failure.ts';
import { isWholeName } from '../../../config/named-agent.ts';
import type { Results } from '../../../model/results.ts';
import { visible } from '../../../report/visible.ts';
import { notRunReasons } from '../../../report/words.ts';
import { openedLate } from '../../../suite/late-sink.ts';
import { resultsToText } from '../../../suite/make-results.ts';
import type { SuitePlan } from '../../../suite/plan.ts';
import type { SuiteEnd } from '../../../suite/play-suite.ts';
import { readFolder, type StoredRuns } from '../../../suite/read-results.ts';
import { inFolder, ResultsFolder } from '../../../suite/results.ts';
import type { OpenSink } from '../../../suite/sink.ts';
import { complain, type Io } from '../../io.ts';
import type { CommandOutcome } from '../../outcome.ts';
import { count } from '../../reports/report.ts';
import { beyondProbe } from '../places/probe.ts';
import { type Interruption, watchInterruption } from '../play/interruption.ts';
import type { RunDestination } from '../play/run-settings.ts';
import { resultsLine } from '../view/report.ts';
import { type Claimed, claimFolder, type Refusal, refuse, takenBy } from './claim-folder.ts';
import { livePage } from './live-page.ts';
import { folderFor, shownPath } from './out-folder.ts';
import type { Reports } from './write-reports.ts';

export interface Output {
  readonly command: string;
  readonly plan: SuitePlan;
  readonly out: string | undefined;
  /** The folder to resume, and its stored runs. */
  readonly resumed?: { readonly path: string; readonly stored: StoredRuns } | undefined;
  /** Whether the agent launched this process. It may have done so only to ask for the version. */
  readonly isLaunched?: boolean | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  /** Whether a page shows the runs and stays until the user ends it. */
  readonly ui?: boolean;
  readonly showSecrets?: boolean;
  readonly reports: Reports;
}

type Play = (place: RunDestination) => Promise<SuiteEnd>;
type End = (results: Results, place: RunDestination) => Promise<CommandOutcome>;

/** Gives runs a folder to be stored in, and reports their results. */
export async function playInto(output: Output, io: Io, play: Play, end: End): Promise<CommandOutcome> {
  const interruption = watchInterruption(io);
  const page = livePage(output, io.stderr);
  try {
    const outcome = await playAndStore(
      output,
      io,
      interruption,
      async (place) => {
        await page.open(place.path);
        return play(place);
      },
      end,
    );
    interruption.over();
    await page.stay(interruption.signal);
    return outcome;
  } finally {
    await page.close();
  }
}

async function playAndStore(
  output: Output,
  io: Io,
  { signal, exit }: Interruption,
  play: Play,
  end: End,
): Promise<CommandOutcome> {
  const { command, out, plan, resumed, reports, json, quiet, isLaunched } = output;
  const path = resumed?.path ?? folderFor(out, io.cwd, plan.started);
  const shown = visible(shownPath(path, io.cwd));
  const late = new AbortController();
  let refused: Refusal | undefined;
  let failed: unknown;
  let claimed: Claimed | undefined;
  /** Claims the folder once there is something to store. */
  const openLate: Parameters<typeof openedLate>[0] = (...begun) => {
    try {
      claimed = claimFolder(path, false, command);
      if (claimed.ok) return inFolder(path)(...begun);
      refused = claimed;
    } catch (thrown) {
      failed = thrown;
    }
    late.abort(new Error('its results cannot be stored'));
    return undefined;
  };
  try {
    if (isLaunched) refused = takenBy(path, command);
    else {
      claimed = claimFolder(path, resumed !== undefined, command);
      refused = claimed.ok ? undefined : claimed;
    }
    if (refused !== undefined) return await refuse(refused, command, shown, io);
    // With --json, standard output holds only the JSON object; output for people goes to standard error.
    const screen = json || reports.takeOutput ? io.stderr : io.stdout;
    const sink: OpenSink = isLaunched
      ? openedLate(openLate, beyondProbe())
      : resumed === undefined
        ? inFolder(path)
        : () => ResultsFolder.reopen(path, storedBy(path, resumed.stored));
    const place = {
      path,
      shown,
      sink,
      signal: isLaunched ? AbortSignal.any([signal, late.signal]) : signal,
      screen,
      notices: io.stderr,
      stored: reports.run,
      enterKey: io.enterKey,
    };
    const { results, stopped, unavailable, absent } = await play(place);
    const failure =
      unavailable === undefined
        ? undefined
        : await complain(
            io,
            'unavailable',
            visible(unavailable),
            'use another address with --listen; port 0, the default, takes a free port',
          );
    if (results === undefined) {
      if (failure !== undefined) return failure;
      if (failed !== undefined) throw failed;
      if (refused !== undefined) return await refuse(refused, command, shown, io);
      if (isLaunched)
        return await complain(io, exit() ?? 'undecided', `${command}: ${onlyProbed}`, probeHint);
      const why = notRunReasons[stopped ?? 'interrupted'];
      return complain(io, exit() ?? 'undecided', `${command}: nothing has run: ${why}`);
    }
    const outcome = await end(results, place);
    for (const [agent, reason] of absent ?? [])
      await complain(
        io,
        'unavailable',
        absenceInWords(agent, reason, results),
        absenceHint(agent, plan, shown),
      );
    if (json) await io.stdout.write(resultsToText(results));
    const unreported = await reports.end(results, path, screen);
    const unpaged = await reports.page(path);
    if (!quiet) await screen.write(resultsLine(shown, screen));
    const interrupted = exit();
    return failure ?? unreported ?? unpaged ?? (interrupted === undefined ? outcome : { exit: interrupted });
  } catch (thrown) {
    // Errors of the system have a code. Any other error is a bug of ours.
    if (!(thrown instanceof Error && 'code' in thrown)) throw thrown;
    return complain(
      io,
      'unavailable',
      `${shown}: results cannot be written: ${failureOf(thrown)}`,
      thrown.code === 'EMFILE'
        ? 'play fewer runs at once with -j, or raise the limit (ulimit -n)'
        : 'name another place with --out DIR',
    );
  } finally {
    if (claimed?.ok) claimed.release();
    removeEmpty(path);
  }
}

const onlyProbed = 'nothing is stored: the client asked for server/discover and for nothing else';
const probeHint = 'some clients launch a server once for that alone; the run is what they launch next';

/** Another process may have added runs before we locked the folder. */
function storedBy(path: string, before: StoredRuns): StoredRuns {
  const read = readFolder(path);
  return read.ok ? read.stored : before;
}

/** Removes a folder that stayed empty. */
function removeEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // It is not empty, or was never made.
  }
}

function absenceInWords(agent: string, reason: string, { not_run = [] }: Results): string {
  const left = not_run.reduce((sum, each) => sum + (each.agent === agent ? each.runs : 0), 0);
  const rest = left === 0 ? '' : `; ${count(left, 'run', 'runs')} on it left out`;
  return `${visible(agent)} is not there: ${visible(reason)}${rest}`;
}

function absenceHint(agent: string, { agents }: SuitePlan, folder: string): string {
  // A name that does not fully describe the agent would mean another agent to `doctor`.
  const isWhole = agents.some((each) => each.name === agent && isWholeName(each));
  const name = isWhole ? ` ${visible(agent)}` : '';
  return `oatf doctor${name} says what is wrong; oatf run --resume ${folder} continues once it is there`;
}
