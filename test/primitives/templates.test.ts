import { expect, test } from 'vitest';
import { interpolateTemplate, interpolateValue, type Value } from '../../src/index.ts';
import { inKeyOrder } from '../../src/model/value.ts';

const extractors = { known: 'K' };

const rows: [string, Value, Value, string[]][] = [
  ['every name that resolves to nothing', '{{a}}{{known}}{{request.b}}', 'K', ['a', 'request.b']],
  ['the same one as often as it stands there', '{{a}} {{a}}', ' ', ['a', 'a']],
  ['none where all resolve', '{{known}}', 'K', []],
  ['none where there is no template', 'a', 'a', []],
  ['none of braces that are text', '\\{{a}} {{known}}', '{{a}} K', []],
  ['braces that are text behind an opening that is never closed', '{{known \\{{a', '{{known {{a', []],
];

test.each(rows)('a text tells %s', (_, template, text, unresolved) => {
  expect(interpolateTemplate(String(template), extractors)).toMatchObject({ text, unresolved });
});

test.each([
  ...rows,
  [
    'those of all its texts',
    [{ x: '{{a}}' }, 1, '{{b}}'],
    [{ x: '' }, 1, ''],
    ['a', 'b'],
  ] as (typeof rows)[0],
])('a value tells %s', (_, template, value, unresolved) => {
  const filled = interpolateValue(template, extractors);
  expect([filled.value, filled.unresolved]).toEqual([value, unresolved]);
  expect(filled.diagnostics.map(({ code }) => code)).toEqual(unresolved.map(() => 'W-004'));
});

test('a value keeps the order of its keys, also of those that are numbers', () => {
  const value = inKeyOrder({ 1: '{{known}}', b: 'x' }, ['b', '1']);
  const filled = interpolateValue(value, extractors).value;
  expect(interpolateTemplate('{{filled}}', { filled }).text).toBe('{"b":"x","1":"K"}');
});
