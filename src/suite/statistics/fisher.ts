// Fisher's exact tests for two rates, `a` of `ofA` and `b` of `ofB`. They are exact for small samples, and repeats are few.

/** A difference that chance produces more often than this is not called a difference. */
export const significance = 0.05;

/** Two-sided: the probability that a single rate gives two samples at least as far apart, given the totals. */
export function computeFisherExact(a: number, ofA: number, b: number, ofB: number): number {
  const { likelihood, least, most } = describeSplits(a, ofA, b, ofB);
  const seen = likelihood(a);
  let total = 0;
  for (let x = least; x <= most; x++) {
    const each = likelihood(x);
    // Splits with equal probability may differ in their last digits.
    if (each <= seen * (1 + 1e-7)) total += each;
  }
  return Math.min(total, 1);
}

/** One-sided: the probability that a single rate gives a first sample with at least `a`, given the totals. */
export function computeFisherGreater(a: number, ofA: number, b: number, ofB: number): number {
  const { likelihood, most } = describeSplits(a, ofA, b, ofB);
  let total = 0;
  for (let x = a; x <= most; x++) total += likelihood(x);
  return Math.min(total, 1);
}

/** The probability of each split of the hits between the samples, and the fewest and most hits of the first. */
function describeSplits(a: number, ofA: number, b: number, ofB: number) {
  const hits = a + b;
  const logOf = computeLogFactorials(ofA + ofB);
  const logChoose = (n: number, k: number): number => readLog(logOf, n) - readLog(logOf, k) - readLog(logOf, n - k);
  const logAll = logChoose(ofA + ofB, hits);
  return {
    likelihood: (x: number): number => Math.exp(logChoose(ofA, x) + logChoose(ofB, hits - x) - logAll),
    least: Math.max(0, hits - ofB),
    most: Math.min(ofA, hits),
  };
}

/** The logarithms of 0! to n!, each made from the one before. */
function computeLogFactorials(n: number): Float64Array {
  const logs = new Float64Array(n + 1);
  for (let factor = 2; factor <= n; factor++) logs[factor] = readLog(logs, factor - 1) + Math.log(factor);
  return logs;
}

function readLog(logs: Float64Array, index: number): number {
  return logs[index] ?? Number.NaN;
}
