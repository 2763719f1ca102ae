import { describe, expect, test } from 'vitest';
import { compileCel } from '../../src/expression/cel.ts';
import { compileJsonPath } from '../../src/expression/json-path.ts';
import { evaluateCondition, evaluateExtractor } from '../../src/index.ts';
import { parseJson, stringifyJson } from '../../src/model/json.ts';
import type { ValueMap } from '../../src/model/value.ts';

const message = parseJson(
  '{"id":9007199254740993,"large":12345678901234567890,"huge":1e400,"one":1.0,"zero":-0.0,"items":[{"p":1.0,"n":"a"},{"p":2.50,"n":"b"}]}',
) as ValueMap;

describe('CEL compares exactly', () => {
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
  ])('%s', (source, expected) => {
    const program = compileCel(source);
    if (typeof program !== 'function') throw new Error(program.failure);
    expect(program({ message })).toBe(expected);
  });

  test('the result of an expression is exact, too', () => {
    const program = compileCel('message.id + 2');
    if (typeof program !== 'function') throw new Error(program.failure);
    expect(stringifyJson(program({ message }))).toBe('9007199254740995');
  });
});

describe('conditions', () => {
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
  ])('%j on %s', (condition, key, expected) => {
    expect(evaluateCondition(condition as never, message[key] as never)).toBe(expected);
  });
});

describe('extractors take what was sent', () => {
  test.each([
    ['$.id', '9007199254740993'],
    ['$.items[0].p', '1.0'],
    ['$.items[1]', '{"p":2.50,"n":"b"}'],
    ['$.items[?@.p == 1].n', 'a'],
    ['$.items[?@.p > 2.4].n', 'b'],
    ['$[?@ == 9007199254740993]', '9007199254740993'],
    ['$[?@ == 9007199254740992]', undefined],
  ])('%s', (selector, expected) => {
    const extractor = { name: 'x', source: 'request', type: 'json_path', selector } as const;
    expect(evaluateExtractor(extractor, message, 'request')).toBe(expected);
  });

  test('a number has no members', () => {
    const path = compileJsonPath('$.one.*');
    if (typeof path !== 'function') throw new Error(path.failure);
    expect(path(message)).toEqual({ found: undefined });
  });
});
