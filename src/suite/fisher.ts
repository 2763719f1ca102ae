/**
 * Fisher's exact test, two-sided: how likely it is that one rate alone gives two samples at least as far apart as
 * `a` of `ofA` and `b` of `ofB` are, given how many there are in all. It is exact for small samples, which repeats are.
 */
export function fisherExact(a: number, ofA: number, b: number, ofB: number): number {
  const hits = a + b;
  const logAll = logChoose(ofA + ofB, hits);
  const likelihood = (x: number): number => Math.exp(logChoose(ofA, x) + logChoose(ofB, hits - x) - logAll);
  const seen = likelihood(a);
  let total = 0;
  for (let x = Math.max(0, hits - ofB); x <= Math.min(ofA, hits); x++) {
    const each = likelihood(x);
    // Splits that are equally likely may differ in their last digits.
    if (each <= seen * (1 + 1e-7)) total += each;
  }
  return Math.min(total, 1);
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

function logFactorial(n: number): number {
  let sum = 0;
  for (let factor = 2; factor <= n; factor++) sum += Math.log(factor);
  return sum;
}
