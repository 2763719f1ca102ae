/** Caches a function of a part of a document: it computes once for each part, and forgets the result with the part. */
export function cacheByPart<Part extends object, Result>(compute: (part: Part) => Result): (part: Part) => Result {
  const known = new WeakMap<Part, Result>();
  return (part) => {
    let result = known.get(part);
    if (result === undefined) {
      result = compute(part);
      known.set(part, result);
    }
    return result;
  };
}
