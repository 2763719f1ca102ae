import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTolerantly } from '../../../src/attack/transport/loose/tolerant-json.ts';

test.each([
  ['01', [1]],
  ['-007.5e1', [-75]],
  ['{"a":00,"b":[010]', [{ a: 0, b: [10] }]],
])('readTolerantly reads %s without throwing', (text, values) => {
  expect(JSON.parse(JSON.stringify(readTolerantly(text, 16).values))).toEqual(values);
});

test('readTolerantly reads any text that is like JSON to its end', () => {
  const sign = fc.constantFrom(...'{}[]",:0123456789.eE+-tfn \\u'.split(''), 'true', 'null', '"a"', '\n', '\0');
  fc.assert(
    fc.property(fc.array(sign, { maxLength: 60 }), (activity) => {
      readTolerantly(activity.join(''), 8);
    }),
    { numRuns: 2_000 },
  );
});
