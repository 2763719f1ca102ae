import { expect, test } from 'vitest';
import { suggestPath } from '../../src/evaluate/suggest-path.ts';
import type { Value } from '../../src/model/value.ts';

// The path that the author of an indicator probably meant.

function nested(levels: number, inner: Value): Value {
  return levels === 0 ? inner : { [`l${levels}`]: nested(levels - 1, inner) };
}
const wide = (count: number, last: Value): Value => ({
  ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at])),
  last,
});

test.each<[title: string, target: string, messages: readonly Value[], expected: string | undefined]>([
  ['a key that is misspelt', 'argument.body', [{ arguments: { body: 'x' } }], 'arguments.body'],
  ['a key that is misspelt at the end', 'arguments.bodi', [{ arguments: { body: 'x' } }], 'arguments.body'],
  ['two keys that are misspelt', 'argument.bodi', [{ arguments: { body: 'x' } }], 'arguments.body'],
  ['a list that is not gone through', 'items.text', [{ items: [{ text: 'a' }] }], 'items[*].text'],
  ['a list that is misspelt', 'item[*].text', [{ items: [{ text: 'a' }] }], 'items[*].text'],
  ['a list at the end', 'item', [{ items: ['a'] }], 'items'],
  ['a list at the end that is gone through', 'item[*]', [{ items: ['a'] }], 'items[*]'],
  ['no list, which is gone through', 'item[*].text', [{ items: { text: 'a' } }], 'items.text'],
  ['a key as it is written, beside another case', 'a.bodi', [{ A: { x: 1 }, a: { body: 1 } }], 'a.body'],
  ['a key behind the first of a list', 'item.tex', [{ items: [{ text: 'a' }, 'x'] }], 'items[*].text'],
  ['an empty list', 'item.text', [{ items: [] }], undefined],
  ['a key that stands elsewhere', 'body', [{ arguments: { body: 'x' } }], 'arguments.body'],
  ['a key that stands at the root', 'arguments.body', [{ body: 'x' }], 'body'],
  ['a key that stands in a list', 'text', [{ items: [{ text: 'a' }] }], 'items[*].text'],
  ['a key that stands in a list of lists', 'text', [{ items: [[{ text: 'a' }]] }], undefined],
  ['a list that stands elsewhere', 'tags[*]', [{ a: { tags: ['x'] } }], 'a.tags[*]'],
  ['the nearest to the root', 'body', [{ a: { b: { body: 1 } }, c: { body: 2 } }], 'c.body'],
  ['nothing like it', 'x.y', [{ arguments: {} }], undefined],
  ['nothing in no map', 'x', ['text', null, 7], undefined],
  ['nothing in a list', 'text', [[{ text: 'a' }]], undefined],
  ['nothing at all', 'x', [], undefined],
  ['in the second message', 'argument', [{}, { arguments: 1 }], 'arguments'],
  ['in the first of two messages', 'argument', [{ arguments: 1 }, { arguments2: 1 }], 'arguments'],
  ['not the path itself', 'a.b', [{ a: { b: 1 } }], undefined],
  ['not a key that no path can name', 'a.bc', [{ a: { 'b.c': 1 } }], undefined],
  ['at the depth that is searched', 'deep', [nested(8, { deep: 1 })], 'l8.l7.l6.l5.l4.l3.l2.l1.deep'],
  ['below the depth that is searched', 'deep', [nested(9, { deep: 1 })], undefined],
  [
    'at the depth that is searched, in a list',
    'deep',
    [nested(7, [{ deep: 1 }])],
    'l7.l6.l5.l4.l3.l2.l1[*].deep',
  ],
  ['below the depth that is searched, in a list', 'deep', [nested(8, [{ deep: 1 }])], undefined],
  [
    'at the depth that is searched, behind a list',
    'deep',
    [nested(6, [{ a: { deep: 1 } }])],
    'l6.l5.l4.l3.l2.l1[*].a.deep',
  ],
  ['below the depth that is searched, behind a list', 'deep', [nested(7, [{ a: { deep: 1 } }])], undefined],
  ['among as many as are searched', 'deep', [wide(1_998, { deep: 1 })], 'last.deep'],
  ['among more than are searched', 'deep', [wide(1_999, { deep: 1 })], undefined],
])('%s', (_, target, messages, expected) => {
  expect(suggestPath(target, messages)).toBe(expected);
});
