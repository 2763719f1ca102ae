import { failureOf } from '../../../catalogue/failure.ts';
import type { Comparison, NotRunReason, Results } from '../../../model/results.ts';
import { visible } from '../../../report/visible.ts';
import { notRunReasons } from '../../../report/words.ts';
import type { Redactor } from '../../../secrets/redactor.ts';
import { resultsToText } from '../../../suite/make-results.ts';
import { attacksOf, type Plan } from '../../../suite/plan.ts';
import type { StoredRuns } from '../../../suite/read-results.ts';
import { ResultsFolder } from '../../../suite/results.ts';
import { systemClock } from '../../../transport/clock.ts';
import { complain, type Io } from '../../io.ts';
import type { Outcome } from '../../outcome.ts';
import { watchInterruption } from '../play/interruption.ts';
import type { RunSettings } from '../play/play-stored.ts';
import { resultsLine } from '../view/report.ts';
import { folderFor, hasResults, shownPath } from './out-folder.ts';
import type { Reports } from './write-reports.ts';

export interface PlayedAll {
  /** Why not everything has run. */
  readonly stopped?: NotRunReason;
  /** How the command ends, where that does not follow from the results. */
  readonly failure?: Outcome;
}

export interface Output {
  readonly command: string;
  readonly plan: Plan;
  /** The sources of the plan's documents. */
  readonly texts: readonly string[];
  readonly out: string | undefined;
  /** Where to go on, and with what. */
  readonly resumed?: { readonly path: string; readonly stored: StoredRuns } | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly redactor?: Redactor | undefined;
  readonly reports: Reports;
  readonly compare?: ((results: Results) => Comparison) | undefined;
}

export type Place = Pick<RunSettings, 'folder' | 'shown' | 'signal' | 'screen' | 'notices' | 'stored'>;

/** Gives runs a folder to be stored in, and finishes it whatever becomes of them. */
export async function playInto(
  output: Output,
  io: Io,
  play: (place: Place) => Promise<PlayedAll>,
  end: (results: Results, place: Place) => Promise<Outcome>,
): Promise<Outcome> {
  const { command, out, plan, resumed, reports, json, quiet } = output;
  const path = resumed?.path ?? folderFor(out, io.cwd, plan.started);
  const shown = visible(shownPath(path, io.cwd));
  if (resumed === undefined && hasResults(path))
    return complain(
      io,
      'usage',
      `${command}: ${shown} has results already`,
      `name another folder, or move it away${command === 'run' ? '; --resume goes on with it' : ''}`,
    );
  try {
    const folder = openFolder(path, output);
    const { signal, exit } = watchInterruption(io);
    // With --json standard output is the one object; what people look at goes beside it.
    const screen = json || reports.takeOutput ? io.stderr : io.stdout;
    const place: Place = { folder, shown, signal, screen, notices: io.stderr, stored: reports.run };
    const { stopped, failure } = await play(place);
    // A shard may have nothing to do, which is for the others to know.
    if (folder.entries.length === 0 && attacksOf(plan).length > 0) {
      await folder.discard();
      if (failure !== undefined) return failure;
      const why = notRunReasons[stopped ?? 'interrupted'];
      return complain(io, exit() ?? 'undecided', `${command}: nothing has run: ${why}`);
    }
    const results = await folder.finish({
      finished: systemClock.timestamp(),
      stopped,
      compare: output.compare,
    });
    const outcome = await end(results, place);
    if (json) await io.stdout.write(resultsToText(results));
    const unreported = await reports.end(results, path, screen);
    const unpaged = await reports.page(path);
    if (!quiet) await screen.write(resultsLine(shown, screen));
    const interrupted = exit();
    return failure ?? unreported ?? unpaged ?? (interrupted === undefined ? outcome : { exit: interrupted });
  } catch (thrown) {
    // What the system refuses has a code; anything else is a fault of ours.
    if (!(thrown instanceof Error && 'code' in thrown)) throw thrown;
    return complain(
      io,
      'unavailable',
      `${shown}: results cannot be written: ${failureOf(thrown)}`,
      'name another place with --out DIR',
    );
  }
}

function openFolder(path: string, { plan, texts, resumed, redactor }: Output): ResultsFolder {
  return resumed === undefined
    ? ResultsFolder.begin(path, plan, texts, redactor)
    : ResultsFolder.reopen(path, resumed.stored, redactor);
}
