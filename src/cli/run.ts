import { visible } from '../report/visible.ts';
import { type Invocation, loaders } from './commands.ts';
import { helpFor } from './help.ts';
import { complain, type Io } from './io.ts';
import { type Outcome, ok } from './outcome.ts';
import { processIo } from './process-io.ts';
import { readArguments } from './read-arguments.ts';
import { version } from './version.ts';

/** From what was typed to how it ended. Never throws: a fault of ours is an outcome too. */
export async function run(argv: readonly string[]): Promise<Outcome> {
  const io = processIo();
  let outcome: Outcome;
  try {
    // What is thrown outside of any command's reach, such as by a watcher, is a fault like any other.
    const fault = new Promise<never>((_, reject) => process.once('uncaughtException', reject));
    outcome = await Promise.race([answer(argv, io), fault]);
  } catch (thrown) {
    outcome = await confess(io, thrown, argv.includes('--debug'));
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
      await io.stdout.write(helpFor(meant.command, io.stdout));
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

async function confess(io: Io, thrown: unknown, debug: boolean): Promise<Outcome> {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (debug) await io.stderr.write(`${visible(error.stack ?? error.message, '\n')}\n`);
  const hint = debug ? undefined : 'this is a fault of ours; the same command with --debug shows where';
  return complain(io, 'fault', `internal fault: ${visible(error.message)}`, hint);
}
