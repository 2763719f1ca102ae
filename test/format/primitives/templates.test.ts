import { expect, test } from 'vitest';
import { sortKeys } from '../../../src/format/model/value.ts';
import { interpolateTemplate, interpolateValue, type Value } from '../../../src/index.ts';

const extractors = { known: 'K' };

const rows: [string, Value, Value, string[]][] = [
  ['every name that resolves to nothing', '{{a}}{{known}}{{request.b}}', 'K', ['a', 'request.b']],
  ['a name twice if it stands there twice', '{{a}} {{a}}', ' ', ['a', 'a']],
  ['no name if all resolve', '{{known}}', 'K', []],
  ['no name if there is no template', 'a', 'a', []],
  ['no name for escaped braces', '\\{{a}} {{known}}', '{{a}} K', []],
  ['no name for escaped braces behind an opening that is never closed', '{{known \\{{a', '{{known {{a', []],
];

test.each(rows)('interpolateTemplate reports %s', (_, template, text, unresolved) => {
  expect(interpolateTemplate(String(template), extractors)).toMatchObject({ text, unresolved });
});

test.each([
  ...rows,
  [
    'the unresolved names of all texts in a structure',
    [{ x: '{{a}}' }, 1, '{{b}}'],
    [{ x: '' }, 1, ''],
    ['a', 'b'],
  ] as (typeof rows)[0],
])('interpolateValue reports with W-004 %s', (_, template, value, unresolved) => {
  const filled = interpolateValue(template, extractors);
  expect([filled.value, filled.unresolved]).toEqual([value, unresolved]);
  expect(filled.diagnostics.map(({ code }) => code)).toEqual(unresolved.map(() => 'W-004'));
});

test('interpolation keeps the order of keys, also of numeric ones', () => {
  const value = sortKeys({ 1: '{{known}}', b: 'x' }, ['b', '1']);
  const filled = interpolateValue(value, extractors).value;
  expect(interpolateTemplate('{{filled}}', { filled }).text).toBe('{"b":"x","1":"K"}');
});
