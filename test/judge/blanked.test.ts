import { expect, test } from 'vitest';
import { blanked } from '../../src/judge/blanked.ts';
import type { Path } from '../../src/model/path.ts';

const value = { a: [1, { b: 'x', c: 2 }], d: null };

test.each<[string, Path[], unknown]>([
  ['nowhere', [], value],
  ['to the whole', [[]], null],
  ['to a key', [['a']], { a: null, d: null }],
  ['to an item, which keeps its place', [['a', 0]], { a: [null, { b: 'x', c: 2 }], d: null }],
  [
    'to several',
    [
      ['a', 1, 'b'],
      ['a', 0],
    ],
    { a: [null, { b: null, c: 2 }], d: null },
  ],
  ['into a text', [['a', 1, 'b', 'c']], value],
  ['to what is not there', [['e'], ['a', 7]], value],
])('where paths lead %s', (_, paths, expected) => {
  expect(blanked(value, paths)).toEqual(expected);
});
