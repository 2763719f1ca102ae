import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockFolder } from '../../../src/suite/store/folder-lock.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oatf-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const lock = (): string => join(folder, 'lock.json');
/** A process that has ended. */
const deadPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;

test('lockFolder lets one process have a folder at a time, and leaves no file when released', () => {
  const first = lockFolder(folder);
  expect(first.ok).toBe(true);
  expect(lockFolder(folder)).toMatchObject({ ok: false, owner: { pid: process.pid, host: hostname() } });
  if (first.ok) first.release();
  expect(readdirSync(folder)).toEqual([]);
});

describe('lockFolder takes over a lock', () => {
  test.each<[string, () => string]>([
    ['of a dead process', () => JSON.stringify({ pid: deadPid(), host: hostname(), nonce: 'n' })],
    [
      'of a process whose id now belongs to another',
      () => JSON.stringify({ pid: process.pid, host: hostname(), began: '1', nonce: 'n' }),
    ],
    ['that a full disk left empty', () => ''],
    ['that is not valid', () => '[]'],
  ])('%s', (_, text) => {
    writeFileSync(lock(), text());
    utimesSync(lock(), 0, 0);
    expect(lockFolder(folder).ok).toBe(true);
    expect(JSON.parse(readFileSync(lock(), 'utf8'))).toMatchObject({ pid: process.pid });
  });

  test('although another process died while taking it over', () => {
    writeFileSync(lock(), '');
    utimesSync(lock(), 0, 0);
    writeFileSync(`${lock()}.claim`, '');
    utimesSync(`${lock()}.claim`, 0, 0);
    expect(lockFolder(folder).ok).toBe(true);
    expect(existsSync(`${lock()}.claim`)).toBe(false);
  });
});

test('lockFolder does not take over the lock of a living process without a start time', () => {
  writeFileSync(lock(), JSON.stringify({ pid: process.pid, host: hostname(), nonce: 'n' }));
  expect(lockFolder(folder)).toMatchObject({ ok: false, owner: { nonce: 'n' } });
});

const unowned = [
  { pid: '1', host: 'h', nonce: 'n' },
  { pid: 1, nonce: 'n' },
  { pid: 1, host: 'h' },
].map((lock) => JSON.stringify(lock));
test.each(['', '{"pid": 4', '[]', ...unowned])(
  'lockFolder does not take over a fresh lock that names no owner: %s',
  (text) => {
    writeFileSync(lock(), text);
    expect(lockFolder(folder)).toEqual({ ok: false, owner: undefined, file: lock() });
    expect(readFileSync(lock(), 'utf8')).toBe(text);
  },
);

test('lockFolder does not take over a lock of another machine', () => {
  writeFileSync(lock(), JSON.stringify({ pid: 1, host: 'another.example', nonce: 'n' }));
  expect(lockFolder(folder)).toMatchObject({ ok: false, owner: { host: 'another.example' } });
});

describe('lockFolder ends soon, and touches nothing outside the folder,', () => {
  test.each<[string, () => void]>([
    ['if lock.json is a link to nothing', () => symlinkSync(join(folder, 'nothing'), lock())],
    ['if lock.json is a link to itself', () => symlinkSync('lock.json', lock())],
    ['if lock.json is a folder', () => mkdirSync(lock())],
    ['if lock.json is a pipe', () => void spawnSync('mkfifo', [lock()])],
    [
      'if the claim of a dead lock is a link to nothing',
      () => {
        writeFileSync(lock(), '');
        utimesSync(lock(), 0, 0);
        symlinkSync(join(folder, 'nothing'), `${lock()}.claim`);
      },
    ],
  ])('%s', (_what, arrange) => {
    arrange();
    const began = performance.now();
    let isLocked = false;
    try {
      isLocked = lockFolder(folder).ok;
    } catch {
      // The caller reports the error of the system.
    }
    expect(isLocked).toBe(false);
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(existsSync(join(folder, 'nothing'))).toBe(false);
  });
});
