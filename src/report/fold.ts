import { widthOf } from './width.ts';

// Many agents are told by what differs among them: those of whom the same is to be said are told as one.

/** Up to this many agents are told each for itself. */
export const mostTold = 4;

export interface Fold<T> {
  /** The first of those that are alike. */
  readonly first: T;
  readonly all: readonly T[];
}

/** What has the same key is told as one, in the order of the firsts. */
export function foldAlike<T>(items: readonly T[], keyOf: (item: T) => string): readonly Fold<T>[] {
  const folds = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const alike = folds.get(key);
    if (alike === undefined) folds.set(key, [item]);
    else alike.push(item);
  }
  return [...folds.values()].map((all) => ({ first: all[0] as T, all }));
}

/** `a, b and 20 more`: as many names as there is room for, and at least one. */
export function namesWithin(names: readonly string[], columns: number): string {
  const all = names.join(', ');
  if (widthOf(all) <= columns) return all;
  let told = names[0] ?? '';
  for (let number = 1; number < names.length; number++) {
    const more = `${told}, ${names[number]}`;
    if (widthOf(more) + ` and ${names.length} more`.length > columns)
      return `${told} and ${names.length - number} more`;
    told = more;
  }
  return told;
}
