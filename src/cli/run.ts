import { visible } from '../report/visible.ts';
import { redactorFor } from '../secrets/redactor.ts';
import { type Invocation, loaders } from './commands.ts';
import { complain, type Io } from './io.ts';
import { type Exit, type Outcome, ok } from './outcome.ts';
import { type ProcessIo, processIo } from './process-io.ts';
import { readArguments } from './read-arguments.ts';
import { version } from './version.ts';

/**
 * From what was typed to how it ended. Never throws: a fault of ours is an outcome too. `leave` is for whoever asks
 * twice.
 */
export async function run(argv: readonly string[], leave: (exit: Exit) => never): Promise<Outcome> {
  const io = processIo(leave);
  const debug = argv.includes('--debug');
  let isTold = false;
  let outcome: Outcome;
  try {
    // What is thrown outside of any command's reach, such as by a watcher, is a fault like any other.
    const fault = new Promise<never>((_, reject) => {
      const hear = (thrown: unknown): void => {
        // One leads to others; the first tells.
        if (!io.stopForFault()) reject(thrown);
        else if (!isTold) void confess(io, thrown, debug);
        isTold = true;
      };
      process.on('uncaughtException', hear);
      process.on('unhandledRejection', hear);
    });
    outcome = await Promise.race([answer(argv, io), fault]);
    if (isTold) outcome = { ...outcome, exit: 'fault' };
  } catch (thrown) {
    outcome = await confess(io, thrown, debug);
  }
  const failure = io.outputFailure();
  return failure === undefined
    ? outcome
    : complain(io, 'unavailable', `standard output: cannot be written (${failure.code ?? failure.message})`);
}

async function answer(argv: readonly string[], io: Io): Promise<Outcome> {
  const meant = readArguments(argv);
  switch (meant.kind) {
    case 'version':
      await io.stdout.write(`${version}\n`);
      return ok;
    case 'help':
      await io.stdout.write((await import('./help.ts')).helpFor(meant.command, meant.all, io.stdout));
      return ok;
    case 'wrong':
      return complain(io, 'usage', visible(meant.message), meant.hint && visible(meant.hint));
    case 'command':
      return perform(meant.invocation, io);
  }
}

async function perform({ name, values }: Invocation, io: Io): Promise<Outcome> {
  const command = await loaders[name]();
  // The table that the parser was built from gave `values` their types.
  return command(values as never, io);
}

async function confess(io: ProcessIo, thrown: unknown, debug: boolean): Promise<Outcome> {
  const error = thrown instanceof Error ? thrown : new Error(wordsFor(thrown));
  const { text: safe } = redactorFor(false);
  if (debug) await io.stderr.write(`${visible(safe(error.stack ?? error.message), '\n')}\n`);
  // Whatever is loaded late finds no file to be read from.
  if ((thrown as NodeJS.ErrnoException | undefined)?.code === 'EMFILE')
    return complain(
      io,
      'unavailable',
      'this process has no more open files',
      'raise the limit (ulimit -n), or play fewer runs at once with -j',
    );
  const { what, hint } = io.isHost() ? faultOfTheirs : faultOfOurs;
  const where = 'the same command with --debug shows where';
  return complain(
    io,
    'fault',
    `${what}: ${visible(safe(error.message))}`,
    debug ? undefined : `${hint}; ${where}`,
  );
}

const faultOfOurs = { what: 'internal fault', hint: 'this is a fault of ours' };
const faultOfTheirs = {
  what: 'code of yours, such as the configuration or an agent in it, has failed where nobody could catch it',
  hint: 'a promise that nobody awaits, or a callback that throws',
};

/** Anything can be thrown. */
function wordsFor(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'something that has no words';
  }
}
