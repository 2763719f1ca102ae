import { join, resolve } from 'node:path';
import type { RunLimits } from '../../engine/run.ts';
import type { RunOutcome } from '../../evaluate/delivery.ts';
import { parseDuration } from '../../primitives/parse-duration.ts';
import { ResultsFolder } from '../../suite/results.ts';
import { systemClock } from '../../transport/clock.ts';
import type { Arguments, Command } from '../commands.ts';
import { failureOf } from '../input/failure.ts';
import { complain, type Io } from '../io.ts';
import type { Exit, Outcome } from '../outcome.ts';
import { type Addresses, readListen } from '../run/listen.ts';
import { loadDocuments, type Playable } from '../run/load-documents.ts';
import { isPlayed } from '../run/modes.ts';
import { defaultFolder, hasResults, shownPath } from '../run/out-folder.ts';
import { type Played, playOne } from '../run/play-one.ts';
import { redactEntry } from '../run/redact.ts';
import { summary, warningLine } from '../run/report.ts';
import { visible } from '../terminal/visible.ts';
import { exitFor } from '../verdict/exit.ts';
import { version } from '../version.ts';

type Values = Arguments<'run'>;

const agent = { name: 'external', kind: 'external' } as const;

export const run: Command<'run'> = async (values, io) => {
  const limits = limitsOf(values);
  if ('message' in limits) return complain(io, 'usage', `run: ${visible(limits.message)}`, limits.hint);
  if (values.documents.length === 0)
    return complain(
      io,
      'usage',
      'run: no documents are given',
      'name files or folders, or - for standard input',
    );
  const loaded = await loadDocuments(values.documents, io);
  if (loaded.kind === 'failed') return loaded.outcome;
  const { playables } = loaded;
  const addresses = readListen(
    values.listen,
    playables.map(({ document }) => document),
    isPlayed,
  );
  if (typeof addresses !== 'function')
    return complain(io, 'usage', `run: ${visible(addresses.message)}`, visible(addresses.hint));
  const started = systemClock.timestamp();
  const path = values.out === undefined ? defaultFolder(io.cwd, started) : resolve(io.cwd, values.out);
  const shown = visible(shownPath(path, io.cwd));
  if (hasResults(path))
    return complain(io, 'usage', `run: ${shown} has results already`, 'name another folder, or move it away');
  try {
    const redact = values.redact ? redactEntry : undefined;
    const folder = new ResultsFolder(path, { name: 'oatf', version }, started, redact);
    return await playAll(playables, folder, shown, { values, limits, addresses }, io);
  } catch (thrown) {
    return complain(io, 'unavailable', `${shown}: results cannot be written: ${failureOf(thrown)}`);
  }
};

interface Settings {
  readonly values: Values;
  readonly limits: Partial<RunLimits>;
  readonly addresses: Addresses;
}

async function playAll(
  playables: readonly Playable[],
  folder: ResultsFolder,
  shown: string,
  { values, limits, addresses }: Settings,
  io: Io,
): Promise<Outcome> {
  const { quiet, json } = values;
  // With --json standard output is the one object; what people look at goes beside it.
  const screen = json ? io.stderr : io.stdout;
  const interruption = watchInterruption(io);
  const outcomes: RunOutcome[] = [];
  const lines: string[] = [];
  let failure: Outcome | undefined;
  for (const [index, playable] of playables.entries()) {
    if (interruption.signal.aborted || failure !== undefined) break;
    if (!quiet)
      for (const warning of playable.warnings)
        await io.stderr.write(warningLine(warning, io.stderr, playable.file));
    const name = folder.addDocument(playable.document, playable.text);
    const played: Played = await playOne(playable, {
      values,
      limits,
      addresses,
      agent: agent.name,
      folder,
      trace: join('traces', `${name}.jsonl`),
      shown,
      place: playables.length === 1 ? '' : `${index + 1} of ${playables.length}`,
      signal: interruption.signal,
      screen,
      notices: io.stderr,
    });
    if (played.kind === 'unavailable')
      failure = await complain(io, 'unavailable', visible(played.reason), played.hint);
    else {
      outcomes.push(played.outcome);
      lines.push(played.line);
    }
  }
  const interrupted = interruption.exit();
  if (outcomes.length === 0) folder.discard();
  else {
    const results = folder.finish([agent], systemClock.timestamp());
    if (json) await io.stdout.write(results);
    if (!quiet) await screen.write(summary(lines, playables.length, shown, screen));
  }
  return failure ?? { exit: interrupted ?? exitFor(outcomes) };
}

interface Interruption {
  readonly signal: AbortSignal;
  exit(): Exit | undefined;
}

/** The first Ctrl-C ends the run and all is judged and stored; nobody catches a second one. */
function watchInterruption(io: Io): Interruption {
  const controller = new AbortController();
  let asked: Exit | undefined;
  void io.interruption().then(async (exit) => {
    asked = exit;
    controller.abort();
    await io.stderr.write('\noatf: ending the run; Ctrl-C again ends it at once\n');
  });
  return { signal: controller.signal, exit: () => asked };
}

type WrongDuration = { readonly message: string; readonly hint?: string };

function limitsOf({ timeout, gracePeriod }: Values): Partial<RunLimits> | WrongDuration {
  const sessionMs = millisecondsOf('--timeout', timeout);
  const graceMs = millisecondsOf('--grace-period', gracePeriod);
  if (typeof sessionMs === 'object') return sessionMs;
  if (typeof graceMs === 'object') return graceMs;
  return { ...(sessionMs !== undefined && { sessionMs }), ...(graceMs !== undefined && { graceMs }) };
}

function millisecondsOf(flag: string, text: string | undefined): number | undefined | WrongDuration {
  if (text === undefined) return undefined;
  const seconds = parseDuration(text);
  if (typeof seconds === 'number') return seconds * 1_000;
  return {
    message: `${flag}: ${seconds.message}`,
    ...(seconds.hint !== undefined && { hint: seconds.hint }),
  };
}
