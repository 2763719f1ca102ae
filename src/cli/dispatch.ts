import { escapeInvisible } from '../format/model/escape-invisible.ts';
import { selectRedactor } from '../secrets/redactor.ts';
import { type CommandOutcome, type Exit, ok } from './command-outcome.ts';
import { commandLoaders } from './commands.ts';
import { complain, type Io } from './io.ts';
import { createProcessIo, type ProcessIo } from './process-io.ts';
import { type ParsedCommandLine, readArguments } from './read-arguments.ts';
import { version } from './version.ts';

/**
 * Runs the command line and returns how it ended. Never throws: an internal error is an outcome too. `leave` is called
 * when the user asks to stop twice.
 */
export async function runCommandLine(argv: readonly string[], leave: (exit: Exit) => never): Promise<CommandOutcome> {
  const io = createProcessIo(leave);
  const debug = argv.includes('--debug');
  let isReported = false;
  let outcome: CommandOutcome;
  try {
    // An error outside any command, for example in a watcher, is treated like any other fault.
    const fault = new Promise<never>((_, reject) => {
      const hear = (thrown: unknown): void => {
        // One fault may cause others; only the first is reported.
        if (!io.stopForFault()) reject(thrown);
        else if (!isReported) void reportFault(io, thrown, debug);
        isReported = true;
      };
      process.on('uncaughtException', hear);
      process.on('unhandledRejection', hear);
    });
    const meant = readArguments(argv);
    if (meant.kind === 'command') {
      const { name, values } = meant.invocation;
      const command = await Promise.race([commandLoaders[name](), fault]);
      // `values` has the right types, because the parser was built from the same table.
      outcome = await Promise.race([command(values as never, io), fault]);
    } else outcome = await Promise.race([answerWithoutCommand(meant, io), fault]);
    if (isReported) outcome = { ...outcome, exit: 'fault' };
  } catch (thrown) {
    outcome = await reportFault(io, thrown, debug);
  }
  const failure = io.outputFailure();
  if (failure !== undefined)
    outcome = await complain(
      io,
      'unavailable',
      `standard output: cannot be written (${failure.code ?? failure.message})`,
    );
  // Unwritten output now means that its reader does not read.
  return io.isUnwritten() || io.mayLinger() ? { ...outcome, mayLinger: true } : outcome;
}

/** Prints the version, help, or what is wrong with the arguments. */
async function answerWithoutCommand(
  meant: Exclude<ParsedCommandLine, { kind: 'command' }>,
  io: Io,
): Promise<CommandOutcome> {
  switch (meant.kind) {
    case 'version':
      await io.stdout.write(`${version}\n`);
      return ok;
    case 'help':
      await io.stdout.write((await import('./help-text.ts')).formatHelp(meant.command, meant.all, io.stdout));
      return ok;
    case 'wrong':
      return complain(io, 'usage', meant.message, meant.hint && meant.hint);
  }
}

async function reportFault(io: ProcessIo, thrown: unknown, debug: boolean): Promise<CommandOutcome> {
  const error = thrown instanceof Error ? thrown : new Error(toSafeText(thrown));
  const { text: safe } = selectRedactor(false);
  if (debug) await io.stderr.write(`${escapeInvisible(safe(error.stack ?? error.message), '\n')}\n`);
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
  return complain(io, 'fault', `${what}: ${safe(error.message)}`, debug ? undefined : `${hint}; ${where}`);
}

const faultOfOurs = { what: 'internal error', hint: 'this is a bug in oatf' };
const faultOfTheirs = {
  what: 'your own code, such as the configuration or an agent in it, has failed outside any call that could catch the error',
  hint: 'look for a promise that is not awaited, or a callback that throws',
};

/** Turns any thrown value into text; even `String` may throw. */
function toSafeText(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'a value that cannot be shown as text';
  }
}
