import { expect, test } from 'vitest';
import type { Value } from '../../../src/format/model/value.ts';
import { suggestPath } from '../../../src/judgement/evaluate/suggest-path.ts';

// The path that the author of an indicator probably meant.

function nested(levels: number, inner: Value): Value {
  return levels === 0 ? inner : { [`l${levels}`]: nested(levels - 1, inner) };
}
const wide = (count: number, last: Value): Value => ({
  ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at])),
  last,
});

test.each<[title: string, target: string, messages: readonly Value[], expected: string | undefined]>([
  ['a misspelt first key', 'argument.body', [{ arguments: { body: 'x' } }], 'arguments.body'],
  ['a misspelt last key', 'arguments.bodi', [{ arguments: { body: 'x' } }], 'arguments.body'],
  ['two misspelt keys', 'argument.bodi', [{ arguments: { body: 'x' } }], 'arguments.body'],
  ['a list without [*]', 'items.text', [{ items: [{ text: 'a' }] }], 'items[*].text'],
  ['a misspelt list', 'item[*].text', [{ items: [{ text: 'a' }] }], 'items[*].text'],
  ['a misspelt list at the end', 'item', [{ items: ['a'] }], 'items'],
  ['a misspelt list with [*] at the end', 'item[*]', [{ items: ['a'] }], 'items[*]'],
  ['a map with [*]', 'item[*].text', [{ items: { text: 'a' } }], 'items.text'],
  ['a key beside one in another case', 'a.bodi', [{ A: { x: 1 }, a: { body: 1 } }], 'a.body'],
  ['a misspelt key in the first item of a list', 'item.tex', [{ items: [{ text: 'a' }, 'x'] }], 'items[*].text'],
  ['a key in an empty list', 'item.text', [{ items: [] }], undefined],
  ['a key that is deeper', 'body', [{ arguments: { body: 'x' } }], 'arguments.body'],
  ['a key that is at the root', 'arguments.body', [{ body: 'x' }], 'body'],
  ['a key that is in a list', 'text', [{ items: [{ text: 'a' }] }], 'items[*].text'],
  ['a key that is in a list of lists', 'text', [{ items: [[{ text: 'a' }]] }], undefined],
  ['a list that is deeper', 'tags[*]', [{ a: { tags: ['x'] } }], 'a.tags[*]'],
  [
    'a key at two places, of which one is nearer to the root',
    'body',
    [{ a: { b: { body: 1 } }, c: { body: 2 } }],
    'c.body',
  ],
  ['a path like no other', 'x.y', [{ arguments: {} }], undefined],
  ['messages that are not maps', 'x', ['text', null, 7], undefined],
  ['a message that is a list', 'text', [[{ text: 'a' }]], undefined],
  ['no messages', 'x', [], undefined],
  ['a misspelt key of the second message', 'argument', [{}, { arguments: 1 }], 'arguments'],
  ['a misspelt key with candidates in two messages', 'argument', [{ arguments: 1 }, { arguments2: 1 }], 'arguments'],
  ['a path that exists', 'a.b', [{ a: { b: 1 } }], undefined],
  ['a similar key that no path can name', 'a.bc', [{ a: { 'b.c': 1 } }], undefined],
  ['a key at the greatest depth that it searches', 'deep', [nested(8, { deep: 1 })], 'l8.l7.l6.l5.l4.l3.l2.l1.deep'],
  ['a key below the greatest depth that it searches', 'deep', [nested(9, { deep: 1 })], undefined],
  [
    'a key in a list at the greatest depth that it searches',
    'deep',
    [nested(7, [{ deep: 1 }])],
    'l7.l6.l5.l4.l3.l2.l1[*].deep',
  ],
  ['a key in a list below the greatest depth that it searches', 'deep', [nested(8, [{ deep: 1 }])], undefined],
  [
    'a key behind a list at the greatest depth that it searches',
    'deep',
    [nested(6, [{ a: { deep: 1 } }])],
    'l6.l5.l4.l3.l2.l1[*].a.deep',
  ],
  [
    'a key behind a list below the greatest depth that it searches',
    'deep',
    [nested(7, [{ a: { deep: 1 } }])],
    undefined,
  ],
  ['the last key that it searches', 'deep', [wide(1_998, { deep: 1 })], 'last.deep'],
  ['a key behind the last that it searches', 'deep', [wide(1_999, { deep: 1 })], undefined],
])('suggestPath suggests $3 for %s', (_, target, messages, expected) => {
  expect(suggestPath(target, messages)).toBe(expected);
});
