import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './fences.ts';

// Code and pages name pages by their paths; a page that moves must not leave such a name behind.

const folders = ['src', 'scripts', 'scenarios', 'examples', 'bench', 'web', 'docs'];
const files = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|mjs|js|yaml|md)$/.test(name) && !name.includes('node_modules'))
      .map((name) => `${folder}/${name}`),
  ),
];
const named = files.flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?<![\w/])docs\/[\w./-]+\.md\b/g)].map(([page]) => ({
    file,
    page,
  })),
);

test('every page that code or another page names as docs/….md exists', () => {
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter(({ page }) => !existsSync(join(root, page)))).toEqual([]);
});
