import type { Path } from '../../format/model/path.ts';
import { isValueMap, setOwn, type Value } from '../../format/model/value.ts';
import { replaceResponse } from '../../format/primitives/message-value.ts';

/** Copies a value without what stands at the given paths. Parts that are not on the way to them are shared. */
export function removePaths(value: Value, paths: readonly Path[]): Value {
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
      removed.has(index) ? [] : [removePaths(item, deeper.get(index) ?? [])],
    );
  if (!isValueMap(value)) return value;
  const kept: Record<string, Value> = {};
  for (const [key, item] of Object.entries(value))
    if (!removed.has(key)) setOwn(kept, key, removePaths(item, deeper.get(key) ?? []));
  return replaceResponse(value, kept);
}
