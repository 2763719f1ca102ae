import { GeneratedValue } from './generated-value.ts';
import { WrittenNumber } from './written-number.ts';

/** A JSON-like value: the content of protocol messages and of document parts that are passed through (SDK spec §2.1). */
export type Value = null | boolean | number | WrittenNumber | string | readonly Value[] | ValueMap;

/** An object of JSON values. */
export interface ValueMap {
  readonly [key: string]: Value;
}

export function isValueMap(value: unknown): value is ValueMap {
  return isCollection(value) && !Array.isArray(value);
}

/** Whether the value is a list or an object. */
export function isCollection(value: unknown): value is readonly Value[] | ValueMap {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof WrittenNumber) &&
    !(value instanceof GeneratedValue)
  );
}

/** The fields of an object; those that may be undefined become optional. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Leaves out the fields that are undefined. */
export function dropUndefined<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** The value if it is an object, or an empty object. */
export function toMap(value: Value | undefined): ValueMap {
  return isValueMap(value) ? value : {};
}

/** The items of a list; none if the value is not a list. */
export function toList(value: Value | undefined): readonly Value[] {
  return Array.isArray(value) ? (value as readonly Value[]) : [];
}

/** The objects in a list; none if the value is not a list. */
export function toMaps(value: Value | undefined): readonly ValueMap[] {
  return toList(value).filter(isValueMap);
}

/** Makes an object that lists its keys in the order of the entries. If a key comes twice, the last value counts. */
export function createMap(entries: readonly (readonly [key: string, value: Value])[]): ValueMap {
  const map: Record<string, Value> = {};
  for (const [key, value] of entries) setOwn(map, key, value);
  return sortKeys(
    map,
    entries.map(([key]) => key),
  );
}

/**
 * Makes an object list its keys in the given order, for `JSON.stringify` too. JavaScript lists keys that look like an index
 * first, in ascending order. An object without such keys, or with all of them already there, is returned as it is.
 */
export function sortKeys(map: ValueMap, keys: readonly string[]): ValueMap {
  if (!keys.some(isIndex)) return map;
  const order = [...new Set(keys)];
  const indices = order.filter(isIndex).sort((a, b) => Number(a) - Number(b));
  if (indices.every((key, place) => key === order[place])) return map;
  return new Proxy(map, { ownKeys: () => order });
}

function isIndex(key: string): boolean {
  // A quick test first: few keys begin with a digit, and this runs for every key of every document.
  return key.charCodeAt(0) <= 0x39 && /^(?:0|[1-9]\d{0,9})$/.test(key);
}

/** Looks up own keys only, so that `constructor` and `__proto__` are plain data like any other key. */
export function getOwnValue<T>(map: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Sets a key as data; plain assignment to `__proto__` would change the prototype instead. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/** For `default:` branches: a case that was added but not handled does not compile. */
export function failUnreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
