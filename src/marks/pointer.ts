import { isValueMap, type Value } from '../model/value.ts';

// JSON Pointers (RFC 6901).

const index = /^(?:0|[1-9][0-9]*)$/;

/** The keys that a pointer is made of, or nothing where the text is no pointer. */
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

/** Whether a pointer leads to the place of another or to something in it. */
export function isWithin(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}/`);
}

/** The index that a key of a pointer means in a list of this length; `-`, the place behind the end, is none. */
export function indexIn(length: number, key: string): number | undefined {
  return index.test(key) && Number(key) < length ? Number(key) : undefined;
}

/** The value that a pointer leads to, or nothing. A value may be null, and is never undefined. */
export function valueAt(value: Value, keys: readonly string[]): Value | undefined {
  let at: Value | undefined = value;
  for (const key of keys) {
    if (Array.isArray(at)) at = (at as readonly Value[])[indexIn(at.length, key) ?? -1];
    else if (isValueMap(at) && Object.hasOwn(at, key)) at = at[key];
    else return undefined;
    if (at === undefined) return undefined;
  }
  return at;
}
