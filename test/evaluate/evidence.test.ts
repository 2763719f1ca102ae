import { describe, expect, test } from 'vitest';
import { evaluateIndicator, type Value } from '../../src/index.ts';
import { documentWith } from '../support/records.ts';

const [indicator] =
  documentWith({
    execution: { mode: 'mcp_server', state: {} },
    indicators: [{ target: 'text', pattern: { regex: 'M+' } }],
  }).attack.indicators ?? [];

/** The text around a match, shortened to 500 characters. */
const rows: [string, string, string][] = [
  ['a text that fits', `${'a'.repeat(499)}M`, `${'a'.repeat(499)}M`],
  ['a match at the start', `M${'a'.repeat(500)}`, `M${'a'.repeat(499)}…`],
  ['… at the end', `${'a'.repeat(500)}M`, `…${'a'.repeat(249)}M`],
  ['… in the middle', `${'a'.repeat(600)}MM${'b'.repeat(600)}`, `…${'a'.repeat(249)}MM${'b'.repeat(249)}…`],
  [
    '… so that the cut is the end of the text',
    `${'a'.repeat(300)}MM${'b'.repeat(249)}`,
    `…${'a'.repeat(249)}MM${'b'.repeat(249)}`,
  ],
  ['a match that does not fit', `a${'M'.repeat(600)}`, `…${'M'.repeat(500)}…`],
];
test.each(rows)('%s', (_, text, expected) => {
  if (indicator === undefined) throw new Error('there is no indicator');
  expect(evaluateIndicator(indicator, { text }).evidence).toBe(expected);
});

describe('the place of a match', () => {
  const rows: [string, object, Value, object][] = [
    ['contains', { contains: 'bb' }, 'abba', { from: 1, to: 3 }],
    ['starts_with', { starts_with: 'ab' }, 'abba', { from: 0, to: 2 }],
    ['ends_with', { ends_with: 'ba' }, 'abba', { from: 2, to: 4 }],
    ['regex', { regex: 'b+' }, 'abba', { from: 1, to: 3 }],
    ['the first text operator of several', { ends_with: 'a', contains: 'bb' }, 'abba', { from: 1, to: 3 }],
    ['a number is matched whole', { gt: 1 }, 42, { from: 0, to: 2 }],
    ['a list is matched whole', { any_of: [[1, 2]] }, [1, 2], { from: 0, to: 5 }],
    ['in a map, as its text has it', { contains: '"b"' }, { b: 1, a: 2 }, { from: 7, to: 10 }],
    ['what is only there is matched whole', { exists: true }, 'abba', { from: 0, to: 4 }],
  ];
  test.each(rows)('%s', (_, condition, text, span) => {
    const [indicator] =
      documentWith({
        execution: { mode: 'mcp_server', state: {} },
        indicators: [{ target: 'text', pattern: { condition } }],
      }).attack.indicators ?? [];
    if (indicator === undefined) throw new Error('there is no indicator');
    expect(evaluateIndicator(indicator, { text }).match).toMatchObject({ path: 'text', ...span });
  });
});
