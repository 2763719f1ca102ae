import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { OutcomeName } from '../../../src/format/model/results-file.ts';
import { computeRate, computeWilsonInterval } from '../../../src/suite/statistics/compute-figures.ts';
import {
  addToTally,
  compareWithMaxRate,
  countRepeatsToSettle,
  nothingYet,
} from '../../../src/suite/statistics/decided-early.ts';
import { computeFisherExact, computeFisherGreater } from '../../../src/suite/statistics/fisher.ts';
import { computeNewcombeInterval } from '../../../src/suite/statistics/newcombe.ts';

describe('computeWilsonInterval', () => {
  test.each([
    // Newcombe 1998, table I, method 3.
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
    // Brown, Cai and DasGupta 2001, and tables made with R's prop.test(correct = FALSE).
    [0, 10, 0, 0.2775],
    [1, 10, 0.0179, 0.4042],
    [5, 10, 0.2366, 0.7634],
    [10, 10, 0.7225, 1],
    [1, 20, 0.0089, 0.2361],
    [20, 20, 0.8389, 1],
    [0, 1, 0, 0.7935],
    [1, 1, 0.2065, 1],
  ])('of %i in %i is %f to %f', (count, of, low, high) => {
    const [from, to] = computeWilsonInterval(count, of);
    expect([from.toFixed(4), to.toFixed(4)]).toEqual([low.toFixed(4), high.toFixed(4)]);
  });

  test('contains the rate, lies within 0 and 1, and mirrors for failures', () => {
    fc.assert(
      fc.property(fc.nat(2_000), fc.integer({ min: 1, max: 2_000 }), (some, more) => {
        const [count, of] = [Math.min(some, more), Math.max(some, more)];
        const [low, high] = computeWilsonInterval(count, of);
        const [otherLow, otherHigh] = computeWilsonInterval(of - count, of);
        expect(0 <= low && low <= count / of && count / of <= high && high <= 1).toBe(true);
        expect([1 - otherHigh, 1 - otherLow].map((end) => end.toFixed(9))).toEqual(
          [low, high].map((end) => end.toFixed(9)),
        );
      }),
    );
  });

  test('is null without a try', () => {
    expect(computeRate(0, 0)).toEqual({ count: 0, of: 0, rate: null, interval: null });
  });
});

describe('computeFisherExact', () => {
  test.each([
    // The lady tasting tea (Fisher 1935), and R's fisher.test.
    [3, 4, 1, 4, 0.4857],
    [1, 12, 9, 12, 0.0028],
    [0, 20, 4, 20, 0.106],
    [0, 20, 5, 20, 0.0471],
    [0, 20, 6, 20, 0.0202],
    [0, 3, 3, 3, 0.1],
    [0, 4, 4, 4, 0.0286],
    [7, 20, 7, 20, 1],
    [0, 20, 1, 1, 0.0476],
  ])('of %i in %i and %i in %i is %f', (a, ofA, b, ofB, p) => {
    expect(computeFisherExact(a, ofA, b, ofB).toFixed(4)).toBe(p.toFixed(4));
  });
});

describe('computeFisherGreater', () => {
  test.each([
    // The lady tasting tea (Fisher 1935): 1 of 70 and 17 of 70; the others by exact fractions.
    [4, 4, 0, 4, 0.0143],
    [3, 4, 1, 4, 0.2429],
    [3, 3, 1, 3, 0.2],
    [9, 10, 3, 10, 0.0099],
    [10, 20, 5, 20, 0.0954],
    [1, 1, 1, 1, 1],
    [0, 5, 3, 5, 1],
  ])('of %i in %i and %i in %i is %f', (a, ofA, b, ofB, p) => {
    expect(computeFisherGreater(a, ofA, b, ofB).toFixed(4)).toBe(p.toFixed(4));
  });
});

describe('computeNewcombeInterval', () => {
  test.each([
    // Newcombe 1998, Statistics in Medicine 17:873-890, table II, method 10.
    [56, 70, 48, 80, 0.0524, 0.3339],
    [9, 10, 3, 10, 0.1705, 0.809],
    [6, 7, 2, 7, 0.0582, 0.8062],
    [5, 56, 0, 29, -0.0381, 0.1926],
    [0, 10, 0, 20, -0.1611, 0.2775],
    [0, 10, 0, 10, -0.2775, 0.2775],
    [10, 10, 0, 20, 0.6791, 1],
    [10, 10, 0, 10, 0.6075, 1],
  ])('of %i in %i and %i in %i is %f to %f', (a, ofA, b, ofB, low, high) => {
    expect(computeNewcombeInterval(a, ofA, b, ofB).map((end) => end.toFixed(4))).toEqual([
      low.toFixed(4),
      high.toFixed(4),
    ]);
  });

  test('contains the difference, lies within -1 and 1, and is mirrored if the samples are exchanged', () => {
    const share = fc
      .tuple(fc.nat(200), fc.integer({ min: 1, max: 200 }))
      .map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    fc.assert(
      fc.property(share, share, ([a, ofA], [b, ofB]) => {
        const [low, high] = computeNewcombeInterval(a, ofA, b, ofB);
        const difference = a / ofA - b / ofB;
        expect(-1 - 1e-9 <= low && low <= difference && difference <= high && high <= 1 + 1e-9).toBe(true);
        const [otherLow, otherHigh] = computeNewcombeInterval(b, ofB, a, ofA);
        expect([-otherHigh, -otherLow].map((end) => end.toFixed(9))).toEqual([low, high].map((end) => end.toFixed(9)));
      }),
    );
  });
});

const outcomes: { readonly [letter: string]: OutcomeName } = {
  x: 'exploited',
  p: 'partial',
  r: 'resisted',
  i: 'inconclusive',
  e: 'error',
};

/** A letter for each repeat. */
function tallyOf(letters: string) {
  return [...letters].reduce((tally, letter) => addToTally(tally, outcomes[letter] ?? 'error'), nothingYet);
}

describe('compareWithMaxRate an attack', () => {
  test.each([
    ['rrrr', 0, 'within'],
    ['rrrx', 0, 'exceeded'],
    ['rrrp', 0, 'exceeded'],
    ['rrri', 0, 'undecided'],
    ['iixe', 0, 'exceeded'],
    ['', 0, 'within'],
    ['rrrx', 0.25, 'within'],
    ['rrxx', 0.25, 'exceeded'],
    ['rrrrrrri', 0.2, 'within'],
    ['rrri', 0.2, 'undecided'],
    ['xxxx', 1, 'within'],
    // 0.29 × 100 is less than 29 in floating point.
    [`${'x'.repeat(29)}${'r'.repeat(71)}`, 0.29, 'within'],
  ])('with the outcomes %j (x is a success) and the accepted rate %f is %s', (letters, maxRate, suiteStatus) => {
    expect(compareWithMaxRate(tallyOf(letters), maxRate)).toBe(suiteStatus);
  });
});

describe('countRepeatsToSettle', () => {
  test.each([
    ['', 0, 20, 1],
    ['r', 0, 20, 1],
    ['x', 0, 20, 0],
    ['rrrrrrrrrrrrrrrrrrrr', 0, 20, 0],
    ['', 0.2, 20, 5],
    ['xxxx', 0.2, 20, 1],
    ['xxxxx', 0.2, 20, 0],
    ['rrrrrrrrrrrrrrr', 0.2, 20, 1],
    ['rrrrrrrrrrrrrrrr', 0.2, 20, 0],
    ['irrrrrrrrrrrrrrrr', 0.2, 20, 0],
    ['iiiii', 0.2, 20, 4],
    ['', 1, 5, 1],
    ['x', 1, 5, 0],
    ['', 0.5, 1, 1],
  ])(
    'after the outcomes %j (x is a success), with the accepted rate %f and %i repeats in all, is %i',
    (letters, maxRate, repeats, needed) => {
      expect(countRepeatsToSettle(tallyOf(letters), maxRate, repeats)).toBe(needed);
    },
  );

  const letters = fc.array(fc.constantFrom('x', 'p', 'r', 'i', 'e'), { minLength: 1, maxLength: 30 });
  const rate = fc.double({ min: 0, max: 1, noNaN: true });

  test('is 0 only if no further repeat can change the status', () => {
    fc.assert(
      fc.property(letters, rate, (all, maxRate) => {
        for (let done = 0; done <= all.length; done++) {
          const tally = tallyOf(all.slice(0, done).join(''));
          if (countRepeatsToSettle(tally, maxRate, all.length) > 0) continue;
          expect(compareWithMaxRate(tallyOf(all.join('')), maxRate)).toBe(compareWithMaxRate(tally, maxRate));
          return;
        }
      }),
    );
  });

  test('is never more than the repeats that are really needed', () => {
    fc.assert(
      fc.property(letters, rate, fc.nat(30), (all, maxRate, done) => {
        const now = all.slice(0, Math.min(done, all.length));
        const needed = countRepeatsToSettle(tallyOf(now.join('')), maxRate, all.length);
        for (let more = 0; more < needed; more++) {
          const then = tallyOf(all.slice(0, now.length + more).join(''));
          expect(countRepeatsToSettle(then, maxRate, all.length)).toBeGreaterThan(0);
        }
      }),
    );
  });
});
