import { measureWidth } from './text-width.ts';

// With many agents, reports show the differences: agents with the same result share one entry.

/** Up to this many agents get entries of their own. */
export const mostSeparateAgents = 4;

export interface AlikeGroup<T> {
  /** The first of the items that are alike. */
  readonly first: T;
  readonly all: readonly T[];
}

/** Groups items with the same key, in the order of the first item of each group. */
export function groupAlike<T>(items: readonly T[], createKey: (item: T) => string): readonly AlikeGroup<T>[] {
  const folds = new Map<string, T[]>();
  for (const item of items) {
    const key = createKey(item);
    const alike = folds.get(key);
    if (alike === undefined) folds.set(key, [item]);
    else alike.push(item);
  }
  return [...folds.values()].map((all) => ({ first: all[0] as T, all }));
}

/** `a, b and 20 more`: as many names as fit, and at least one. */
export function joinNamesWithin(names: readonly string[], columns: number): string {
  const all = names.join(', ');
  if (measureWidth(all) <= columns) return all;
  let fitting = names[0] ?? '';
  for (let number = 1; number < names.length; number++) {
    const more = `${fitting}, ${names[number]}`;
    if (measureWidth(more) + ` and ${names.length} more`.length > columns)
      return `${fitting} and ${names.length - number} more`;
    fitting = more;
  }
  return fitting;
}
