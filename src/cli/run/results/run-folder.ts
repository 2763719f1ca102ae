import { once } from 'node:events';
import { rmdirSync } from 'node:fs';
import { describeFileFailure } from '../../../files/file-failure.ts';
import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import type { LiveReport } from '../../../report/html/live-report.ts';
import type { SuitePlan } from '../../../suite/plan/plan.ts';
import { readResultsFolder, type StoredRuns } from '../../../suite/store/read-results.ts';
import { createFolderSink, ResultsFolder } from '../../../suite/store/results-folder.ts';
import type { OpenSuiteSink } from '../../../suite/store/run-sink.ts';
import { createLateSink } from '../../../suite/store/run-sink.ts';
import type { CommandOutcome, Exit } from '../../command-outcome.ts';
import { complain, type Io, type Sink } from '../../io.ts';
import { createProbeDetector } from '../addresses/stdio-actor.ts';
import { watchInterruption } from '../play/interruption.ts';
import type { RunDestination } from '../play/run-settings.ts';
import {
  chooseOutFolder,
  claimFolder,
  type FolderClaim,
  type FolderRefusal,
  findFolderConflict,
  refuseFolder,
  shortenPath,
} from './out-folder.ts';
import { createRunSettler } from './settle-runs.ts';
import type { Reports } from './write-reports.ts';

/** What a command stores and reports, and where. */
export interface RunOutput {
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

/** The folder of a command's runs while it is in use: it is locked, and may be shown on a page. */
export interface RunFolder extends RunDestination {
  readonly output: RunOutput;
  readonly io: Io;
  /** The exit that an interruption by the user asks for. */
  interrupted(): Exit | undefined;
  /** Why a folder could not be claimed once a run began; any other error is thrown. */
  refusal(): FolderRefusal | undefined;
  /** Unlocks the folder. The page, if there is one, stays until the user ends it. */
  linger(): Promise<void>;
  close(): Promise<void>;
}

/** Claims the folder in which runs are stored. */
export async function openRunFolder(output: RunOutput, io: Io): Promise<RunFolder | CommandOutcome> {
  const { command, plan, resumed, reports, isLaunched } = output;
  const interruption = watchInterruption(io, 'the run');
  const page = createLivePage(output, io.stderr);
  const path = resumed?.path ?? chooseOutFolder(output.out, io.cwd, plan.started);
  const shown = escapeInvisible(shortenPath(path, io.cwd));
  const late = new AbortController();
  const hearing = new Set<() => void>();
  let refused: FolderRefusal | undefined;
  let failed: { readonly thrown: unknown } | undefined;
  let claimed: FolderClaim | undefined;

  function claim(): FolderRefusal | undefined {
    claimed = claimFolder(path, resumed !== undefined, command);
    return claimed.ok ? undefined : claimed;
  }
  /** Claims the folder once there is something to store. */
  const openLate: Parameters<typeof createLateSink>[0] = (...begun) => {
    try {
      refused = claim();
      if (refused === undefined) return createFolderSink(path)(...begun);
    } catch (thrown) {
      failed = { thrown };
    }
    late.abort(new Error('its results cannot be stored'));
    return undefined;
  };
  function release(): void {
    if (claimed?.ok) claimed.release();
    claimed = undefined;
    removeEmpty(path);
  }
  async function close(): Promise<void> {
    for (const stopHearing of hearing) stopHearing();
    release();
    await page.close();
  }

  try {
    const refusal = isLaunched ? findFolderConflict(path, command) : claim();
    if (refusal !== undefined) {
      await close();
      return refuseFolder(refusal, command, shown, io);
    }
    await page.open(path);
  } catch (thrown) {
    await close();
    return complainUnwritten(thrown, shown, io);
  }
  const sink: OpenSuiteSink = isLaunched
    ? createLateSink(openLate, createProbeDetector())
    : resumed === undefined
      ? createFolderSink(path)
      : () => ResultsFolder.reopen(path, readStored(path, resumed.stored));
  return {
    output,
    io,
    path,
    shown,
    sink,
    signal: isLaunched ? AbortSignal.any([interruption.signal, late.signal]) : interruption.signal,
    // With --json, standard output holds only the JSON object; output for people goes to standard error.
    screen: output.json || reports.takeOutput ? io.stderr : io.stdout,
    notices: io.stderr,
    // With benign twins, the outcome of a run is settled only when the twin is over.
    ...(!plan.documents.some(({ twin_of }) => twin_of !== undefined) && { stored: reports.run }),
    enterKey(pressed) {
      const stopHearing = io.enterKey(pressed);
      if (stopHearing !== undefined) hearing.add(stopHearing);
      return stopHearing;
    },
    interrupted: interruption.exit,
    refusal() {
      if (failed !== undefined) throw failed.thrown;
      return refused;
    },
    async linger() {
      release();
      interruption.over();
      await page.stay(interruption.signal);
    },
    close,
  };
}

/** Reports an error of the system, which has a code. Any other error is a bug of ours. */
export async function complainUnwritten(thrown: unknown, shown: string, io: Io): Promise<CommandOutcome> {
  if (!(thrown instanceof Error && 'code' in thrown)) throw thrown;
  return complain(
    io,
    'unavailable',
    `${shown}: results cannot be written: ${describeFileFailure(thrown)}`,
    thrown.code === 'EMFILE'
      ? 'play fewer runs at once with -j, or raise the limit (ulimit -n)'
      : 'name another place with --out DIR',
  );
}

/** Another process may have added runs before we locked the folder. */
function readStored(path: string, before: StoredRuns): StoredRuns {
  const read = readResultsFolder(path);
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

interface LivePage {
  /** Serves the report of a folder, if a page is wanted. */
  open(folder: string): Promise<void>;
  /** Keeps the page, if there is one, until the signal is aborted. */
  stay(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** The page of `--ui`: it shows the report while the suite runs, and stays when the runs are over. */
function createLivePage(
  { ui = false, showSecrets = false, plan }: Pick<RunOutput, 'ui' | 'showSecrets' | 'plan'>,
  notices: Sink,
): LivePage {
  let live: LiveReport | undefined;
  return {
    async open(folder) {
      if (!ui) return;
      const { serveReport } = await import('../../../report/html/live-report.ts');
      live = await serveReport(folder, { showSecrets, settle: createRunSettler(plan) });
      await notices.write(`oatf: live report: ${live.url}\n`);
    },
    async stay(signal) {
      if (live === undefined || signal.aborted) return;
      await notices.write(`oatf: the report stays at ${live.url} until Ctrl-C\n`);
      await once(signal, 'abort');
    },
    close: async () => live?.close(),
  };
}
