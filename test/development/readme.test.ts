import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fillIn, shownPages, timeless } from '../support/readme.ts';

test.each(shownPages)('%s shows what the commands print and the files hold (npm run readme mends it)', async (page) => {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
  expect(timeless(await fillIn(text))).toBe(timeless(text));
});

test('the README has exactly two lines that begin with npm', () => {
  const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  expect(text.split('\n').filter((line) => line.startsWith('npm '))).toEqual([
    'npm ci && npm start',
    'npm ci && npm test',
  ]);
});
