import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, stringifyJson } from '../../../src/format/model/json-text-values.ts';
import { isValueMap } from '../../../src/format/model/value.ts';
import {
  compareNumbers,
  parseWrittenNumber,
  toExactInteger,
  WrittenNumber,
} from '../../../src/format/model/written-number.ts';

const numerals = [
  ...['9007199254740993', '12345678901234567890', '-9223372036854775809', '1e400', '-1E-400', '1e3', '1E+2'],
  ...['-0', '-0.0', '0.0', '1.0', '0.10', '100.50', '0.30000000000000004', '1.7976931348623157e308'],
  ...['0', '-1', '1.5', '123456789012345', '1234567890123456'],
];

describe('stringifyJson after parseJson', () => {
  test.each(numerals)('writes the number %s as it was read', (numeral) => {
    for (const text of [numeral, `[${numeral}]`, `{"a":[true,${numeral}],"b":"${numeral}"}`])
      expect(stringifyJson(parseJson(text))).toBe(text);
  });

  test('keeps the spelling of a number when it indents, too', () => {
    expect(stringifyJson(parseJson('{"a":[1.0]}'), 2)).toBe('{\n  "a": [\n    1.0\n  ]\n}');
  });

  test('keeps texts that look like the mark it puts in place of a number', () => {
    const text = '{"a":"number:1.0","b":1.0,"number0:":"number:"}';
    expect(stringifyJson(parseJson(text))).toBe(text);
  });

  test('drops white space between tokens', () => {
    expect(stringifyJson(parseJson(' { "a" : 1.0 , "b" :\n[ -0 ] } '))).toBe('{"a":1.0,"b":[-0]}');
  });
});

test('parseJson makes a WrittenNumber only of a number that JavaScript would spell differently', () => {
  expect(parseJson('[1,2.5,-3,1e21,"1.0"]')).toEqual([1, 2.5, -3, expect.any(WrittenNumber), '1.0']);
  expect(isValueMap(parseJson('1.0'))).toBe(false);
});

describe('the order of keys after parseJson and stringifyJson', () => {
  test.each([
    '{"10":1,"2":2}',
    '{"b":1,"1":2}',
    '{"1":1,"2":2,"a":3}',
    '{"a":{"9":1,"8":{"3":0,"1":0}},"0":[{"5":1,"4":2}]}',
    '{"__proto__":1,"7":{"__proto__":null}}',
  ])('stays the same for %s', (text) => {
    expect(stringifyJson(parseJson(text))).toBe(text);
  });

  test('takes the first position and the last value of a repeated key, as JSON.parse does', () => {
    expect(stringifyJson(parseJson('{"b":1,"a":1.0,"b":2}'))).toBe('{"b":2,"a":1.0}');
  });
});

test('parseJson reads any JSON as JSON.parse does, and stringifyJson writes it back unchanged', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(...numerals), (json, numeral) => {
      const text = `[${JSON.stringify(JSON.parse(json))},${numeral}]`;
      const value = parseJson(text);
      expect(JSON.parse(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(JSON.parse(text))));
      const again = stringifyJson(parseJson(stringifyJson(value)));
      expect(again).toBe(stringifyJson(value));
    }),
  );
});

test('parseJson reads a message nested 5,000 levels deep', () => {
  const deep = 5_000;
  const text = `${'['.repeat(deep)}1.0${']'.repeat(deep)}`;
  let value = parseJson(text);
  for (let level = 0; level < deep; level++) value = (value as readonly never[])[0] as never;
  expect(String(value)).toBe('1.0');
});

describe('compareNumbers and toExactInteger', () => {
  test.each([
    ['9007199254740993', '9007199254740992', 1],
    ['9007199254740993', '9007199254740993.0', 0],
    ['1.0', '1', 0],
    ['-0.0', '0', 0],
    ['1e400', '10e399', 0],
    ['1e400', '1e401', -1],
    ['-1e400', '1e-400', -1],
    ['-1e400', '-1e399', -1],
    ['0.0', '1e-400', -1],
    ['0.1', '0.10', 0],
    ['12345678901234567890', '12345678901234567891', -1],
  ])('compares %s and %s by mathematical value', (left, right, sign) => {
    expect(Math.sign(compareNumbers(parseWrittenNumber(left), parseWrittenNumber(right)))).toBe(sign);
    expect(Math.sign(compareNumbers(parseWrittenNumber(right), parseWrittenNumber(left)))).toBe(-sign + 0);
  });

  test('gives an exact integer, or none if it is fractional or too long', () => {
    expect(toExactInteger(new WrittenNumber('12345678901234567890.0'), 20)).toBe(12345678901234567890n);
    expect(toExactInteger(new WrittenNumber('1e999999999'), 20)).toBeUndefined();
    expect(toExactInteger(new WrittenNumber('1.50'), 20)).toBeUndefined();
    expect(toExactInteger(new WrittenNumber('-0.0'), 20)).toBe(0n);
  });
});
