import { computeWilsonInterval } from './compute-figures.ts';

/**
 * Newcombe's interval with 95 % confidence (method 10 of Newcombe 1998, Statistics in Medicine 17:873–890) for the
 * difference of the true rates, when something happened `a` times in `ofA` tries and `b` times in `ofB` others. It is made
 * from the Wilson intervals of the two rates.
 */
export function computeNewcombeInterval(
  a: number,
  ofA: number,
  b: number,
  ofB: number,
): readonly [low: number, high: number] {
  const [rateA, rateB] = [a / ofA, b / ofB];
  const [lowA, highA] = computeWilsonInterval(a, ofA);
  const [lowB, highB] = computeWilsonInterval(b, ofB);
  const difference = rateA - rateB;
  return [difference - Math.hypot(rateA - lowA, highB - rateB), difference + Math.hypot(highA - rateA, rateB - lowB)];
}
