import { type CelInput, type CelMap, celUint, isCelList, isCelMap, isCelUint } from '@bufbuild/cel';
import { isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { parseWrittenNumber, toExactInteger, WrittenNumber } from '../model/written-number.ts';

// CEL sees JSON through these views, not through a copy, so only what an expression touches is converted. They also correct
// the library's own conversion: JSON integers become CEL ints (`count + 1` works), and `has()` is true for a field whose
// value is null.

// The library recognises its collections by these registered symbols.
export const listMark: unique symbol = Symbol.for('@bufbuild/cel/list');
const mapMark = Symbol.for('@bufbuild/cel/map');

type CelView = ReturnType<CelMap['get']>;

export function toCelView(value: Value): CelInput {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof WrittenNumber) return toCelNumber(value);
  return (isValueMap(value) ? new JsonMapView(value) : new JsonListView(value)) as unknown as CelInput;
}

/** An int or a uint if either can hold the number, else the nearest double. */
function toCelNumber(value: WrittenNumber): CelInput {
  const integer = toExactInteger(value, mostDigits);
  if (integer === undefined) return Number(value);
  if (BigInt.asIntN(64, integer) === integer) return integer;
  return BigInt.asUintN(64, integer) === integer ? celUint(integer) : Number(value);
}

/** The number of digits of the largest uint. */
const mostDigits = 20;

const view = toCelView as (value: Value) => CelView;

class JsonListView {
  readonly [listMark] = {};
  readonly #items: readonly Value[];

  constructor(items: readonly Value[]) {
    this.#items = items;
  }

  get size(): number {
    return this.#items.length;
  }

  get(index: number): CelView {
    const item = this.#items[index];
    return item === undefined ? undefined : view(item);
  }

  *values(): Generator<CelView> {
    for (const item of this.#items) yield view(item);
  }

  [Symbol.iterator](): Generator<CelView> {
    return this.values();
  }

  unwrap(): readonly Value[] {
    return this.#items;
  }
}

class JsonMapView {
  readonly [mapMark] = {};
  readonly #map: ValueMap;

  constructor(map: ValueMap) {
    this.#map = map;
  }

  get size(): number {
    return Object.keys(this.#map).length;
  }

  get(key: unknown): CelView {
    if (typeof key !== 'string' || !Object.hasOwn(this.#map, key)) return undefined;
    const value = this.#map[key];
    return value === undefined ? undefined : view(value);
  }

  has(key: unknown): boolean {
    return typeof key === 'string' && Object.hasOwn(this.#map, key);
  }

  *entries(): Generator<[string, CelView]> {
    for (const [key, value] of Object.entries(this.#map)) yield [key, view(value)];
  }

  *keys(): Generator<string> {
    yield* Object.keys(this.#map);
  }

  *values(): Generator<CelView> {
    for (const value of Object.values(this.#map)) yield view(value);
  }

  forEach(callback: (value: CelView, key: string, map: this) => void): void {
    for (const [key, value] of this.entries()) callback(value, key, this);
  }

  [Symbol.iterator](): Generator<[string, CelView]> {
    return this.entries();
  }

  unwrap(): ValueMap {
    return this.#map;
  }
}

/** Far more than a real result has. Lists that share their items could expand without end. */
const maximumResultItems = 100_000;

/** Converts a CEL result to JSON; undefined for types that JSON lacks (bytes, timestamps, types). */
export function fromCelResult(result: unknown, budget = { items: maximumResultItems }): Value | undefined {
  if (--budget.items < 0) return undefined;
  if (result === null || typeof result === 'boolean' || typeof result === 'string' || typeof result === 'number')
    return result;
  if (typeof result === 'bigint') return parseWrittenNumber(String(result));
  if (isCelUint(result)) return parseWrittenNumber(String(result.value));
  if (result instanceof JsonListView || result instanceof JsonMapView) return result.unwrap();
  if (isCelList(result)) {
    const items = [...result].map((item) => fromCelResult(item, budget));
    return items.includes(undefined) ? undefined : (items as Value[]);
  }
  if (isCelMap(result)) {
    const entries = [...result].map(([key, item]) => [String(key), fromCelResult(item, budget)] as const);
    return entries.some(([, item]) => item === undefined) ? undefined : (Object.fromEntries(entries) as ValueMap);
  }
  return undefined;
}
