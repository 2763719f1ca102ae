import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and its missing parents, one by one. `recursive` is not used: in some versions of Node it never
 * returns where no folder can be made, as in /proc.
 */
export function makeFolder(path: string, mode?: number): void {
  const last = resolve(path);
  const missing = [last];
  for (let folder = dirname(last); !isThere(folder) && dirname(folder) !== folder; folder = dirname(folder))
    missing.unshift(folder);
  for (const folder of missing) makeOne(folder, mode);
}

function makeOne(folder: string, mode: number | undefined): void {
  try {
    mkdirSync(folder, { mode });
  } catch (thrown) {
    // Another process may have made it first.
    const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory();
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder) throw thrown;
  }
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Something is in the way. The attempt to make the folder reports what.
    return true;
  }
}
