import { expect, test } from 'vitest';
import type { Path } from '../../../src/format/model/path.ts';
import { removeEchoes } from '../../../src/judgement/evaluate/message-view.ts';

const value = { a: [1, { b: 'x', c: 2 }], d: null };

test.each<[string, Path[], unknown]>([
  ['the value as it is if there are no paths', [], value],
  ['null if a path leads to the whole', [[]], null],
  ['null in place of a key', [['a']], { a: null, d: null }],
  ['null in place of an item, whose index stays', [['a', 0]], { a: [null, { b: 'x', c: 2 }], d: null }],
  [
    'null in place of several keys and items',
    [
      ['a', 1, 'b'],
      ['a', 0],
    ],
    { a: [null, { b: null, c: 2 }], d: null },
  ],
  ['the value as it is if a path leads into a text', [['a', 1, 'b', 'c']], value],
  ['the value as it is if paths lead to what is not there', [['e'], ['a', 7]], value],
])('removeEchoes with a filling gives %s', (_, paths, expected) => {
  const echoes = paths.map((path) => ({ path }));
  expect(removeEchoes(value, echoes, null)).toEqual(expected);
});

test('removeEchoes with a filling keeps what is left of a text', () => {
  expect(removeEchoes(value, [{ path: ['a', 1, 'b'], rest: 'left' }], null)).toEqual({
    a: [1, { b: 'left', c: 2 }],
    d: null,
  });
});
