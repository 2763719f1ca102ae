#!/usr/bin/env node
import type { Exit } from './command-outcome.ts';
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

/** Node's exit code for a program that waits for a promise that never settles. */
const unsettled = 13;

// getBuiltinModule is used because an import would create all exports of the module, which loads Node's streams.
const { writeSync } = process.getBuiltinModule('node:fs');

const argv = process.argv.slice(2);
let isDone = false;
if (!printVersionOnly()) await main();

async function main(): Promise<void> {
  process.on('exit', rejectForeignExit);
  // Stack traces then show positions in the source.
  if (argv.includes('--debug')) process.setSourceMapsEnabled(true);
  keepCompiled();
  const { runCommandLine } = await import('./dispatch.ts');
  const { exit, mayLinger } = await runCommandLine(argv, leave);
  isDone = true;
  process.exitCode = exitCodes[exit];
  // After a fault, unknown resources may be open.
  if (exit === 'fault' || mayLinger) process.exit();
}

/**
 * Lets V8 keep compiled code for the next start, if Node supports it (from 22.1 on). The cache is in a folder of the
 * user: in a shared temporary folder, other users could replace the code.
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
    // Without a home folder there is no cache, and the start is slightly slower.
  }
}

/** Exits at once; listeners of `exit` do the cleanup. */
function leave(exit: Exit): never {
  isDone = true;
  process.exit(exitCodes[exit]);
}

/** The user's code runs in this process too. If it exits the process, that must not pass for a verdict of ours. */
function rejectForeignExit(code: number): void {
  if (isDone) return;
  process.exitCode = exitCodes.fault;
  const how = code === unsettled ? 'nothing was left to wait for' : `process.exit(${code}) was called`;
  try {
    writeSync(2, `oatf: error: this process ended too early: ${how}\n`);
    writeSync(2, 'oatf: hint: your own code, such as the configuration or an agent in it, must return and not exit\n');
  } catch {
    // The exit code shows it too.
  }
}

/** Prints the version without loading anything else. */
function printVersionOnly(): boolean {
  if (argv.length !== 1 || (argv[0] !== '--version' && argv[0] !== '-V')) return false;
  try {
    writeSync(1, `${version}\n`);
    return true;
  } catch {
    // The normal path handles an output that cannot be written.
    return false;
  }
}
