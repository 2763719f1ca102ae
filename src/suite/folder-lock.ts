import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { readRegular } from '../files/regular-file.ts';
import { isValueMap, type Value } from '../model/value.ts';
import { ownerOnly } from './trace-file.ts';

/** Who writes to a folder of results. */
export interface Owner {
  readonly pid: number;
  readonly host: string;
  /** When its process began, where the system tells: process ids are given out again. */
  readonly began?: string;
  readonly nonce: string;
}

export type Locked =
  | { readonly ok: true; release(): void }
  | { readonly ok: false; readonly owner: Owner | undefined; readonly file: string };

const name = 'lock.json';
const longestLock = 64 * 1024;
/** To write a lock, or to take one over, lasts moments; what is older was begun by somebody who died in it. */
const momentsMs = 10_000;

const betweenLooksMs = 10;
/** Nobody wakes who sleeps here. */
const bed = new Int32Array(new SharedArrayBuffer(4));

/** Makes this process the only one that writes to a folder. What a dead process has left is taken over. */
export function lockFolder(folder: string): Locked {
  const file = join(folder, name);
  const own: Owner = { pid: process.pid, host: hostname(), ...began(process.pid), nonce: randomUUID() };
  const text = `${JSON.stringify(own)}\n`;
  const release = (): void => {
    if (textOf(file) === text) rmSync(file, { force: true });
  };
  for (;;) {
    if (create(file, text)) return { ok: true, release };
    const found = textOf(file);
    if (found === undefined) continue;
    if (found === text) return { ok: true, release };
    const owner = ownerIn(found);
    // What names nobody may be half written by somebody who lives.
    if (owner === undefined ? isYoung(file) : isAlive(owner)) return { ok: false, owner, file };
    if (takeOver(file, found, text)) return { ok: true, release };
    // Somebody else is about to; that takes moments.
    Atomics.wait(bed, 0, 0, betweenLooksMs);
  }
}

/** Whether the file was not there. It is there whole or not at all: it is written elsewhere, and gets its name then. */
function create(file: string, text: string): boolean {
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

/** What file systems say that know one name for a file. */
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

/** What has gone meanwhile was young, too. */
function isYoung(file: string): boolean {
  const { mtimeMs = Date.now() } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return Math.abs(Date.now() - mtimeMs) <= momentsMs;
}

/** Of those that find the same dead lock, one may replace it: the one that makes the claim to it. */
function takeOver(file: string, dead: string, text: string): boolean {
  const claim = `${file}.claim`;
  if (!create(claim, text)) {
    if (!isYoung(claim)) rmSync(claim, { force: true });
    return false;
  }
  // Another may have taken it over before the claim was ours.
  if (textOf(file) !== dead) {
    rmSync(claim, { force: true });
    return false;
  }
  try {
    renameSync(claim, file);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
  }
  // Who found the claim old may have put another in its place.
  return textOf(file) === text;
}

function textOf(file: string): string | undefined {
  try {
    return readRegular(file, longestLock);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ENOENT') throw thrown;
    return undefined;
  }
}

/** Nothing where a disk was full, or the process killed, when it was written. */
function ownerIn(text: string): Owner | undefined {
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

/** Of another machine that shares the folder nobody knows; it is taken to live. */
function isAlive(owner: Owner): boolean {
  if (owner.host !== hostname()) return true;
  try {
    process.kill(owner.pid, 0);
  } catch (thrown) {
    // Who may not be asked is there.
    if ((thrown as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = began(owner.pid);
  return owner.began === undefined || now.began === undefined || now.began === owner.began;
}

/** On Linux, ticks from the start of the machine to that of the process. */
function began(pid: number): { readonly began?: string } {
  try {
    // What the process is called may hold spaces and parentheses.
    const [, behind = ''] = /^.*\)([^)]*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const ticks = behind.trim().split(' ')[19];
    return ticks === undefined ? {} : { began: ticks };
  } catch {
    return {};
  }
}
