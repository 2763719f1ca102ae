import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  appendStored,
  beginDraft,
  createStored,
  isStored,
  makeStoredFolder,
  openStored,
  readStored,
  replaceFile,
  writeAll,
} from '../../src/files/stored-file.ts';
import { freshFolder } from '../support/fresh-folder.ts';

// A folder of results may come from elsewhere: nothing in it may lead us out of it, or keep us waiting.

let root: string;
let folder: string;
const outside = (): string => join(root, 'outside');
beforeEach(() => {
  root = freshFolder([
    ['outside', 'private'],
    ['elsewhere/a', 'private'],
    ['results/plain', 'plain'],
    ['results/sub/plain', 'plain'],
  ]);
  folder = join(root, 'results');
  symlinkSync(outside(), join(folder, 'link'));
  symlinkSync(join(folder, 'plain'), join(folder, 'inner-link'));
  symlinkSync(join(root, 'nothing'), join(folder, 'dangling'));
  symlinkSync('loop', join(folder, 'loop'));
  symlinkSync(join(root, 'elsewhere'), join(folder, 'linked-folder'));
  symlinkSync('/dev/zero', join(folder, 'endless'));
  mkdirSync(join(folder, 'folder'));
  spawnSync('mkfifo', [join(folder, 'pipe')]);
});

const hostile: readonly (readonly [what: string, name: string])[] = [
  ['a link that leads out', 'link'],
  ['a link to a file of the folder', 'inner-link'],
  ['a link to nothing', 'dangling'],
  ['a link to itself', 'loop'],
  ['a link to a device', 'endless'],
  ['a file in a linked folder', 'linked-folder/a'],
  ['a new file in a linked folder', 'linked-folder/new'],
  ['a pipe', 'pipe'],
  ['the folder above', '../outside'],
  ['a way up and down', 'sub/../../outside'],
  ['an absolute name', '/etc/hostname'],
  ['a name with a backslash', 'sub\\..\\plain'],
  ['an empty name', ''],
];

describe('a folder of results', () => {
  test.each(hostile)('is not read from by %s', (_what, name) => {
    expect(() => readStored(folder, name)).toThrow(/^ELINKED|links in a folder|ENOTREGULAR|ENOENT/);
  });

  test.each(hostile)('is not appended to by %s', (_what, name) => {
    expect(() => closeSync(appendStored(folder, name))).toThrow();
    expect(readFileSync(outside(), 'utf8')).toBe('private');
    expect(readdirSync(root).sort()).toEqual(['elsewhere', 'outside', 'results']);
    expect(readdirSync(join(root, 'elsewhere'))).toEqual(['a']);
  });

  test.each(['link', 'inner-link', 'dangling', 'loop', 'endless', 'plain', 'sub/plain', 'new'])(
    'gets a new file where %s was, and nothing is written through it',
    (name) => {
      const file = createStored(folder, name);
      writeAll(file, 'new');
      closeSync(file);
      expect(lstatSync(join(folder, name)).isFile()).toBe(true);
      expect(readStored(folder, name)).toBe('new');
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      expect(readFileSync(outside(), 'utf8')).toBe('private');
      expect(existsSync(join(root, 'nothing'))).toBe(false);
    },
  );

  test.each(['pipe', 'folder', 'linked-folder/a', '../outside', ''])('gets no new file as "%s"', (name) => {
    expect(() => closeSync(createStored(folder, name))).toThrow();
    expect(readFileSync(join(root, 'elsewhere', 'a'), 'utf8')).toBe('private');
  });

  test('keeps the file elsewhere that a hard link names when it gets a new file of that name', () => {
    linkSync(outside(), join(folder, 'hard'));
    closeSync(createStored(folder, 'hard'));
    replaceFile(join(folder, 'hard'), 'new');
    expect(readFileSync(outside(), 'utf8')).toBe('private');
  });

  test.each(['link', 'linked-folder', 'dangling', 'plain', '../new'])('gets no folder as %s', (name) => {
    expect(() => makeStoredFolder(folder, name)).toThrow();
  });

  test('keeps the folder that it has', () => {
    makeStoredFolder(folder, 'sub');
    expect(readdirSync(join(folder, 'sub'))).toEqual(['plain']);
  });

  test.each([
    ['link', true],
    ['dangling', true],
    ['pipe', true],
    ['nothing', false],
  ] as const)('has something of the name %s: %s', (name, expected) => {
    expect(isStored(folder, name)).toBe(expected);
  });

  test('is read from below a path that has links, because that path is the user’s', () => {
    symlinkSync(folder, join(root, 'mine'));
    expect(readStored(join(root, 'mine'), 'sub/plain')).toBe('plain');
    closeSync(openStored(join(root, 'mine'), 'plain'));
  });
});

describe('a draft', () => {
  test('has a name that nobody can guess, for its owner only, until it is kept', () => {
    const draft = beginDraft(join(folder, 'page'));
    const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('.tmp'));
    expect(name).toMatch(/^\.[0-9a-f-]{36}\.tmp$/);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    writeAll(draft.file, 'text');
    draft.keep();
    expect(readFileSync(join(folder, 'page'), 'utf8')).toBe('text');
    expect(existsSync(join(folder, name))).toBe(false);
  });

  test('replaces a link instead of the file that it leads to', () => {
    replaceFile(join(folder, 'link'), 'text');
    expect(readFileSync(outside(), 'utf8')).toBe('private');
    expect(readFileSync(join(folder, 'link'), 'utf8')).toBe('text');
  });

  test('leaves nothing when it is dropped', () => {
    const before = readdirSync(folder);
    beginDraft(join(folder, 'page')).drop();
    expect(readdirSync(folder)).toEqual(before);
  });
});

test('a file that is longer than the limit is not read into memory', () => {
  writeFileSync(join(folder, 'long'), 'x'.repeat(100));
  expect(() => readStored(folder, 'long', 99)).toThrow(/EFBIG/);
});
