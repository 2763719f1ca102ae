import { findAt, parsePointer, parsePointerIndex } from '../../../format/model/pointer.ts';
import {
  getOwnValue,
  isCollection,
  isValueMap,
  setOwn,
  type Value,
  type ValueMap,
} from '../../../format/model/value.ts';
import { isDeepEqual } from '../../../format/primitives/deep-equals.ts';

// JSON Patch (RFC 6902), which STATE_DELTA uses. Values are never changed in place: untouched parts are shared with the
// old value.

const deepest = 200;

/** The work that patches may still do. Each operation copies a list or an object, and a value copied into itself doubles. */
interface PatchBudget {
  operations: number;
  copied: number;
}

export function createPatchBudget(): PatchBudget {
  return { operations: 20_000, copied: 100_000 };
}

/** Applies a patch to a value. Returns nothing if one operation fails, because then the whole patch fails. */
export function applyPatch(root: Value, patch: Value | undefined, budget: PatchBudget): Value | undefined {
  if (!Array.isArray(patch)) return undefined;
  let value: Value | undefined = root;
  for (const operation of patch as readonly Value[]) {
    budget.operations -= 1;
    if (value === undefined || !isValueMap(operation) || budget.operations < 0) return undefined;
    value = applyOne(value, operation, budget);
  }
  return value;
}

function applyOne(root: Value, { op, path, from, value }: ValueMap, budget: PatchBudget): Value | undefined {
  const keys = parsePatchPointer(path);
  if (keys === undefined) return undefined;
  switch (op) {
    case 'add':
      return value === undefined ? undefined : put(root, keys, value, 'add');
    case 'replace':
      return value === undefined ? undefined : put(root, keys, value, 'replace');
    case 'remove':
      return removeAt(root, keys);
    case 'test':
      return value !== undefined && isAt(root, keys, value) ? root : undefined;
    case 'copy':
    case 'move': {
      const source = parsePatchPointer(from);
      const moved = source === undefined ? undefined : findAt(root, source);
      if (source === undefined || moved === undefined || !isWithin(moved, budget)) return undefined;
      const rest = op === 'move' ? removeAt(root, source) : root;
      return rest === undefined ? undefined : put(rest, keys, moved, 'add');
    }
    default:
      return undefined;
  }
}

/** Whether a value may still be copied. Shared parts are counted each time. */
function isWithin(value: Value, budget: PatchBudget): boolean {
  const pending: Value[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    budget.copied -= 1;
    if (budget.copied < 0) return false;
    if (isCollection(next)) for (const item of Object.values(next) as readonly Value[]) pending.push(item);
  }
  return true;
}

function isAt(root: Value, keys: readonly string[], value: Value): boolean {
  const found = findAt(root, keys);
  return found !== undefined && isDeepEqual(found, value);
}

/** The keys of a JSON Pointer; undefined if the value is not one, or too deep. */
export function parsePatchPointer(pointer: Value | undefined): readonly string[] | undefined {
  const keys = typeof pointer === 'string' ? parsePointer(pointer) : undefined;
  return keys !== undefined && keys.length <= deepest ? keys : undefined;
}

function put(root: Value, [key, ...rest]: readonly string[], value: Value, how: 'add' | 'replace'): Value | undefined {
  if (key === undefined) return value;
  if (Array.isArray(root)) {
    const list = root as readonly Value[];
    // Only `add` may name the position after the end.
    const length = list.length + (how === 'add' ? 1 : 0);
    const index = key === '-' && how === 'add' ? list.length : parsePointerIndex(length, key);
    if (index === undefined) return undefined;
    if (rest.length === 0 && how === 'add') return list.toSpliced(index, 0, value);
    const before = list[index];
    const after = before === undefined ? undefined : put(before, rest, value, how);
    return after === undefined ? undefined : list.with(index, after);
  }
  if (!isValueMap(root)) return undefined;
  const before = getOwnValue(root, key);
  if (rest.length === 0) return before === undefined && how === 'replace' ? undefined : copyWithKey(root, key, value);
  const after = before === undefined ? undefined : put(before, rest, value, how);
  return after === undefined ? undefined : copyWithKey(root, key, after);
}

function removeAt(root: Value, [key, ...rest]: readonly string[]): Value | undefined {
  // Removing the root leaves null, because a state is never undefined.
  if (key === undefined) return null;
  const before = findAt(root, [key]);
  if (before === undefined) return undefined;
  const after = rest.length === 0 ? undefined : removeAt(before, rest);
  if (rest.length > 0 && after === undefined) return undefined;
  if (Array.isArray(root)) {
    const list = root as readonly Value[];
    const index = Number(key);
    return after === undefined ? list.toSpliced(index, 1) : list.with(index, after);
  }
  const { [key]: _, ...others } = root as ValueMap;
  return after === undefined ? others : copyWithKey(root as ValueMap, key, after);
}

function copyWithKey(map: ValueMap, key: string, value: Value): ValueMap {
  const copy: Record<string, Value> = { ...map };
  setOwn(copy, key, value);
  return copy;
}
