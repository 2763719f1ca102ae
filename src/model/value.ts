/** A JSON-like value: what protocols carry and documents pass through (§2.1). */
export type Value = null | boolean | number | string | readonly Value[] | ValueMap;

/** An object of JSON values. */
export interface ValueMap {
  readonly [key: string]: Value;
}

export function isValueMap(value: unknown): value is ValueMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
