import { GeneratedValue } from './generated-value.ts';
import { WrittenNumber } from './written-number.ts';

/** A JSON-like value: what protocols carry and documents pass through (§2.1). */
export type Value = null | boolean | number | WrittenNumber | string | readonly Value[] | ValueMap;

/** An object of JSON values. */
export interface ValueMap {
  readonly [key: string]: Value;
}

export function isValueMap(value: unknown): value is ValueMap {
  return isCollection(value) && !Array.isArray(value);
}

/** A list or an object: what has values within it. */
export function isCollection(value: unknown): value is readonly Value[] | ValueMap {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof WrittenNumber) &&
    !(value instanceof GeneratedValue)
  );
}

/** An object of these entries, whose keys stay in this order. Of a key that comes twice the last value stays. */
export function mapOf(entries: readonly (readonly [key: string, value: Value])[]): ValueMap {
  const map: Record<string, Value> = {};
  for (const [key, value] of entries) setOwn(map, key, value);
  return inKeyOrder(
    map,
    entries.map(([key]) => key),
  );
}

/**
 * The object with its keys in this order for whoever lists them, `JSON.stringify` too. JavaScript lists keys that look
 * like an index first, from small to large; an object without such keys, or with all of them in that place, stays itself.
 */
export function inKeyOrder(map: ValueMap, keys: readonly string[]): ValueMap {
  if (!keys.some(isIndex)) return map;
  const order = [...new Set(keys)];
  const indices = order.filter(isIndex).sort((a, b) => Number(a) - Number(b));
  if (indices.every((key, place) => key === order[place])) return map;
  return new Proxy(map, { ownKeys: () => order });
}

function isIndex(key: string): boolean {
  // Hardly any key begins with a digit, and every key of every document comes by.
  return key.charCodeAt(0) <= 0x39 && /^(?:0|[1-9]\d{0,9})$/.test(key);
}

/** Looks up an own key only, so that `constructor` or `__proto__` are plain data like any other key. */
export function ownValue<T>(map: { readonly [key: string]: T }, key: string): T | undefined {
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

/** For `default:` branches: a case that was added and not handled does not compile. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
