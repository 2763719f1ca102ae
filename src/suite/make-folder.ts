import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder, and those around it that are not there. One by one from the nearest that is: where nothing can be made, as
 * in /proc, `recursive` of some Nodes does not come back.
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
    // Another process may have been faster.
    const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory();
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder) throw thrown;
  }
}

function isThere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (thrown) {
    // Below a file there is nothing; what may not be looked at is there all the same.
    return (thrown as NodeJS.ErrnoException).code !== 'ENOTDIR';
  }
}
