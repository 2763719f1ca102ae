#!/usr/bin/env node
import { writeSync } from 'node:fs';
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

const argv = process.argv.slice(2);
if (!answersVersion()) {
  const { run } = await import('./run.ts');
  const { exit, mayLinger } = await run(argv);
  process.exitCode = exitCodes[exit];
  // After a fault nobody knows what is still open; and what is unwritten now has a reader that does not read.
  if (exit === 'fault' || mayLinger || process.stdout.writableLength > 0 || process.stderr.writableLength > 0)
    process.exit();
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
