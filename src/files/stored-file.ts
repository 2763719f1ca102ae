import { randomUUID } from 'node:crypto';
import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { checkRegular, openRegular, readText, refuseOthers } from './regular-file.ts';

// Files in a folder of results. The folder may come from elsewhere, or be shared with others. So no link in it is followed:
// a link could lead to any file of this machine. The path of the folder itself is the user's, and may contain links.

/** File modes for the owner alone: results hold what an agent said and sent. */
export const ownerOnly = { file: 0o600, folder: 0o700 } as const;

/** Windows has neither. There, the check before the opening must do. */
const { O_NOFOLLOW: noLink = 0, O_NONBLOCK: noWait = 0 } = constants;

/** Whether a folder has something of this name, even a link that leads nowhere. */
export function isStored(folder: string, name: string): boolean {
  return lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined;
}

/** Opens a file of a folder for reading. */
export function openStored(folder: string, name: string): number {
  const path = refuseLinks(folder, name);
  return openRegular(path, noLink);
}

/** Reads a text file of a folder. */
export function readStored(folder: string, name: string, mostBytes?: number): string {
  return readText(openStored(folder, name), join(folder, name), mostBytes);
}

/** Opens a file of a folder for writing at its end. */
export function appendStored(folder: string, name: string): number {
  const path = refuseLinks(folder, name);
  const { O_APPEND, O_CREAT, O_WRONLY } = constants;
  return checkRegular(openSync(path, O_WRONLY | O_APPEND | O_CREAT | noLink | noWait, ownerOnly.file), path);
}

/** Creates a file of a folder. What had the name before is removed, not written through: it may be a link. */
export function createStored(folder: string, name: string): number {
  const path = refuseLinks(folder, name, { mayBeLink: true });
  const before = lstatSync(path, { throwIfNoEntry: false });
  if (before?.isDirectory()) throw Object.assign(new Error(`EISDIR: is a folder: ${path}`), { code: 'EISDIR' });
  if (before !== undefined && !before.isSymbolicLink()) refuseOthers(before, path);
  if (before !== undefined) rmSync(path);
  return openSync(path, 'wx', ownerOnly.file);
}

/** Makes a folder in a folder, unless it is there. */
export function makeStoredFolder(folder: string, name: string): void {
  const path = join(folder, name);
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  refuseLinks(folder, name);
  mkdirSync(path, ownerOnly.folder);
}

/** A text that is not complete yet. It has a random name, and takes its place at the end. */
export interface FileDraft {
  readonly file: number;
  /** Gives the draft its place. What was there is replaced. */
  keep(): void;
  drop(): void;
}

/** Begins a new text for a path. */
export function beginDraft(path: string, mode: number = ownerOnly.file): FileDraft {
  const draft = join(dirname(path), `.${randomUUID()}.tmp`);
  const file = openSync(draft, 'wx', mode);
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  return {
    file,
    keep() {
      close();
      renameSync(draft, path);
    },
    drop() {
      close();
      rmSync(draft, { force: true });
    },
  };
}

/** Writes a file. A reader finds the old text or the new one, never a part, even after a crash of the machine. */
export function replaceFile(path: string, text: string, mode: number = ownerOnly.file): void {
  const draft = beginDraft(path, mode);
  try {
    writeAll(draft.file, text);
    fsyncSync(draft.file);
    draft.keep();
  } catch (thrown) {
    draft.drop();
    throw thrown;
  }
}

/** Writes all of a text. A disk that is nearly full takes a part, and reports that only by the number of bytes written. */
export function writeAll(file: number, text: string): number {
  const bytes = Buffer.from(text);
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
  return bytes.length;
}

/** The error code for a link in a folder of results. */
const linked = 'ELINKED';

/** The path of a name within a folder, if no part of the name leaves the folder. */
function refuseLinks(folder: string, name: string, { mayBeLink = false } = {}): string {
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..' || /[\\\0]/.test(part)))
    throw Object.assign(new Error(`${linked}: not within the folder: ${name}`), { code: linked });
  let path = folder;
  for (const [index, part] of parts.entries()) {
    path = join(path, part);
    const isAllowed = mayBeLink && index === parts.length - 1;
    if (!isAllowed && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw Object.assign(new Error(`links in a folder of results are not followed: ${path}`), { code: linked });
  }
  return path;
}
