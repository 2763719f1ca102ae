import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// What peers are installed into: a folder for each set of versions, which later runs find again.

/** Thrown where a peer cannot be had: its language or one of its packages is not there. */
export class NotHad extends Error {}

/** The folder that holds these packages. `install` fills a new one; half a folder is thrown away. */
export function installed(packages: readonly string[], install: (folder: string) => void): string {
  const name = createHash('sha256').update(packages.join('\n')).digest('hex').slice(0, 16);
  const folder = join(tmpdir(), 'oatf-peers', name);
  const mark = join(folder, 'installed.txt');
  if (existsSync(mark)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  install(folder);
  writeFileSync(mark, `${packages.join('\n')}\n`);
  return folder;
}

/** Runs a command to its end; `told` says what it means that it failed. */
export function must(told: string, command: string, args: readonly string[]): void {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (error !== undefined) throw new NotHad(`${told}: ${error.message}`);
  if (status === 0) return;
  const errors = stderr.split('\n').filter((line) => /error/i.test(line));
  throw new NotHad(`${told}: ${errors.slice(0, 2).join('; ') || `${command} ended with ${status}`}`);
}
