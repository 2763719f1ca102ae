import { execFile, spawnSync } from 'node:child_process';
import files, { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { lockFolder } from '../../../src/suite/store/folder-lock.ts';
import { bundle } from '../../support/bundle.ts';
import { freshFolder } from '../../support/fresh-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oatf-race-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  rmSync(folder, { recursive: true, force: true });
});

/** Replaces a function of `node:fs` in every module, also in those that an earlier test file has loaded. */
function replace<N extends 'linkSync' | 'renameSync'>(name: N, made: (typeof files)[N]): void {
  vi.spyOn(files, name).mockImplementation(made as never);
  syncBuiltinESMExports();
}

const lock = (): string => join(folder, 'lock.json');
const deadPid = (): number => spawnSync(process.execPath, ['-e', '']).pid;
const leaveDead = (): void =>
  writeFileSync(lock(), JSON.stringify({ pid: deadPid(), host: hostname(), nonce: 'dead' }));

test('only one of several racing processes has a folder at a time, even with dead locks', async () => {
  const source = fileURLToPath(new URL('./lock-peer.ts', import.meta.url));
  const peer = join(freshFolder([['peer.cjs', await bundle(source, 'node')]]), 'peer.cjs');
  const args = [peer, folder, '60', String(deadPid())];
  leaveDead();
  const peers = await Promise.all([1, 2, 3].map(() => promisify(execFile)(process.execPath, args)));
  expect(peers.map(({ stdout }) => stdout)).toEqual(['0', '0', '0']);
  // The last of them may have left a dead one; nothing else stays.
  expect(readdirSync(folder).filter((name) => name !== 'lock.json')).toEqual([]);
});

describe('lockFolder on a file system without hard links', () => {
  beforeEach(() => {
    replace('linkSync', () => {
      throw Object.assign(new Error('EPERM'), { code: 'EPERM' });
    });
  });

  test('locks a folder and releases it', () => {
    const first = lockFolder(folder);
    expect(first.ok).toBe(true);
    expect(lockFolder(folder)).toMatchObject({ ok: false, owner: { pid: process.pid } });
    if (first.ok) first.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test('takes over a dead lock', () => {
    leaveDead();
    expect(lockFolder(folder).ok).toBe(true);
    expect(readdirSync(folder)).toEqual(['lock.json']);
  });
});

test('lockFolder throws an error of linkSync other than EPERM, and leaves no file', () => {
  replace('linkSync', () => {
    throw Object.assign(new Error('EIO'), { code: 'EIO' });
  });
  expect(() => lockFolder(folder)).toThrow('EIO');
  expect(readdirSync(folder)).toEqual([]);
});

describe('lockFolder while it takes over a dead lock', () => {
  test('leaves the lock to another process that was faster', () => {
    leaveDead();
    const theirs = JSON.stringify({ pid: process.ppid, host: hostname(), nonce: 'theirs' });
    const link = files.linkSync;
    replace('linkSync', (from, to) => {
      link(from, to);
      // The claim is ours, and they are through already.
      if (String(to).endsWith('.claim')) writeFileSync(lock(), theirs);
    });
    expect(lockFolder(folder)).toMatchObject({ ok: false, owner: { nonce: 'theirs' } });
    expect(readFileSync(lock(), 'utf8')).toBe(theirs);
    expect(existsSync(`${lock()}.claim`)).toBe(false);
  });

  test('does not get the lock if another process took its claim for dead', () => {
    leaveDead();
    const theirs = JSON.stringify({ pid: process.ppid, host: hostname(), nonce: 'theirs' });
    const rename = files.renameSync;
    replace('renameSync', (from, to) => {
      // Another process has replaced our claim with its own, and the name now belongs to that claim.
      if (String(from).endsWith('.claim')) writeFileSync(from, theirs);
      rename(from, to);
    });
    expect(lockFolder(folder)).toMatchObject({ ok: false, owner: { nonce: 'theirs' } });
  });

  test('tries again if its claim was removed', () => {
    leaveDead();
    const rename = files.renameSync;
    let isFirst = true;
    replace('renameSync', (from, to) => {
      if (isFirst) rmSync(from);
      isFirst = false;
      rename(from, to);
    });
    expect(lockFolder(folder).ok).toBe(true);
    expect(JSON.parse(readFileSync(lock(), 'utf8'))).toMatchObject({ pid: process.pid });
  });

  test('removes a claim whose process died', () => {
    leaveDead();
    writeFileSync(`${lock()}.claim`, 'old');
    utimesSync(`${lock()}.claim`, 0, 0);
    expect(lockFolder(folder).ok).toBe(true);
    expect(readdirSync(folder)).toEqual(['lock.json']);
  });
});
