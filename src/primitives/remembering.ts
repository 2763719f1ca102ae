/** A function of a part of a document that computes once for each part, as long as the part lives. */
export function remembering<Part extends object, Result>(
  compute: (part: Part) => Result,
): (part: Part) => Result {
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
