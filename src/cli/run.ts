import { visible } from '../report/visible.ts';
import { redactorFor } from '../secrets/redactor.ts';
import { type Invocation, loaders } from './commands.ts';
import { complain, type Io } from './io.ts';
import { type CommandOutcome, type Exit, ok } from './outcome.ts';
import { type ProcessIo, processIo } from './process-io.ts';
import { readArguments } from './read-arguments.ts';
import { version } from './version.ts';

/**
 * Runs the command line and returns how it ended. Never throws: an internal error is an outcome too. `leave` is called
 * when the user asks to stop twice.
 */
export async function run(argv: readonly string[], leave: (exit: Exit) => never): Promise<CommandOutcome> {
  const io = processIo(leave);
  const debug = argv.includes('--debug');
  let isTold = false;
  let outcome: CommandOutcome;
  try {
    // An error outside any command, for example in a watcher, is treated like any other fault.
    const fault = new Promise<never>((_, reject) => {
      const hear = (thrown: unknown): void => {
        // One fault may cause others; only the first is reported.
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
  if (failure !== undefined)
    outcome = await complain(
      io,
      'unavailable',
      `standard output: cannot be written (${failure.code ?? failure.message})`,
    );
  // Unwritten output now means that its reader does not read.
  return io.isUnwritten() ? { ...outcome, mayLinger: true } : outcome;
}

async function answer(argv: readonly string[], io: Io): Promise<CommandOutcome> {
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

async function perform({ name, values }: Invocation, io: Io): Promise<CommandOutcome> {
  const command = await loaders[name]();
  // `values` has the right types, because the parser was built from the same table.
  return command(values as never, io);
}

async function confess(io: ProcessIo, thrown: unknown, debug: boolean): Promise<CommandOutcome> {
  const error = thrown instanceof Error ? thrown : new Error(wordsFor(thrown));
  const { text: safe } = redactorFor(false);
  if (debug) await io.stderr.write(`${visible(safe(error.stack ?? error.message), '\n')}\n`);
  // At this limit, even modules that are loaded late cannot be read.
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

const faultOfOurs = { what: 'internal error', hint: 'this is a bug in oatf' };
const faultOfTheirs = {
  what: 'your own code, such as the configuration or an agent in it, has failed outside any call that could catch the error',
  hint: 'look for a promise that is not awaited, or a callback that throws',
};

/** Turns any thrown value into text; even `String` may throw. */
function wordsFor(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'a value that cannot be shown as text';
  }
}
