import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../cli/run-cli.ts';

// The layer table ensures that other rooms enter this room only by its doors. This test finds code elsewhere that
// writes asterisks over a secret.

const stars = /['"`\s]\*{4,}['"`\s]|'\*'\.repeat/;

test('only secrets/cover.ts writes stars in place of secrets', () => {
  const found = ['src', 'web'].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => stars.test(readFileSync(path, 'utf8')))
      .map((path) => relative(root, path)),
  );
  expect(found).toEqual(['src/secrets/cover.ts']);
});
