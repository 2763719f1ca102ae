import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from '../../../src/suite/play/make-folder.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'oatf-folder-'));
});
afterEach(() => rmSync(base, { recursive: true }));

test('makeFolder makes a folder and its parents for their owner only', () => {
  const folder = join(base, 'a', 'b', 'c');
  makeFolder(folder, 0o700);
  expect(['a', 'a/b', 'a/b/c'].map((path) => statSync(join(base, path)).mode & 0o777)).toEqual([0o700, 0o700, 0o700]);
  makeFolder(folder, 0o700);
  expect(statSync(folder).isDirectory()).toBe(true);
});

test('makeFolder follows links to folders', () => {
  mkdirSync(join(base, 'real'));
  symlinkSync(join(base, 'real'), join(base, 'link'));
  makeFolder(join(base, 'link'));
  makeFolder(join(base, 'link', 'x'));
  expect(existsSync(join(base, 'real', 'x'))).toBe(true);
});

test.each([
  ['is a file', 'file', 'EEXIST'],
  ['lies below a file', 'file/a/b', 'ENOTDIR'],
  ['is a link to nothing', 'dangling', 'EEXIST'],
])('makeFolder throws if the path %s', (_, path, code) => {
  writeFileSync(join(base, 'file'), '');
  symlinkSync(join(base, 'nothing'), join(base, 'dangling'));
  expect(() => makeFolder(join(base, path))).toThrow(expect.objectContaining({ code }));
});

test.runIf(existsSync('/proc/self'))('makeFolder throws where the system allows no folders', () => {
  expect(() => makeFolder('/proc/nope/deeper')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});
