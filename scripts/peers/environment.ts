import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The folders into which peers are installed: one for each set of versions, kept for later runs.

/** Thrown if a peer cannot be installed: its language or one of its packages is not available. */
export class NotHad extends Error {}

/** Finds the folder with these packages. `install` fills a new one; an incomplete folder is removed. */
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

/** Runs a command to its end. If it fails, `told` says what that means. */
export function must(reported: string, command: string, args: readonly string[]): void {
  const { status, error, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (error !== undefined) throw new NotHad(`${reported}: ${error.message}`);
  if (status === 0) return;
  const errors = stderr.split('\n').filter((line) => /error/i.test(line));
  throw new NotHad(`${reported}: ${errors.slice(0, 2).join('; ') || `${command} ended with ${status}`}`);
}
