import { expect, test } from 'vitest';
import { evaluateIndicator } from '../../src/index.ts';
import { documentWith } from '../support/records.ts';

const [indicator] =
  documentWith({
    execution: { mode: 'mcp_server', state: {} },
    indicators: [{ target: 'text', pattern: { regex: 'M+' } }],
  }).attack.indicators ?? [];

/** The text around a match, cut to what a person wants to read: 500 characters. */
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
