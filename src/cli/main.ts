#!/usr/bin/env node
import type { Exit } from './outcome.ts';
import { version } from './version.ts';

const exitCodes: { readonly [E in Exit]: number } = {
  ok: 0,
  found: 1,
  undecided: 2,
  usage: 64,
  invalid: 65,
  unreadable: 66,
  unavailable: 69,
  fault: 70,
  interrupted: 130,
  terminated: 143,
};

/** Node's own code for a program that waits for what never comes. */
const unsettled = 13;

// An import would first make all of its names, for which Node loads its streams.
const { writeSync } = process.getBuiltinModule('node:fs');

const argv = process.argv.slice(2);
let isDone = false;
if (!answersVersion()) {
  process.on('exit', admitOnlyOurs);
  // Places in a stack are those of the source then.
  if (argv.includes('--debug')) process.setSourceMapsEnabled(true);
  keepCompiled();
  const { run } = await import('./run.ts');
  const { exit, mayLinger } = await run(argv, leave);
  isDone = true;
  process.exitCode = exitCodes[exit];
  // After a fault nobody knows what is still open; and what is unwritten now has a reader that does not read.
  if (exit === 'fault' || mayLinger || process.stdout.writableLength > 0 || process.stderr.writableLength > 0)
    process.exit();
}

/**
 * V8 keeps what it has compiled for the next time, where Node lets it, which is from 22.1 on. It does so in a folder of the
 * user: where temporary files are, others could put code in its place.
 */
function keepCompiled(): void {
  const { enableCompileCache } = process.getBuiltinModule('node:module') as {
    enableCompileCache?(folder: string): unknown;
  };
  if (enableCompileCache === undefined) return;
  try {
    const cache = process.env.XDG_CACHE_HOME || `${process.getBuiltinModule('node:os').homedir()}/.cache`;
    enableCompileCache(`${cache}/oatf`);
  } catch {
    // A user without a home waits a little longer.
  }
}

/** At once: what has to go with us goes by listeners of `exit`. */
function leave(exit: Exit): never {
  isDone = true;
  process.exit(exitCodes[exit]);
}

/** Code of the user's runs in this process, too. Its way out must not pass for a verdict of ours. */
function admitOnlyOurs(code: number): void {
  if (isDone) return;
  process.exitCode = exitCodes.fault;
  const how =
    code === unsettled ? 'nothing was left to wait for' : `something has called process.exit(${code})`;
  try {
    writeSync(2, `oatf: error: this ended before it was done: ${how}\n`);
    writeSync(
      2,
      'oatf: hint: code of yours, such as the configuration or an agent in it, has to return and not to exit\n',
    );
  } catch {
    // The exit code says it as well.
  }
}

/** The one answer that must not wait for anything to load. */
function answersVersion(): boolean {
  if (argv.length !== 1 || (argv[0] !== '--version' && argv[0] !== '-V')) return false;
  try {
    writeSync(1, `${version}\n`);
    return true;
  } catch {
    // The long way knows what to do about an output that takes nothing.
    return false;
  }
}
