import { describe, expect, test } from 'vitest';
import { compileRegex } from '../../../src/format/expression/regex.ts';
import {
  evaluateExtractor,
  evaluatePattern,
  evaluatePredicate,
  evaluateTrigger,
  isEvaluationError,
} from '../../../src/index.ts';

// A megabyte of JSON in which the words of the expression occur everywhere, but match only at the end.
const source = '(?i)(?:password|secret|token)\\s*[=:]\\s*([A-Za-z0-9]{8,200})';
const rows = Array.from({ length: 10_000 }, (_, id) => ({
  id,
  note: `the token was reset, the password is not here; a secret garden ${id}`,
  tags: ['a', 'b'],
}));
const message = { rows, last: 'Password: hunter2hunter2' };
const without = { rows };

describe('a regular expression over a megabyte', () => {
  test('finds its match as an extractor', () => {
    const extractor = { name: 'found', source: 'request', type: 'regex', selector: source } as const;
    expect(JSON.stringify(message).length).toBeGreaterThan(900_000);
    expect(evaluateExtractor(extractor, message, 'request')).toBe('hunter2hunter2');
    expect(evaluateExtractor(extractor, without, 'request')).toBeUndefined();
  });

  test('gives the same answer as a predicate, a trigger and an indicator', () => {
    const condition = { regex: source };
    const answers = [message, without].map((each) => [
      evaluatePredicate({ '': condition }, each),
      evaluateTrigger({ event: 'e', match: { '': condition } }, { eventType: 'e', content: each }, 0, {
        eventCount: 0,
      }).kind === 'advanced',
      evaluatePattern({ target: '', condition }, each),
    ]);
    expect(answers).toEqual([
      [true, true, true],
      [false, false, false],
    ]);
  });
});

describe('a regular expression that takes too many steps', () => {
  const regex = compileRegex('(?:[a-c]{1,200}[d-f]?)+([x-z])', 0);
  if ('failure' in regex) throw new Error(regex.failure);
  const text = 'abcab'.repeat(1_000_000);

  test.each(['test', 'find', 'findAll'] as const)('returns a regex_timeout error from %s', (name) => {
    const result = regex[name](text);
    expect(isEvaluationError(result) && result.kind).toBe('regex_timeout');
  });

  test('still matches shorter texts', () => {
    expect(regex.test('abcx')).toBe(true);
    expect(regex.find('--abcx')).toMatchObject({ from: 2, to: 6, group: 'x' });
  });
});
