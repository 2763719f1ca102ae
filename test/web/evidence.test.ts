import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Value } from '../../src/model/value.ts';
import { compactJson, textOf } from '../../src/primitives/compact-json.ts';
import { spansOf } from '../../src/report/html/evidence-spans.ts';
import { formatLines, type Marked, shorten } from '../../src/report/html/format-lines.ts';
import type { Line } from '../../src/report/html/page-data.ts';
import { redactorFor } from '../../src/secrets/redactor.ts';

const shown = redactorFor(true);
const masked = redactorFor(false);

/** The parts of a value that a page marks, as text. */
function markedIn(lines: readonly Line[]): readonly string[] {
  return lines.flatMap(({ key, text, marks = [] }) =>
    marks.map(([from, to]) => (from === to ? `whole ${key ?? ''}`.trim() : text.slice(from, to))),
  );
}

function marksOf(
  message: Value,
  path: string,
  from: number,
  to: number,
  redactor = shown,
): readonly string[] {
  const spans = spansOf(message, path, from, to).map((span): Marked => ({ ...span, indicator: 0 }));
  return markedIn(formatLines(message, spans, redactor));
}

const message = { name: 'buy', arguments: { z: 1, a: 'one "two" three', list: ['x', 'the canary'] } };
const whole = compactJson(message.arguments, 'sorted');
const within = (text: string): readonly [number, number] => [
  whole.indexOf(text),
  whole.indexOf(text) + text.length,
];

describe('evidence is marked at its place', () => {
  test.each([
    ['in a string', 'name', 0, 2, ['bu']],
    ['a string without a span', 'name', 0, 0, ['whole name']],
    ['in an item of a list', 'arguments.list[1]', 4, 10, ['canary']],
    ['a whole map', 'arguments', 0, whole.length, ['whole arguments']],
    ['in a map', 'arguments', ...within('canary'), ['canary']],
    ['behind what JSON escapes', 'arguments', ...within('three'), ['three']],
    ['across strings', 'arguments', ...within('three","list":["x","the'), ['three', 'x', 'the']],
    ['a number', 'arguments', ...within('1}'), ['whole z']],
    ['nowhere', 'arguments.none', 0, 3, []],
  ] as const)('%s', (_title, path, from, to, expected) => {
    expect(marksOf(message, path, from, to)).toEqual(expected);
  });

  test('whatever is marked of a value is what the match was on', () => {
    const leaf = fc.record({ path: fc.constant('it'), value: fc.string() });
    fc.assert(
      fc.property(leaf, fc.nat(), fc.nat(), ({ value }, a, b) => {
        const text = textOf(value, 'sorted');
        const [from, to] = [Math.min(a, b) % (text.length + 1), Math.max(a, b) % (text.length + 1)];
        fc.pre(from < to);
        expect(marksOf({ it: value }, 'it', from, to)).toEqual([value.slice(from, to)]);
      }),
    );
  });

  test('the strings of a map are found by their place in its sorted JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string({ minLength: 1 })), fc.nat(), (map, pick) => {
        const entries = Object.entries(map);
        fc.pre(entries.length > 0);
        const [key = '', value = ''] = entries[pick % entries.length] ?? [];
        const before = compactJson(map, 'sorted').indexOf(`${JSON.stringify(key)}:${JSON.stringify(value)}`);
        fc.pre(entries.filter(([, each]) => each.includes(value)).length === 1);
        const from = before + JSON.stringify(key).length + 2;
        const marks = spansOf({ map }, 'map', from, from + JSON.stringify(value).length - 2);
        expect(marks).toEqual([{ path: ['map', key], from: 0, to: value.length }]);
      }),
    );
  });
});

describe('secrets are starred out, and marks stay on them', () => {
  test.each([
    ['by its shape', { note: 'use AKIAABCDEFGHIJKLMNOP now' }, 'note', 4, 24, ['AKIA****']],
    ['behind one', { note: 'AKIAABCDEFGHIJKLMNOP is it' }, 'note', 24, 26, ['it']],
    ['by its key', { password: 'hunter22' }, 'password', 0, 6, ['****']],
    [
      'by the key of its list',
      { tokens: ['x', 'abcd1234'], token: ['abcd1234'] },
      'token[0]',
      0,
      4,
      ['****'],
    ],
  ] as const)('%s', (_title, value, path, from, to, expected) => {
    expect(marksOf(value, path, from, to, masked)).toEqual(expected);
  });

  test('a document keeps its lines', () => {
    const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabcd\n-----END RSA PRIVATE KEY-----';
    expect(masked.lines(`a: 1\nkey: |\n${key}\nb: 2`)).toHaveLength(7);
    expect(masked.lines(key).join('\n')).not.toMatch(/MIIE|abcd/);
  });
});

describe('long evidence is cut', () => {
  test('a string keeps its beginning, its end and what is around evidence', () => {
    const text = `${'a'.repeat(50_000)}EVIDENCE${'b'.repeat(50_000)}`;
    const { text: cut, spans, cuts } = shorten({ text, spans: [[50_000, 50_008]] }, 100_000);
    expect(cut.slice(...(spans[0] ?? [0, 0]))).toBe('EVIDENCE');
    expect(cut.length).toBeLessThan(10_000);
    expect(cut.length + cuts.reduce((sum, [, characters]) => sum + characters, 0)).toBe(text.length);
  });

  test('a list says how many items are left out, and shows those with evidence', () => {
    const list = Array.from({ length: 10_000 }, (_, index) => `item ${index}`);
    const lines = formatLines({ list }, [{ path: ['list', 9_000], from: 0, to: 4, indicator: 0 }], shown);
    expect(lines.length).toBeLessThan(2_100);
    expect(markedIn(lines)).toEqual(['item']);
    expect(lines.find(({ kind }) => kind === 'note')?.text).toMatch(/^\d+ more left out$/);
  });

  test('nesting of any depth', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
    expect(formatLines(deep, [], shown).length).toBeLessThan(200);
  });
});
