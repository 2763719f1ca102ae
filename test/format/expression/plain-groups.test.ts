import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, test } from 'vitest';
import { countPlainGroups } from '../../../src/format/expression/plain-regex.ts';

// An expression is plain only if RE2 accepts it, with as many groups. "Not plain" is always allowed.

describe('countPlainGroups, for plain expressions', () => {
  const rows: readonly (readonly [string, number])[] = [
    ['', 0],
    ['aws_access_key_id|AKIA[0-9A-Z]{16}', 0],
    ['(?i)(password|secret)\\s*[=:]\\s*(\\S+)', 2],
    ['(?is)a.b', 0],
    ['(?:a(b(c))|d)*?', 2],
    ['[-a-z.\\d\\]]+?|[^\\n-]{2,}$', 0],
    ['a{10}(?:b{10}c{10})', 0],
    ['\\/home\\/[^/]+', 0],
  ];
  test.each(rows)('finds in %j as many groups as RE2: %i', (source, groups) => {
    expect(countPlainGroups(source)).toBe(groups);
    expect(RE2JS.compile(source).groupCount()).toBe(groups);
  });
});

describe('countPlainGroups, for expressions that only RE2 can judge', () => {
  const rows = [
    '(',
    'a)',
    '*a',
    'a**',
    'a{2}{3}',
    '[a',
    '[]',
    '[z-a]',
    '[a-b-c]',
    '[[:alpha:]]',
    'a{2,1}',
    'a{1001}',
    '(?:a{100}){100}',
    'a{,3}',
    '(?=a)',
    '(?<n>a)',
    '\\1',
    '\\pL',
    '\\Qa',
    'a(?i)b',
    '😀',
    'a'.repeat(1001),
  ];
  test.each(rows)('returns undefined for %j', (source) => {
    expect(countPlainGroups(source)).toBeUndefined();
  });
});

// With two ways to split such a text, this would not end.
test.each(['?'.repeat(999), '(?:'.repeat(333), '[a-'.repeat(300), 'a{1}'.repeat(250), '\\d'.repeat(499)])(
  'countPlainGroups reads a long expression of repeated parts only once (case %#)',
  (text) => {
    expect(countPlainGroups(`${text}\\`)).toBeUndefined();
  },
);

const parts = [
  ...['a', 'Z', '0', '-', 'é', 'ſ', '\n', '😀', '/', ',', ':', '\\', '^', '$', '.', '*', '+', '?', '|', '{', '}'],
  ...['(', '(?:', '(?i)', '(?<n>', ')', '[', '[^', ']', 'a-z', 'z-a', '[a-z]', '[^\\n]', '[-a]', '[a-]'],
  ...['{2}', '{2,}', '{2,3}', '{,3}', '{0}', '{10,100}', '{1000}', '{9999}', '\\d', '\\D', '\\w', '\\b', '\\s'],
  ...['\\t', '\\v', '\\f', '\\.', '\\-', '\\]', '\\[', '\\1', '\\x41', '\\pL', '\\Q', '[[:alpha:]]', '&&'],
];

test('RE2 accepts every expression that countPlainGroups accepts, with as many groups', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 9 }), (chosen) => {
      const source = chosen.join('');
      const groups = countPlainGroups(source);
      return groups === undefined || RE2JS.compile(source).groupCount() === groups;
    }),
    { numRuns: 20_000 },
  );
});
