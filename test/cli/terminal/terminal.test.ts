import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findEdits } from '../../../src/cli/unified-diff.ts';
import { escapeInvisible } from '../../../src/format/model/escape-invisible.ts';
import { markLine } from '../../../src/report/marked-line.ts';
import { cropEnd, cropStart, measureWidth } from '../../../src/report/text-width.ts';

test.each([
  ['\x1b[2J', '\\x1b[2J'],
  ['a\u009bb', 'a\\x9bb'],
  ['a\r\n\tb', 'a\\r\\n\\tb'],
  ['\u202eevil', '\\u202eevil'],
  ['\u{e0041}', '\\u{e0041}'],
  ['\ud800', '\\ud800'],
  ['日本 é 👍', '日本 é 👍'],
])('visible shows %j as %s', (text, shown) => {
  expect(escapeInvisible(text)).toBe(shown);
});

test('visible leaves no control characters', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/[\p{Cc}\p{Cf}]/u.test(escapeInvisible(text))));
});

test.each([
  ['abc', 3],
  ['日本', 4],
  ['e\u0301', 1],
  ['👍', 2],
])('measureWidth gives %s a width of %i columns', (text, width) => {
  expect(measureWidth(text)).toBe(width);
});

test('crop and cropStart return texts that fit', () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 60 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 30 }), (text, columns) => {
      const [start, end] = [cropEnd(text, columns), cropStart(text, columns)];
      return measureWidth(start) <= columns && measureWidth(end) <= columns;
    }),
  );
});

test('markLine returns a line that fits with carets under the span', () => {
  const lines = fc.string({ maxLength: 300 });
  fc.assert(
    fc.property(lines, fc.nat(300), fc.nat(300), fc.integer({ min: 20, max: 120 }), (line, a, b, columns) => {
      const from = Math.min(a, b, line.length);
      const to = Math.min(Math.max(a, b), line.length);
      const { text, carets } = markLine(line, from, to, columns);
      expect(measureWidth(text)).toBeLessThanOrEqual(columns + 1);
      const hit = escapeInvisible(line.slice(from, to));
      const under = text.slice(carets.indexOf('^'), carets.length);
      if (hit !== '' && hit.length <= columns - 2) expect(under).toBe(hit);
    }),
  );
});

test('findEdits turns one text into the other', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const edits = findEdits(before, after);
      expect(edits.filter(({ mark }) => mark !== '+').map(({ line }) => line)).toEqual(before);
      expect(edits.filter(({ mark }) => mark !== '-').map(({ line }) => line)).toEqual(after);
    }),
  );
});

test('findEdits ends for long texts with nothing in common', () => {
  const numbered = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}`);
  expect(findEdits(numbered('old'), numbered('new'))).toHaveLength(40_000);
});
