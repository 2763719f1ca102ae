import { resolve } from 'node:path';
import type { RunOutcome } from '../../evaluate/delivery.ts';
import { type AgentEntry, ResultsFolder } from '../../suite/results.ts';
import { systemClock } from '../../transport/clock.ts';
import { failureOf } from '../input/failure.ts';
import { complain, type Io } from '../io.ts';
import type { Outcome } from '../outcome.ts';
import { visible } from '../terminal/visible.ts';
import { version } from '../version.ts';
import { watchInterruption } from './interruption.ts';
import { defaultFolder, hasResults, shownPath } from './out-folder.ts';
import type { RunSettings } from './play-stored.ts';
import { redactEntry } from './redact.ts';
import { resultsLine } from './report.ts';

export interface PlayedAll {
  readonly outcomes: readonly RunOutcome[];
  /** How the command ends, where that does not follow from the outcomes. */
  readonly failure?: Outcome;
}

interface Output {
  readonly command: string;
  readonly out: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly redact: boolean;
  readonly agents: readonly AgentEntry[];
}

type Place = Pick<RunSettings, 'folder' | 'shown' | 'signal' | 'screen' | 'notices'>;

/** Gives runs a folder to be stored in, and finishes it whatever becomes of them. */
export async function playInto(
  { command, out, json, quiet, redact, agents }: Output,
  io: Io,
  play: (place: Place) => Promise<PlayedAll>,
  exitFor: (outcomes: readonly RunOutcome[]) => Outcome,
): Promise<Outcome> {
  const started = systemClock.timestamp();
  const path = out === undefined ? defaultFolder(io.cwd, started) : resolve(io.cwd, out);
  const shown = visible(shownPath(path, io.cwd));
  if (hasResults(path))
    return complain(
      io,
      'usage',
      `${command}: ${shown} has results already`,
      'name another folder, or move it away',
    );
  try {
    const tool = { name: 'oatf', version };
    const folder = new ResultsFolder(path, tool, started, redact ? redactEntry : undefined);
    const { signal, exit } = watchInterruption(io);
    // With --json standard output is the one object; what people look at goes beside it.
    const screen = json ? io.stderr : io.stdout;
    const { outcomes, failure } = await play({ folder, shown, signal, screen, notices: io.stderr });
    if (outcomes.length === 0) folder.discard();
    else {
      const results = folder.finish(
        agents.map(({ name, kind }) => ({ name, kind })),
        systemClock.timestamp(),
      );
      if (json) await io.stdout.write(results);
      if (!quiet) await screen.write(resultsLine(shown, screen));
    }
    const interrupted = exit();
    return failure ?? (interrupted === undefined ? exitFor(outcomes) : { exit: interrupted });
  } catch (thrown) {
    return complain(io, 'unavailable', `${shown}: results cannot be written: ${failureOf(thrown)}`);
  }
}
