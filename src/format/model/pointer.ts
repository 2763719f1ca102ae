import { isValueMap, type Value } from './value.ts';

// JSON Pointers (RFC 6901).

const index = /^(?:0|[1-9][0-9]*)$/;

/** Splits a pointer into its keys; undefined if the text is not a pointer. */
export function parsePointer(pointer: string): readonly string[] | undefined {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function formatPointer(keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Whether a pointer leads to the same value as another, or into it. */
export function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** The list index that a pointer's key means; undefined if it is not one. `-`, the position after the end, is not. */
export function parsePointerIndex(length: number, key: string): number | undefined {
  return index.test(key) && Number(key) < length ? Number(key) : undefined;
}

/** The value at a pointer; undefined if there is none. Null is a value. */
export function findAt(value: Value | undefined, keys: readonly string[]): Value | undefined {
  let at = value;
  for (const key of keys) {
    if (Array.isArray(at)) at = (at as readonly Value[])[parsePointerIndex(at.length, key) ?? -1];
    else if (isValueMap(at) && Object.hasOwn(at, key)) at = at[key];
    else return undefined;
    if (at === undefined) return undefined;
  }
  return at;
}
