import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const folder = new URL('../../docs/decisions/', import.meta.url);
const names = readdirSync(folder);

test('no two decisions have the same number', () => {
  const numbers = names.map((name) => name.slice(0, 3));
  expect(numbers.length).toBeGreaterThan(20);
  expect(names.filter((_, index) => numbers.indexOf(numbers[index] ?? '') !== index)).toEqual([]);
});

test.each(names)('%s begins with its number', (name) => {
  expect(readFileSync(new URL(name, folder), 'utf8').slice(0, 6)).toBe(`# ${name.slice(0, 3)} `);
});
