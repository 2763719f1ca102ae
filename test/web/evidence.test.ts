import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../src/format/model/value.ts';
import { formatAsText, formatCompactJson } from '../../src/format/primitives/compact-json.ts';
import { formatLines, type IndicatorSpan, shortenLine } from '../../src/report/html/format-lines.ts';
import type { PageLine } from '../../src/report/html/page-data.ts';
import { findEvidenceSpans } from '../../src/report/html/row-marks.ts';
import { selectRedactor } from '../../src/secrets/redactor.ts';

const shown = selectRedactor(true);
const masked = selectRedactor(false);

/** The parts of a value that a page marks, as text. */
function markedIn(lines: readonly PageLine[]): readonly string[] {
  return lines.flatMap(({ key, text, marks = [] }) =>
    marks.map(([from, to]) => (from === to ? `whole ${key ?? ''}`.trim() : text.slice(from, to))),
  );
}

function marksOf(message: Value, path: string, from: number, to: number, redactor = shown): readonly string[] {
  const spans = findEvidenceSpans(message, path, from, to).map((span): IndicatorSpan => ({ ...span, indicator: 0 }));
  return markedIn(formatLines(message, spans, redactor));
}

const message = { name: 'buy', arguments: { z: 1, a: 'one "two" three', list: ['x', 'the canary'] } };
const whole = formatCompactJson(message.arguments, 'sorted');
const within = (text: string): readonly [number, number] => [whole.indexOf(text), whole.indexOf(text) + text.length];

describe('findEvidenceSpans and formatLines', () => {
  test.each([
    ['within a string', 'name', 0, 2, ['bu']],
    ['as a whole string if there is no span', 'name', 0, 0, ['whole name']],
    ['within an item of a list', 'arguments.list[1]', 4, 10, ['canary']],
    ['as a whole map', 'arguments', 0, whole.length, ['whole arguments']],
    ['within a map', 'arguments', ...within('canary'), ['canary']],
    ['behind characters that JSON escapes', 'arguments', ...within('three'), ['three']],
    ['across several strings', 'arguments', ...within('three","list":["x","the'), ['three', 'x', 'the']],
    ['as a whole number', 'arguments', ...within('1}'), ['whole z']],
    ['nowhere if the path leads to nothing', 'arguments.none', 0, 3, []],
  ] as const)('mark evidence %s', (_title, path, from, to, expected) => {
    expect(marksOf(message, path, from, to)).toEqual(expected);
  });

  test('mark in a string exactly what the match was on', () => {
    const leaf = fc.record({ path: fc.constant('it'), value: fc.string() });
    fc.assert(
      fc.property(leaf, fc.nat(), fc.nat(), ({ value }, a, b) => {
        const text = formatAsText(value, 'sorted');
        const [from, to] = [Math.min(a, b) % (text.length + 1), Math.max(a, b) % (text.length + 1)];
        fc.pre(from < to);
        expect(marksOf({ it: value }, 'it', from, to)).toEqual([value.slice(from, to)]);
      }),
    );
  });

  test('find the strings of a map by their place in its sorted JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string({ minLength: 1 })), fc.nat(), (map, pick) => {
        const entries = Object.entries(map);
        fc.pre(entries.length > 0);
        const [key = '', value = ''] = entries[pick % entries.length] ?? [];
        const before = formatCompactJson(map, 'sorted').indexOf(`${JSON.stringify(key)}:${JSON.stringify(value)}`);
        fc.pre(entries.filter(([, each]) => each.includes(value)).length === 1);
        const from = before + JSON.stringify(key).length + 2;
        const marks = findEvidenceSpans({ map }, 'map', from, from + JSON.stringify(value).length - 2);
        expect(marks).toEqual([{ path: ['map', key], from: 0, to: value.length }]);
      }),
    );
  });
});

describe('a masking redactor', () => {
  test.each([
    ['a secret known by its shape', { note: 'use AKIAABCDEFGHIJKLMNOP now' }, 'note', 4, 24, ['AKIA****']],
    ['the text behind a secret', { note: 'AKIAABCDEFGHIJKLMNOP is it' }, 'note', 24, 26, ['it']],
    ['a secret known by its key', { password: 'hunter22' }, 'password', 0, 6, ['****']],
    [
      'a secret known by the key of its list',
      { tokens: ['x', 'abcd1234'], token: ['abcd1234'] },
      'token[0]',
      0,
      4,
      ['****'],
    ],
  ] as const)('keeps the marks on %s', (_title, value, path, from, to, expected) => {
    expect(marksOf(value, path, from, to, masked)).toEqual(expected);
  });

  test('keeps the number of lines of a document', () => {
    const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabcd\n-----END RSA PRIVATE KEY-----';
    expect(masked.lines(`a: 1\nkey: |\n${key}\nb: 2`)).toHaveLength(7);
    expect(masked.lines(key).join('\n')).not.toMatch(/MIIE|abcd/);
  });
});

describe('long evidence', () => {
  test('is cut in a string except for its beginning, its end and what is around the match', () => {
    const text = `${'a'.repeat(50_000)}EVIDENCE${'b'.repeat(50_000)}`;
    const { text: cut, spans, cuts } = shortenLine({ text, spans: [[50_000, 50_008]] }, 100_000);
    expect(cut.slice(...(spans[0] ?? [0, 0]))).toBe('EVIDENCE');
    expect(cut.length).toBeLessThan(10_000);
    expect(cut.length + cuts.reduce((sum, [, characters]) => sum + characters, 0)).toBe(text.length);
  });

  test('is cut in a list, which says how many items are left out and shows those that match', () => {
    const list = Array.from({ length: 10_000 }, (_, index) => `item ${index}`);
    const lines = formatLines({ list }, [{ path: ['list', 9_000], from: 0, to: 4, indicator: 0 }], shown);
    expect(lines.length).toBeLessThan(2_100);
    expect(markedIn(lines)).toEqual(['item']);
    expect(lines.find(({ kind }) => kind === 'note')?.text).toMatch(/^\d+ more left out$/);
  });

  test('is cut if it is nested 50,000 levels deep', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    expect(formatLines(deep, [], shown).length).toBeLessThan(200);
  });
});
