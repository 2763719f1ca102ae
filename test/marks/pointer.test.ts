import { describe, expect, test } from 'vitest';
import { formatPointer, isWithin, parsePointer, valueAt } from '../../src/marks/pointer.ts';

describe('parsePointer', () => {
  test.each([
    ['the whole', '', []],
    ['a key', '/state', ['state']],
    ['an empty key', '/', ['']],
    ['two empty keys', '//', ['', '']],
    ['a slash in a key', '/a~1b', ['a/b']],
    ['a tilde in a key', '/a~0b', ['a~b']],
    ['~01, which is ~1 and no slash', '/~01', ['~1']],
    ['~10, a slash and a nought', '/~10', ['/0']],
    ['a key with blanks and dots', '/a b.c', ['a b.c']],
  ])('reads %s', (_, pointer, keys) => {
    expect(parsePointer(pointer)).toEqual(keys);
    expect(formatPointer(keys)).toBe(pointer);
  });

  test.each([
    ['no slash', 'state'],
    ['a dot-path', 'state.tools[0]'],
    ['a fragment', '#/state'],
    ['a lone tilde', '/a~'],
    ['an unknown escape', '/a~2'],
  ])('refuses %s', (_, pointer) => {
    expect(parsePointer(pointer)).toBeUndefined();
  });
});

describe('valueAt', () => {
  const value = JSON.parse(
    '{"list":[1,null,{"a/b":{"~":true}}],"text":"abc","__proto__":{"own":1},"":{"":2}}',
  );
  test.each([
    ['the whole', '', value],
    ['an item', '/list/0', 1],
    ['null, which is a value', '/list/1', null],
    ['escaped keys', '/list/2/a~1b/~0', true],
    ['empty keys', '//', 2],
    ['an own key that is called like the prototype', '/__proto__/own', 1],
  ])('finds %s', (_, pointer, expected) => {
    expect(valueAt(value, parsePointer(pointer) ?? [])).toEqual(expected);
  });

  test.each([
    ['behind the end', '/list/3'],
    ['at -', '/list/-'],
    ['at -1', '/list/-1'],
    ['at an index with a leading nought', '/list/00'],
    ['at an index in another notation', '/list/0x0'],
    ['at 1e0', '/list/1e0'],
    ['at the length of a list', '/list/length'],
    ['in a text', '/text/0'],
    ['at the length of a text', '/text/length'],
    ['in null', '/list/1/a'],
    ['at what every object inherits', '/constructor'],
    ['at what every object inherits, deeper', '/list/2/toString/name'],
    ['at the prototype of a list', '/list/__proto__'],
  ])('finds nothing %s', (_, pointer) => {
    expect(valueAt(value, parsePointer(pointer) ?? [])).toBeUndefined();
  });
});

describe('isWithin', () => {
  test.each([
    ['/a/b', '/a', true],
    ['/a', '/a', true],
    ['/ab', '/a', false],
    ['/a', '/a/b', false],
    ['/a~1b', '/a', false],
    ['/a', '', true],
  ])('%s in %s: %s', (inner, outer, expected) => {
    expect(isWithin(inner, outer)).toBe(expected);
  });
});
