const mostKept = 1_000;
/** A document may have names of any length, and a thousand long ones would take much memory. */
const longestKept = 200;

/**
 * A function of a name that caches its results. Policies see the same tools and parameters in every decision of every
 * run, and a pattern with classes of letters takes about a millisecond to compile.
 */
export function memoizeByName<T>(make: (name: string) => T): (name: string) => T {
  const kept = new Map<string, T>();
  return (name) => {
    if (name.length > longestKept) return make(name);
    const known = kept.get(name);
    if (known !== undefined) return known;
    const [oldest] = kept.keys();
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
    const made = make(name);
    kept.set(name, made);
    return made;
  };
}
