import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { isStored, ownerOnly } from '../../../files/stored-file.ts';
import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import { makeFolder } from '../../../suite/play/make-folder.ts';
import { type LockResult, lockFolder } from '../../../suite/store/folder-lock.ts';
import type { CommandOutcome, Exit } from '../../command-outcome.ts';
import { complain, type Io } from '../../io.ts';

export const resultsFolder = 'oatf-results';

const marks = ['plan.json', 'runs.jsonl', 'results.json'];

export function hasResults(folder: string): boolean {
  return marks.some((mark) => isStored(folder, mark));
}

const time = '{{time}}';

/** Folders are named by their time, so the last name is the newest. */
export function findNewestResults(results: string): string | undefined {
  if (!existsSync(results)) return undefined;
  const names = readdirSync(results).sort().reverse();
  return names.map((name) => join(results, name)).find(hasResults);
}

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

export interface FolderRefusal {
  readonly exit: Exit;
  readonly reason: string;
  readonly hint: string;
}

export type FolderClaim = { readonly ok: true; release(): void } | ({ readonly ok: false } & FolderRefusal);

/** Creates a folder and locks it. A folder with results is accepted only when they are resumed. */
export function claimFolder(path: string, isResumed: boolean, command: string): FolderClaim {
  makeFolder(path, ownerOnly.folder);
  const lock = lockFolder(path);
  if (!lock.ok)
    return { ok: false, exit: 'unavailable', reason: `is in use${describeLockOwner(lock)}`, hint: whenFree };
  const taken = isResumed ? undefined : findFolderConflict(path, command);
  if (taken === undefined) return lock;
  lock.release();
  return { ok: false, ...taken };
}

/** The reason why a new suite cannot begin in a folder, apart from its lock. */
export function findFolderConflict(path: string, command: string): FolderRefusal | undefined {
  if (!hasResults(path)) return undefined;
  const hint = `name another folder, or move this one away${command === 'run' ? '; --resume continues it' : ''}`;
  return { exit: 'usage', reason: 'has results already', hint };
}

export function refuseFolder(
  { exit, reason, hint }: FolderRefusal,
  command: string,
  shown: string,
  io: Io,
): Promise<CommandOutcome> {
  return complain(io, exit, `${command}: ${shown} ${reason}`, hint);
}

const whenFree = 'wait until it has ended; the lock of a dead process is taken over';

function describeLockOwner({ owner, file }: Extract<LockResult, { ok: false }>): string {
  if (owner === undefined) return `: ${escapeInvisible(file)} was made just now`;
  return ` by process ${owner.pid} on ${escapeInvisible(owner.host)} (${escapeInvisible(file)})`;
}
