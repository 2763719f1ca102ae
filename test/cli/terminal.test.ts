import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { editsBetween } from '../../src/cli/unified-diff.ts';
import { markLine } from '../../src/report/marked-line.ts';
import { visible } from '../../src/report/visible.ts';
import { crop, cropStart, widthOf } from '../../src/report/width.ts';

test.each([
  ['\x1b[2J', '\\x1b[2J'],
  ['a\u009bb', 'a\\x9bb'],
  ['a\r\n\tb', 'a\\r\\n\\tb'],
  ['\u202eevil', '\\u202eevil'],
  ['\u{e0041}', '\\u{e0041}'],
  ['\ud800', '\\ud800'],
  ['日本 é 👍', '日本 é 👍'],
])('%j is shown as %s', (text, shown) => {
  expect(visible(text)).toBe(shown);
});

test('shown text has no control characters', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => !/[\p{Cc}\p{Cf}]/u.test(visible(text))));
});

test.each([
  ['abc', 3],
  ['日本', 4],
  ['e\u0301', 1],
  ['👍', 2],
])('%s is %i columns wide', (text, width) => {
  expect(widthOf(text)).toBe(width);
});

test('cropped text fits', () => {
  const texts = fc.string({ unit: 'grapheme', maxLength: 60 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 30 }), (text, columns) => {
      const [start, end] = [crop(text, columns), cropStart(text, columns)];
      return widthOf(start) <= columns && widthOf(end) <= columns;
    }),
  );
});

test('a marked line fits, and its carets stand under the span', () => {
  const lines = fc.string({ maxLength: 300 });
  fc.assert(
    fc.property(lines, fc.nat(300), fc.nat(300), fc.integer({ min: 20, max: 120 }), (line, a, b, columns) => {
      const from = Math.min(a, b, line.length);
      const to = Math.min(Math.max(a, b), line.length);
      const { text, carets } = markLine(line, from, to, columns);
      expect(widthOf(text)).toBeLessThanOrEqual(columns + 1);
      const hit = visible(line.slice(from, to));
      const under = text.slice(carets.indexOf('^'), carets.length);
      if (hit !== '' && hit.length <= columns - 2) expect(under).toBe(hit);
    }),
  );
});

test('a diff turns one text into the other', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 40 });
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const edits = editsBetween(before, after);
      expect(edits.filter(({ mark }) => mark !== '+').map(({ line }) => line)).toEqual(before);
      expect(edits.filter(({ mark }) => mark !== '-').map(({ line }) => line)).toEqual(after);
    }),
  );
});

test('a diff of texts with nothing in common is bounded', () => {
  const numbered = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}`);
  expect(editsBetween(numbered('old'), numbered('new'))).toHaveLength(40_000);
});
