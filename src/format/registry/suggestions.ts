/** Old words and their successors, for hints to users of an old word. */
const successors: ReadonlyMap<string, string> = new Map([
  ['delivered', 'reached'],
  ['engaged', 'strict'],
  ['all-phases', 'payload'],
]);

/** The candidate that a misspelled word probably means; undefined if none is near, which depends on its length. */
export function findNearest(
  word: string,
  candidates: Iterable<string>,
  limit = word.length < 5 ? 1 : word.length < 9 ? 2 : 3,
): string | undefined {
  if (word.length > 64) return undefined;
  let best: string | undefined;
  let bestDistance = limit + 1;
  const successor = successors.get(word);
  for (const candidate of candidates) {
    if (candidate === successor) return candidate;
    const distance = computeEditDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** The hint for a misspelled word, if a candidate is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const meant = findNearest(word, candidates);
  return meant === undefined ? undefined : `did you mean ${meant}?`;
}

/** Two neighbouring letters that change places are one edit. */
function computeEditDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  let beforePrevious = previous;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwapped ? (beforePrevious[j - 2] ?? 0) + 1 : change;
      row.push(Math.min(change, swap, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    [beforePrevious, previous] = [previous, row];
  }
  return previous[b.length] ?? 0;
}
