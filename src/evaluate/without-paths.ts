import type { Path } from '../model/path.ts';
import { isValueMap, setOwn, type Value } from '../model/value.ts';
import { inPlaceOf } from '../primitives/message-value.ts';

/** Copies a value without what stands at the given paths. Parts that are not on the way to them are shared. */
export function withoutPaths(value: Value, paths: readonly Path[]): Value {
  if (paths.length === 0) return value;
  const removed = new Set<string | number>();
  const deeper = new Map<string | number, Path[]>();
  for (const [first, ...rest] of paths) {
    if (first === undefined) return Array.isArray(value) ? [] : isValueMap(value) ? {} : '';
    if (rest.length === 0) removed.add(first);
    else deeper.set(first, [...(deeper.get(first) ?? []), rest]);
  }
  if (Array.isArray(value))
    return value.flatMap((item: Value, index) =>
      removed.has(index) ? [] : [withoutPaths(item, deeper.get(index) ?? [])],
    );
  if (!isValueMap(value)) return value;
  const kept: Record<string, Value> = {};
  for (const [key, item] of Object.entries(value))
    if (!removed.has(key)) setOwn(kept, key, withoutPaths(item, deeper.get(key) ?? []));
  return inPlaceOf(value, kept);
}
