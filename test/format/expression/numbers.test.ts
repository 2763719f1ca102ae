import { describe, expect, test } from 'vitest';
import { compileCel } from '../../../src/format/expression/cel.ts';
import { compileJsonPath } from '../../../src/format/expression/json-path.ts';
import { parseJson, stringifyJson } from '../../../src/format/model/json-text-values.ts';
import type { ValueMap } from '../../../src/format/model/value.ts';
import { evaluateCondition, evaluateExtractor } from '../../../src/index.ts';

const message = parseJson(
  '{"id":9007199254740993,"large":12345678901234567890,"huge":1e400,"one":1.0,"zero":-0.0,"items":[{"p":1.0,"n":"a"},{"p":2.50,"n":"b"}]}',
) as ValueMap;

describe('compileCel, for numbers beyond double precision', () => {
  test.each([
    ['message.id == 9007199254740993', true],
    ['message.id == 9007199254740992', false],
    ['message.id + 1 == 9007199254740994', true],
    ['string(message.id) == "9007199254740993"', true],
    ['message.large == 12345678901234567890u', true],
    ['message.large > message.id', true],
    ['message.one == 1', true],
    ['message.one + 1 == 2', true],
    ['message.zero == 0', true],
    ['message.huge > 1e300', true],
  ])('evaluates %s to %s', (source, expected) => {
    const program = compileCel(source);
    if (typeof program !== 'function') throw new Error(program.failure);
    expect(program({ message })).toBe(expected);
  });

  test('returns the exact sum of a large number', () => {
    const program = compileCel('message.id + 2');
    if (typeof program !== 'function') throw new Error(program.failure);
    expect(stringifyJson(program({ message }))).toBe('9007199254740995');
  });
});

describe('evaluateCondition, for numbers as they were written', () => {
  test.each([
    [{ contains: '0993' }, 'id', true],
    [{ regex: '^9007199254740993$' }, 'id', true],
    [{ gt: 9007199254740992 }, 'id', true],
    [{ any_of: [9007199254740992] }, 'id', false],
    [{ any_of: [parseJson('9007199254740993')] }, 'id', true],
    [1, 'one', true],
    [0, 'zero', true],
    [{ gte: 1, lte: 1 }, 'one', true],
    [{ gt: parseJson('1e399') }, 'huge', true],
    [{ starts_with: '1.0' }, 'one', true],
  ])('judges the condition %j on the field "%s" as %s', (condition, key, expected) => {
    expect(evaluateCondition(condition as never, message[key] as never)).toBe(expected);
  });
});

describe('evaluateExtractor, for numbers as they were written', () => {
  test.each([
    ['$.id', '9007199254740993'],
    ['$.items[0].p', '1.0'],
    ['$.items[1]', '{"p":2.50,"n":"b"}'],
    ['$.items[?@.p == 1].n', 'a'],
    ['$.items[?@.p > 2.4].n', 'b'],
    ['$[?@ == 9007199254740993]', '9007199254740993'],
    ['$[?@ == 9007199254740992]', undefined],
  ])('extracts with %s the value %s', (selector, expected) => {
    const extractor = { name: 'x', source: 'request', type: 'json_path', selector } as const;
    expect(evaluateExtractor(extractor, message, 'request')).toBe(expected);
  });

  test('finds no members in a number', () => {
    const path = compileJsonPath('$.one.*');
    if (typeof path !== 'function') throw new Error(path.failure);
    expect(path(message)).toEqual({ found: undefined });
  });
});
