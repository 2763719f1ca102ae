import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';

test('no two decisions have the same number', () => {
  const names = readdirSync(new URL('../../docs/decisions/', import.meta.url));
  const numbers = names.map((name) => name.slice(0, 3));
  expect(numbers.length).toBeGreaterThan(20);
  expect(names.filter((_, index) => numbers.indexOf(numbers[index] ?? '') !== index)).toEqual([]);
});
