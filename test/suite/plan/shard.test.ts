import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { selectShardAttacks } from '../../../src/suite/plan/shard.ts';

const durations = fc.array(fc.option(fc.integer({ min: 0, max: 100_000 }), { nil: undefined }), {
  maxLength: 60,
});
const number = fc.integer({ min: 1, max: 12 });

function shards(known: readonly (number | undefined)[], of: number): readonly (readonly number[])[] {
  return Array.from({ length: of }, (_, index) => selectShardAttacks(known, { index: index + 1, of }));
}

describe('selectShardAttacks', () => {
  test('puts every attack into one shard, each in the order of the plan', () => {
    fc.assert(
      fc.property(durations, number, (known, of) => {
        const parts = shards(known, of);
        expect(parts.flat().sort((a, b) => a - b)).toEqual(known.map((_, attack) => attack));
        for (const part of parts) expect(part).toEqual([...part].sort((a, b) => a - b));
      }),
    );
  });

  test('lets no shard take longer than the mean and the longest attack together', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 100_000 }), { minLength: 1, maxLength: 60 }),
        number,
        (known, of) => {
          const sum = (part: readonly number[]) => part.reduce((total, attack) => total + (known[attack] ?? 0), 0);
          const total = known.reduce((all, each) => all + each, 0);
          expect(Math.max(...shards(known, of).map(sum))).toBeLessThanOrEqual(total / of + Math.max(...known));
        },
      ),
    );
  });

  test('keeps attacks with the same key together, in the order of the plan', () => {
    fc.assert(
      fc.property(durations, number, (known, of) => {
        const keyOf = (attack: number): string => String(attack % 7);
        const parts = Array.from({ length: of }, (_, index) =>
          selectShardAttacks(known, { index: index + 1, of }, keyOf),
        );
        expect(parts.flat().sort((a, b) => a - b)).toEqual(known.map((_, attack) => attack));
        const places = new Map<string, number>();
        for (const [place, part] of parts.entries())
          for (const attack of part) {
            expect(places.get(keyOf(attack)) ?? place).toBe(place);
            places.set(keyOf(attack), place);
          }
      }),
    );
  });

  test.each([
    [[], 2, [[], []]],
    [
      [undefined, undefined, undefined, undefined, undefined],
      2,
      [
        [0, 2, 4],
        [1, 3],
      ],
    ],
    [[10, 1, 1, 1, 1, 6], 2, [[0], [1, 2, 3, 4, 5]]],
    [[3, undefined, 9], 3, [[2], [1], [0]]],
    [[0, 0, 0, 0], 4, [[0], [1], [2], [3]]],
    [[5], 3, [[0], [], []]],
  ])('splits attacks of %j ms into %i shards: %j', (known, of, expected) => {
    expect(shards(known, of)).toEqual(expected);
  });
});
