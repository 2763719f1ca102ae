/**
 * Fisher's exact test, two-sided: the probability that a single rate gives two samples at least as far apart as `a` of
 * `ofA` and `b` of `ofB`, given the totals. It is exact for small samples, and repeats are few.
 */
export function computeFisherExact(a: number, ofA: number, b: number, ofB: number): number {
  const hits = a + b;
  const logOf = computeLogFactorials(ofA + ofB);
  const logChoose = (n: number, k: number): number => readLog(logOf, n) - readLog(logOf, k) - readLog(logOf, n - k);
  const logAll = logChoose(ofA + ofB, hits);
  const likelihood = (x: number): number => Math.exp(logChoose(ofA, x) + logChoose(ofB, hits - x) - logAll);
  const seen = likelihood(a);
  let total = 0;
  for (let x = Math.max(0, hits - ofB); x <= Math.min(ofA, hits); x++) {
    const each = likelihood(x);
    // Splits with equal probability may differ in their last digits.
    if (each <= seen * (1 + 1e-7)) total += each;
  }
  return Math.min(total, 1);
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
