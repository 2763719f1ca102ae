import type { Rate } from '../../format/model/results-file.ts';

/** The quantile of the normal distribution that leaves 2.5 % above it. */
const z = 1.959_963_984_540_054;

/**
 * Wilson's score interval with 95 % confidence (Wilson 1927; method 3 of Newcombe 1998): the range of the true rate
 * when something happened `count` times in `of` tries. Unlike the textbook interval it never has width zero.
 */
export function computeWilsonInterval(count: number, of: number): readonly [low: number, high: number] {
  const middle = (2 * count + z * z) / (2 * (of + z * z));
  const reach = (z * Math.sqrt(z * z + (4 * count * (of - count)) / of)) / (2 * (of + z * z));
  // At the ends the two terms are equal, and only rounding keeps them apart.
  return [count === 0 ? 0 : middle - reach, count === of ? 1 : middle + reach];
}

/** How often something happened, with its interval. */
export function computeRate(count: number, of: number): Rate {
  if (of === 0) return { count, of, rate: null, interval: null };
  return { count, of, rate: count / of, interval: computeWilsonInterval(count, of) };
}
