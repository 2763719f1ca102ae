import { randomUUID } from 'node:crypto';
import { linkSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ownerOnly, readStored } from '../../files/stored-file.ts';
import { isValueMap, type Value } from '../../format/model/value.ts';

/** The process that writes to a folder of results. */
export interface LockOwner {
  readonly pid: number;
  readonly host: string;
  /** When its process began, if known: process ids are reused. */
  readonly began?: string;
  readonly nonce: string;
}

export type LockResult =
  | { readonly ok: true; release(): void }
  | { readonly ok: false; readonly owner: LockOwner | undefined; readonly file: string };

const name = 'lock.json';
const longestLock = 64 * 1024;
/** Writing or taking over a lock lasts moments; an older unfinished file is from a process that died. */
const momentsMs = 10_000;

const betweenLooksMs = 10;
/** Signals are not handled meanwhile, so it does not look for long. */
const mostLooks = 100;
/** Used only to sleep: nothing ever wakes a waiter on it. */
const bed = new Int32Array(new SharedArrayBuffer(4));

/** Makes this process the only one that writes to a folder. The lock of a dead process is taken over. */
export function lockFolder(folder: string): LockResult {
  const file = join(folder, name);
  const own: LockOwner = {
    pid: process.pid,
    host: hostname(),
    ...readProcessStart(process.pid),
    nonce: randomUUID(),
  };
  const text = `${JSON.stringify(own)}\n`;
  const release = (): void => {
    if (readLockText(file) === text) rmSync(file, { force: true });
  };
  for (let looks = 0; looks < mostLooks; looks += 1) {
    if (createLock(file, text)) return { ok: true, release };
    const found = readLockText(file);
    if (found === undefined) continue;
    if (found === text) return { ok: true, release };
    const owner = parseOwner(found);
    // A lock without an owner may be half written by a living process.
    if (owner === undefined ? isYoung(file) : isAlive(owner)) return { ok: false, owner, file };
    if (takeOverLock(file, found, text)) return { ok: true, release };
    // Another process is about to take the lock over; that lasts moments.
    Atomics.wait(bed, 0, 0, betweenLooksMs);
  }
  return { ok: false, owner: undefined, file };
}

/**
 * Creates a file, and returns whether it is new. The file appears whole or not at all: it is written under another
 * name, then linked.
 */
function createLock(file: string, text: string): boolean {
  const whole = `${file}.${randomUUID()}`;
  try {
    writeFileSync(whole, text, { flag: 'wx', mode: ownerOnly.file });
    return isNew(() => linkSync(whole, file));
  } catch (thrown) {
    if (!withoutLinks.has((thrown as NodeJS.ErrnoException).code ?? '')) throw thrown;
    return isNew(() => writeFileSync(file, text, { flag: 'wx', mode: ownerOnly.file }));
  } finally {
    rmSync(whole, { force: true });
  }
}

/** Error codes of file systems without hard links. */
const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

function isNew(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw thrown;
    return false;
  }
}

/** A file that has disappeared meanwhile counts as young, too. */
function isYoung(file: string): boolean {
  const { mtimeMs = Date.now() } = lstatSync(file, { throwIfNoEntry: false }) ?? {};
  return Math.abs(Date.now() - mtimeMs) <= momentsMs;
}

/** Of the processes that find the same dead lock, only the one that creates the claim may replace it. */
function takeOverLock(file: string, dead: string, text: string): boolean {
  const claim = `${file}.claim`;
  if (!createLock(claim, text)) {
    if (!isYoung(claim)) rmSync(claim, { force: true });
    return false;
  }
  // Another process may have taken the lock over before we had the claim.
  if (readLockText(file) !== dead) {
    rmSync(claim, { force: true });
    return false;
  }
  try {
    renameSync(claim, file);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
  }
  // A process that found the claim old may have replaced the lock.
  return readLockText(file) === text;
}

function readLockText(file: string): string | undefined {
  try {
    return readStored(dirname(file), basename(file), longestLock);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
    return undefined;
  }
}

/** Undefined when the disk was full, or the process was killed, while the lock was written. */
function parseOwner(text: string): LockOwner | undefined {
  let value: Value;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isValueMap(value)) return undefined;
  const { pid, host, began, nonce } = value;
  if (typeof pid !== 'number' || typeof host !== 'string' || typeof nonce !== 'string') return undefined;
  return { pid, host, nonce, ...(typeof began === 'string' && { began }) };
}

/** A process on another machine that shares the folder cannot be checked, so it counts as alive. */
function isAlive(owner: LockOwner): boolean {
  if (owner.host !== hostname()) return true;
  try {
    process.kill(owner.pid, 0);
  } catch (thrown) {
    // A process that we may not signal exists.
    if ((thrown as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = readProcessStart(owner.pid);
  return owner.began === undefined || now.began === undefined || now.began === owner.began;
}

/** On Linux: the ticks from the start of the machine to the start of the process. */
function readProcessStart(pid: number): { readonly began?: string } {
  try {
    // The name of the process may contain spaces and parentheses.
    const [, behind = ''] = /^.*\)([^)]*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const ticks = behind.trim().split(' ')[19];
    return ticks === undefined ? {} : { began: ticks };
  } catch {
    return {};
  }
}
