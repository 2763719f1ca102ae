import { describe, expect, test } from 'vitest';
import { createCelEvaluator, evaluateExpression, type Value } from '../../../src/index.ts';

const cel = createCelEvaluator();
const message: Value = {
  count: 2,
  price: 2.5,
  nothing: null,
  text: 'Straße',
  tools: [{ name: 'a', title: 'x' }, { name: 'b' }],
  map: { k: 1 },
  constructor: 'own',
  when: '2026-01-01T00:00:00Z',
};

describe('evaluateExpression', () => {
  const rows: [string, boolean][] = [
    ['message.count + 1 == 3', true],
    ['message.count > 1.5', true],
    ['message.price < 3', true],
    ['message.price == 2.5', true],
    ['has(message.nothing)', true],
    ['message.nothing == null', true],
    ['has(message.missing)', false],
    ['has(message.toString)', false],
    ["message.constructor == 'own'", true],
    ["message.tools.exists(t, has(t.title) && t.title == 'x')", true],
    ["message.tools.all(t, t.name != 'c')", true],
    ["message.tools.filter(t, t.name == 'a').size() == 1", true],
    ["message.tools.map(t, t.name) == ['a', 'b']", true],
    ["message.tools[1].name == 'b'", true],
    ["'k' in message.map", true],
    ["message.map.exists(k, k == 'k')", true],
    ["message.text.matches('^Stra.e$')", true],
    ["matches(message.text, 'x')", false],
    ['size(message.text) == 6', true],
    ["message.text.startsWith('Str') && message.text.endsWith('e') && message.text.contains('ß')", true],
    ["timestamp(message.when) > timestamp('2025-01-01T00:00:00Z')", true],
    ['message.missing.field == 1 || true', true],
    ["int('42') == 42", true],
    ["int('-7') == -7", true],
    ["int('+7') == 7", true],
    ["uint('42') == 42u", true],
    [`int('${'0'.repeat(63)}7') == 7`, true],
    [`uint('${'0'.repeat(63)}7') == 7u`, true],
  ];
  test.each(rows)('gives for %s the value %s', (expression, expected) => {
    expect(evaluateExpression({ cel: expression }, message, cel)).toBe(expected);
  });
});

describe('an error of evaluateExpression', () => {
  const rows: [string, object][] = [
    ['message.missing.field == 1', { kind: 'cel_error', missingField: true }],
    ["message.tools[7].name == 'x'", { kind: 'cel_error', missingField: true }],
    ["message.tools.exists(t, t.title == 'nope')", { kind: 'cel_error', missingField: true }],
    ['1 / 0 == 1', { kind: 'cel_error' }],
    ["message.count + 'x' == 'y'", { kind: 'cel_error' }],
    ['undeclared == 1', { kind: 'cel_error' }],
    ['frobnicate(message)', { kind: 'unsupported_method' }],
    ['message.count', { kind: 'type_error' }],
    ['message.tools', { kind: 'type_error' }],
    ['timestamp(message.when)', { kind: 'type_error' }],
    ["message.text.matches('(')", { kind: 'cel_error' }],
    ["int('many') == 1", { kind: 'cel_error' }],
    ...['', ' 1', '1 ', '0x1', '1e0', '1.0', '１'].flatMap((text): [string, object][] => [
      [`int('${text}') == 1`, { kind: 'cel_error' }],
      [`uint('${text}') == 1u`, { kind: 'cel_error' }],
    ]),
    ["uint('-1') == 1u", { kind: 'cel_error' }],
    ["uint('+1') == 1u", { kind: 'cel_error' }],
    ["int('9223372036854775808') > 0", { kind: 'cel_error' }],
    [`int('${'0'.repeat(64)}7') == 7`, { kind: 'cel_error' }],
    [`uint('${'0'.repeat(64)}7') == 7u`, { kind: 'cel_error' }],
    ['(', { kind: 'cel_error' }],
    ['has(message)', { kind: 'cel_error' }],
    [`1${' + 1'.repeat(3_000)} > 1`, { kind: 'cel_error' }],
  ];
  test.each(rows)('has the right kind for %s', (expression, expected) => {
    const { message: _, ...error } = evaluateExpression({ cel: expression }, message, cel) as {
      message: string;
    };
    expect(error).toEqual(expected);
  });
});

test.each([
  ['"\\x4"', 'stands for no character'],
  [`1${' + 1'.repeat(3_000)} > 1`, 'nested too deeply'],
])('evaluateExpression refuses %s, which cannot be parsed: %s', (expression, words) => {
  const error = evaluateExpression({ cel: expression }, message, cel);
  expect(error).toMatchObject({ message: expect.stringContaining(words) });
});

test.each([
  ['message.count', 'a number'],
  ['message.text', 'a string'],
  ['message.tools', 'a list'],
  ['message.map', 'a map'],
  ['message.nothing', 'null'],
])('evaluateExpression says in its error that %s gives %s', (expression, found) => {
  const error = evaluateExpression({ cel: expression }, message, cel);
  expect(error).toMatchObject({ message: expect.stringContaining(`gives ${found},`) });
});

describe('variables of evaluateExpression', () => {
  test('are bound to paths', () => {
    expect(evaluateExpression({ cel: 'n == 2', variables: { n: 'count' } }, message, cel)).toBe(true);
  });
  test('are null if their path does not resolve', () => {
    expect(evaluateExpression({ cel: 'n == null', variables: { n: 'no.such' } }, message, cel)).toBe(true);
  });
  test('cannot be evaluated without a CEL evaluator, which is an error', () => {
    expect(evaluateExpression({ cel: 'true' }, message)).toMatchObject({ kind: 'unsupported_method' });
  });
});
