import { expect, test } from 'vitest';
import type { NormalizedIndicator } from '../../../src/format/model/normalized.ts';
import { evaluateIndicator, evaluatePattern } from '../../../src/index.ts';

/** To compile a condition, its expression must be read. */
function countedPattern() {
  let reads = 0;
  const condition = {
    get regex(): string {
      reads += 1;
      return 'b+';
    },
  };
  return { pattern: { target: 'a', condition }, reads: () => reads };
}

test.each([
  [
    'evaluateIndicator',
    (pattern: object) =>
      evaluateIndicator({ id: 'i', target: 'a', pattern } as NormalizedIndicator, { a: 'abba' }).result,
  ],
  ['evaluatePattern', (pattern: object) => evaluatePattern(pattern as never, { a: 'abba' })],
])('%s compiles a pattern once, however many messages it is asked about', (_, evaluate) => {
  const { pattern, reads } = countedPattern();
  const first = evaluate(pattern);
  const before = reads();
  expect([evaluate(pattern), evaluate(pattern)]).toEqual([first, first]);
  expect(reads()).toBe(before);
});
