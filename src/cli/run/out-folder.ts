import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const marks = ['plan.json', 'runs.jsonl', 'results.json'];

export function hasResults(folder: string): boolean {
  return marks.some((mark) => existsSync(join(folder, mark)));
}

/** A folder of its own for each call, named by its time. */
export function defaultFolder(cwd: string, started: string): string {
  const name = started.replace(/[:.]/g, '-');
  const base = join(cwd, 'oatf-results', name);
  for (let count = 2, folder = base; ; folder = `${base}-${count++}`) if (!existsSync(folder)) return folder;
}

/** A path as the user would type it. */
export function shownPath(path: string, cwd: string): string {
  const near = relative(cwd, resolve(cwd, path));
  return near !== '' && !near.startsWith('..') ? near : path;
}
