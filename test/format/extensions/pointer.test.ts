import { describe, expect, test } from 'vitest';
import { findAt, formatPointer, isWithin, parsePointer } from '../../../src/format/model/pointer.ts';

describe('parsePointer', () => {
  test.each([
    ['the whole value', '', []],
    ['a key', '/state', ['state']],
    ['an empty key', '/', ['']],
    ['two empty keys', '//', ['', '']],
    ['a slash in a key', '/a~1b', ['a/b']],
    ['a tilde in a key', '/a~0b', ['a~b']],
    ['~01 as the text ~1, not as a slash', '/~01', ['~1']],
    ['~10 as a slash and a 0', '/~10', ['/0']],
    ['a key with spaces and dots', '/a b.c', ['a b.c']],
  ])('reads %s, and formatPointer writes it back', (_, pointer, keys) => {
    expect(parsePointer(pointer)).toEqual(keys);
    expect(formatPointer(keys)).toBe(pointer);
  });

  test.each([
    ['a pointer that starts without a slash', 'state'],
    ['a dot-path', 'state.tools[0]'],
    ['a URI fragment', '#/state'],
    ['a lone tilde at the end', '/a~'],
    ['an unknown escape', '/a~2'],
  ])('refuses %s', (_, pointer) => {
    expect(parsePointer(pointer)).toBeUndefined();
  });
});

describe('findAt', () => {
  const value = JSON.parse('{"list":[1,null,{"a/b":{"~":true}}],"text":"abc","__proto__":{"own":1},"":{"":2}}');
  test.each([
    ['the whole value', '', value],
    ['an item of a list', '/list/0', 1],
    ['null as a value', '/list/1', null],
    ['escaped keys', '/list/2/a~1b/~0', true],
    ['empty keys', '//', 2],
    ['an own key that is called __proto__', '/__proto__/own', 1],
  ])('finds %s', (_, pointer, expected) => {
    expect(findAt(value, parsePointer(pointer) ?? [])).toEqual(expected);
  });

  test.each([
    ['behind the end of a list', '/list/3'],
    ['at the index -', '/list/-'],
    ['at the index -1', '/list/-1'],
    ['at an index with a leading zero', '/list/00'],
    ['at a hexadecimal index', '/list/0x0'],
    ['at the index 1e0', '/list/1e0'],
    ['at the length of a list', '/list/length'],
    ['in a text', '/text/0'],
    ['at the length of a text', '/text/length'],
    ['in null', '/list/1/a'],
    ['at a property that every object inherits', '/constructor'],
    ['below a property that every object inherits', '/list/2/toString/name'],
    ['at the prototype of a list', '/list/__proto__'],
  ])('finds nothing %s', (_, pointer) => {
    expect(findAt(value, parsePointer(pointer) ?? [])).toBeUndefined();
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
  ])('says whether %s is within %s: %s', (inner, outer, expected) => {
    expect(isWithin(inner, outer)).toBe(expected);
  });
});
