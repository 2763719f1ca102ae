import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { findDocuments } from '../suite/library/find-documents.ts';
import { hasWildcard, isSkippedFolder } from '../suite/library/glob.ts';
import type { CommandOutcome, Exit } from './command-outcome.ts';
import type { Io } from './io.ts';

// Editors write a file in several steps; the check waits until they are done.
const quietMs = 60;

/**
 * Checks now, and again whenever a document changes, appears or disappears, until the user stops it. `check` gets the
 * changed and new documents.
 */
export async function watchDocuments(
  operands: readonly string[],
  io: Io,
  check: (changed: readonly string[]) => Promise<CommandOutcome>,
): Promise<CommandOutcome> {
  const watchers = new Map<string, FSWatcher>();
  const stop = io.interruption();
  let wake = (): void => {};
  let timer: NodeJS.Timeout | undefined;
  const onChange = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => wake(), quietMs);
  };
  let seen: ReadonlyMap<string, string> | undefined;
  let exit: Exit | undefined;
  while (exit === undefined) {
    // A change from here on starts the next round, so no change during a check is missed.
    const woken = new Promise<undefined>((settle) => {
      wake = () => settle(undefined);
    });
    watchFolders(listWatchedFolders(operands, io.cwd), watchers, onChange);
    const now = computeSignatures(operands, io.cwd);
    const changed = [...now].filter(([name, signature]) => seen?.get(name) !== signature).map(([name]) => name);
    if (seen === undefined || changed.length > 0 || now.size !== seen.size) {
      if (seen !== undefined) await io.stderr.write(`\noatf: changed, checking again\n`);
      await check(changed);
      if (seen === undefined) await io.stderr.write('oatf: watching for changes; Ctrl-C ends\n');
      seen = now;
    }
    exit = await Promise.race([stop, woken]);
  }
  clearTimeout(timer);
  for (const watcher of watchers.values()) watcher.close();
  return { exit };
}

function watchFolders(folders: ReadonlySet<string>, watchers: Map<string, FSWatcher>, onChange: () => void): void {
  for (const [folder, watcher] of watchers)
    if (!folders.has(folder)) {
      watcher.close();
      watchers.delete(folder);
    }
  for (const folder of folders) {
    if (watchers.has(folder)) continue;
    try {
      const watcher = watch(folder, onChange);
      // A folder that disappears is noticed in the next round, through its parent.
      watcher.on('error', onChange);
      watchers.set(folder, watcher);
    } catch {
      // The folder disappeared between listing and watching.
    }
  }
}

/** Watches folders rather than files, because editors replace a file with a new one of the same name. */
function listWatchedFolders(operands: readonly string[], cwd: string): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const operand of operands) {
    const wild = hasWildcard(operand);
    const base = resolve(cwd, wild ? operand.slice(0, operand.search(/[*?{]/)) : operand);
    const place = findNearestFolder(wild && !isFolder(base) ? dirname(base) : base);
    if (place === base || wild) addFolders(place, folders);
    else folders.add(place);
  }
  return folders;
}

function findNearestFolder(path: string): string {
  return isFolder(path) || dirname(path) === path ? path : findNearestFolder(dirname(path));
}

function addFolders(folder: string, into: Set<string>): void {
  if (into.has(folder)) return;
  into.add(folder);
  try {
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory() && !isSkippedFolder(entry.name)) addFolders(join(folder, entry.name), into);
  } catch {
    // A folder that cannot be listed cannot be watched; the check itself reports it.
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function computeSignatures(operands: readonly string[], cwd: string): ReadonlyMap<string, string> {
  return new Map(
    findDocuments(operands, cwd).map((source) => {
      const stats = source.kind === 'file' ? statSync(source.path, { throwIfNoEntry: false }) : undefined;
      const isNamedById = source.kind === 'file' && source.shipped;
      const name = source.kind === 'file' && !isNamedById ? relative(cwd, source.path) || source.path : source.name;
      return [name, `${source.kind} ${stats?.mtimeMs} ${stats?.size} ${stats?.ino}`];
    }),
  );
}
