import type { Path } from '../../format/model/path.ts';
import { isValueMap, setOwn, type Value } from '../../format/model/value.ts';

/** A copy of the value with null at the given paths. List items keep their index, so other paths still resolve. */
export function blankPaths(value: Value, paths: readonly Path[]): Value {
  if (paths.length === 0) return value;
  const within = new Map<string | number, Path[]>();
  for (const [first, ...rest] of paths) {
    if (first === undefined) return null;
    within.set(first, [...(within.get(first) ?? []), rest]);
  }
  if (Array.isArray(value)) return value.map((item: Value, index) => blankPaths(item, within.get(index) ?? []));
  if (!isValueMap(value)) return value;
  const kept: Record<string, Value> = {};
  for (const [key, item] of Object.entries(value)) setOwn(kept, key, blankPaths(item, within.get(key) ?? []));
  return kept;
}
