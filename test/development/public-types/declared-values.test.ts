import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { findMissingValues } from './declared-values.ts';

// The entries of the package, as they were built.

const root = new URL('../../../', import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  exports: Record<string, string | { readonly types: string; readonly default: string }>;
};
const entries = Object.entries(exports).flatMap(([name, entry]) =>
  typeof entry === 'string' ? [] : [{ name, ...entry }],
);
const pathOf = (path: string): string => fileURLToPath(new URL(path, root));

test('findMissingValues finds each kind of value that a declaration has and its module lacks', () => {
  const declaration = fileURLToPath(new URL('some-declaration.d.ts', import.meta.url));
  const module = {
    words: ['a'],
    shape: { kept: 1 },
    nested: { inner: { word: 'y' } },
    called: {},
    Made: class {},
    more: 1,
  };
  expect(findMissingValues(new Map([[declaration, module]]))).toEqual([
    'missing is declared and is not there',
    'words has 1 items, not 2',
    'shape has no lost',
    'nested.inner.word is y, not x',
    'called is not a function',
    'Made has no method',
    'more is there and is not declared',
  ]);
});

test('each entry of the package has exactly the values that its declaration says', async () => {
  expect(entries.map(({ name }) => name)).toContain('./testing/jest');
  const modules = entries.map(async (entry) => [pathOf(entry.types), await import(pathOf(entry.default))] as const);
  expect(findMissingValues(new Map(await Promise.all(modules)))).toEqual([]);
}, 60_000);
