import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../cli/run-cli.ts';

// That the room is entered by its doors alone is in the layer table. What else could mask a secret stars it out.

const stars = /['"`\s]\*{4,}['"`\s]|'\*'\.repeat/;

test('nothing outside the room stars anything out', () => {
  const found = ['src', 'web'].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => stars.test(readFileSync(path, 'utf8')))
      .map((path) => relative(root, path)),
  );
  expect(found).toEqual(['src/secrets/cover.ts']);
});
