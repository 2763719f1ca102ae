import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** The default folder for results. */
export const resultsFolder = 'oatf-results';

const marks = ['plan.json', 'runs.jsonl', 'results.json'];

export function hasResults(folder: string): boolean {
  return marks.some((mark) => existsSync(join(folder, mark)));
}

const time = '{{time}}';

/** The folder that the user named. A name with the time in it, like the default, is new for each call. */
export function chooseOutFolder(out: string | undefined, cwd: string, started: string): string {
  const named = resolve(cwd, out ?? join(resultsFolder, time));
  if (!named.includes(time)) return named;
  const stamp = started.replace(/[:.]/g, '-');
  for (let count = 2, own = stamp; ; own = `${stamp}-${count++}`) {
    const folder = named.replaceAll(time, own);
    if (!existsSync(folder)) return folder;
  }
}

/** A path as the user would type it. */
export function shortenPath(path: string, cwd: string): string {
  const near = relative(cwd, resolve(cwd, path));
  return near !== '' && !near.startsWith('..') ? near : path;
}

/** The same for a file that may be in a parent folder. */
export function shortenFilePath(path: string, cwd: string): string {
  const near = relative(cwd, path);
  return near.length < path.length ? near : path;
}
