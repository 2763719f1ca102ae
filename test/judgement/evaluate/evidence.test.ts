import { describe, expect, test } from 'vitest';
import { evaluateIndicator, type Value } from '../../../src/index.ts';
import { documentWith } from '../../support/records.ts';

const [indicator] =
  documentWith({
    execution: { mode: 'mcp_server', state: {} },
    indicators: [{ target: 'text', pattern: { regex: 'M+' } }],
  }).attack.indicators ?? [];

/** The text around a match, shortened to 500 characters. */
const rows: [string, string, string][] = [
  ['a whole text that fits', `${'a'.repeat(499)}M`, `${'a'.repeat(499)}M`],
  ['the start of a text around a match there', `M${'a'.repeat(500)}`, `M${'a'.repeat(499)}…`],
  ['the end of a text around a match there', `${'a'.repeat(500)}M`, `…${'a'.repeat(249)}M`],
  [
    'both sides of a match in the middle',
    `${'a'.repeat(600)}MM${'b'.repeat(600)}`,
    `…${'a'.repeat(249)}MM${'b'.repeat(249)}…`,
  ],
  [
    'the whole end of a text if it fits',
    `${'a'.repeat(300)}MM${'b'.repeat(249)}`,
    `…${'a'.repeat(249)}MM${'b'.repeat(249)}`,
  ],
  ['the start of a match that does not fit', `a${'M'.repeat(600)}`, `…${'M'.repeat(500)}…`],
];
test.each(rows)('evaluateIndicator gives as evidence %s', (_, text, expected) => {
  if (indicator === undefined) throw new Error('there is no indicator');
  expect(evaluateIndicator(indicator, { text }).evidence).toBe(expected);
});

describe('the range of a match that evaluateIndicator gives', () => {
  const rows: [string, object, Value, object][] = [
    ['the words of contains', { contains: 'bb' }, 'abba', { from: 1, to: 3 }],
    ['the words of starts_with', { starts_with: 'ab' }, 'abba', { from: 0, to: 2 }],
    ['the words of ends_with', { ends_with: 'ba' }, 'abba', { from: 2, to: 4 }],
    ['the match of a regex', { regex: 'b+' }, 'abba', { from: 1, to: 3 }],
    ['the words of the first text operator', { ends_with: 'a', contains: 'bb' }, 'abba', { from: 1, to: 3 }],
    ['the whole of a number', { gt: 1 }, 42, { from: 0, to: 2 }],
    ['the whole of a list', { any_of: [[1, 2]] }, [1, 2], { from: 0, to: 5 }],
    ['the words in the JSON text of a map', { contains: '"b"' }, { b: 1, a: 2 }, { from: 7, to: 10 }],
    ['the whole of a value that must only exist', { exists: true }, 'abba', { from: 0, to: 4 }],
  ];
  test.each(rows)('covers %s', (_, condition, text, span) => {
    const [indicator] =
      documentWith({
        execution: { mode: 'mcp_server', state: {} },
        indicators: [{ target: 'text', pattern: { condition } }],
      }).attack.indicators ?? [];
    if (indicator === undefined) throw new Error('there is no indicator');
    expect(evaluateIndicator(indicator, { text }).match).toMatchObject({ path: 'text', ...span });
  });
});
