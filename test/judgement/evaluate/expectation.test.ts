import { describe, expect, test } from 'vitest';
import { evaluateTrace } from '../../../src/index.ts';
import {
  cropText,
  describeExpectation,
  describeNamedValues,
  formatFound,
} from '../../../src/judgement/evaluate/expectation.ts';
import { createRedactor } from '../../../src/secrets/redactor.ts';
import { documentWith, message } from '../../support/records.ts';

const base = { id: 'I', protocol: 'mcp', target: 'x' };
const expected = (condition: unknown, target = 'x'): string =>
  describeExpectation({ ...base, pattern: { target, condition: condition as never } });

describe('describeExpectation', () => {
  test.each<[condition: unknown, words: string]>([
    [{ contains: 'Lisbon' }, 'expected x to contain "Lisbon"'],
    [{ starts_with: 'a' }, 'expected x to start with "a"'],
    [{ ends_with: 'z' }, 'expected x to end with "z"'],
    [{ regex: '^a+$' }, 'expected x to match /^a+$/'],
    [{ any_of: ['a', 2] }, 'expected x to be one of "a", 2'],
    [{ any_of: [1, 2, 3, 4, 5, 6, 7] }, 'expected x to be one of 1, 2, 3, 4, 5 and 2 more'],
    [{ gt: 1 }, 'expected x to be greater than 1'],
    [{ lt: 1 }, 'expected x to be less than 1'],
    [{ gte: 1 }, 'expected x to be at least 1'],
    [{ lte: 1 }, 'expected x to be at most 1'],
    [{ exists: true }, 'expected x to be there'],
    [{ exists: false }, 'expected x to be missing'],
    [{ gte: 1, lt: 3 }, 'expected x to be less than 3 and to be at least 1'],
    ['yes', 'expected x to be "yes"'],
    [{ a: 1 }, 'expected x to be {"a":1}'],
    [null, 'expected x to be null'],
    [{ contains: `${'word '.repeat(30)}` }, `expected x to contain "${'word '.repeat(24)}…"`],
  ])('words the condition %j', (condition, words) => {
    expect(expected(condition)).toBe(words);
  });

  test.each<[title: string, words: string, expected: string]>([
    ['a pattern for the whole message', expected({ contains: 'a' }, ''), 'expected the message to contain "a"'],
    [
      'an expression',
      describeExpectation({ ...base, expression: { cel: 'size(message.x) > 3' } }),
      'expected the expression size(message.x) > 3 to hold',
    ],
    [
      'an intent',
      describeExpectation({ ...base, semantic: { target: 'x', intent: 'leaks', threshold: 0.5 } }),
      'expected x to mean "leaks" with a score of at least 0.5',
    ],
  ])('words %s', (_, words, found) => {
    expect(words).toBe(found);
  });
});

describe('cropText', () => {
  test.each([
    ['a short text', 'one two', 7, 'one two'],
    ['a text after a whole word', 'one two three', 8, 'one two …'],
    ['a text within a word', 'one two three', 10, 'one two …'],
    ['a text at the end of a word', 'one two three', 7, 'one two…'],
    ['a single long word', 'abcdefgh', 4, '…'],
    ['a key of which only a half would be left', 'key AKIAIOSFODNN7EXAMPLE', 15, 'key …'],
  ])('shortens %s', (_, text, longest, cropped) => {
    expect(cropText(text, longest)).toBe(cropped);
  });
});

describe('describeNamedValues', () => {
  const value = { name: 'mail', arguments: { to: 'bob', n: 5 } };
  test.each<[cel: string, variables: { [name: string]: string }, values: string]>([
    ["message.name == 'x'", {}, 'message.name "mail"'],
    ["message.arguments.to.startsWith('x')", {}, 'message.arguments.to "bob"'],
    ['message.arguments.n > 6 && message.missing', {}, 'message.arguments.n 5, no message.missing'],
    ["who == 'x'", { who: 'arguments.to', other: 'name' }, 'who "bob"'],
    ['true', {}, ''],
    ['message.a == message.b || message.c == message.d', {}, 'no message.a, no message.b, no message.c'],
  ])('names the fields of %s', (cel, variables, values) => {
    expect(describeNamedValues({ cel, variables }, value)).toBe(values);
  });
});

describe('the value that is quoted in a sentence', () => {
  const quoted = (target: string, content: object): string => {
    const document = documentWith({
      execution: { mode: 'mcp_server', state: { tools: [] } },
      indicators: [{ target, pattern: { contains: 'never there' } }],
    });
    const { verdict } = evaluateTrace(document, [message({ content: content as never })]);
    return createRedactor().text(verdict.indicatorVerdicts[0]?.looked?.sentence ?? '');
  };
  test.each<[title: string, target: string, content: object]>([
    ['a key with a known shape', 'arguments.note', { arguments: { note: 'use AKIAIOSFODNN7EXAMPLE' } }],
    [
      'a key that stands where the text is shortened',
      'arguments.note',
      { arguments: { note: `${'x '.repeat(36)}AKIAIOSFODNN7EXAMPLE` } },
    ],
    ['a password in a map', 'arguments', { arguments: { password: 'AKIAIOSFODNN7EXAMPLE' } }],
    ['a value whose own key marks it as a secret', 'arguments.password', { arguments: { password: 'AKIA horse' } }],
    ['an item of such a key', 'arguments.api_keys[*]', { arguments: { api_keys: ['AKIA horse'] } }],
  ])('is masked as evidence is: %s', (_, target, content) => {
    expect(quoted(target, content)).toMatch(/^expected .* got /);
    expect(quoted(target, content)).not.toMatch(/AKIA[A-Z]|horse/);
  });

  test.each([
    'password',
    'passwd',
    'passphrase',
    'pwd',
    'secret',
    'token',
    'api_key',
    'apiKey',
    'access-key',
    'private_key',
    'credentials',
    'authorization',
  ])('is not shown if its key is %s', (key) => {
    expect(formatFound(`arguments.${key}`, 'correct horse')).toBe(
      'a value that is not shown, because its name marks it as a secret',
    );
  });
});
