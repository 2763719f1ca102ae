import {
  type CelFunc,
  type CelList,
  CelScalar,
  type CelUint,
  type CelValue,
  celEnv,
  celFunc,
  celMethod,
  isCelError,
  isCelList,
  isCelMap,
  listType,
} from '@bufbuild/cel';
import { listMark } from './json-view.ts';

// Replacements for library functions whose cost does not depend on the size of the expression: thirty short calls can double
// a text thirty times. The replacements do the same and count the cost.

/** The characters and bytes that one evaluation may build up. A list item counts as eight. */
const maximumGrowth = 16_000_000;
const itemSize = 8;
const stepsBetweenLooks = 256;
/** More digits than any int or uint has. Reading a number takes more than linear time. */
const longestNumber = 64;

export interface Meter {
  /** Throws when the time is up. */
  step(): void;
  /** Throws when an evaluation has built up too much. */
  grow(size: number): void;
  restart(): void;
}

export function createMeter(look: () => void): Meter {
  let steps = 0;
  let grown = 0;
  return {
    step() {
      if (++steps % stepsBetweenLooks === 0) look();
    },
    grow(size) {
      grown += size;
      if (grown > maximumGrowth) throw new Error('expression makes values that are too large');
    },
    restart() {
      steps = 0;
      grown = 0;
    },
  };
}

const { BOOL, BYTES, DYN, INT, STRING, UINT } = CelScalar;
const list = listType(DYN);
const standard = celEnv().funcs;

export function createBoundedFunctions(meter: Meter): CelFunc[] {
  const equal = (left: CelValue, right: CelValue): boolean => {
    if (left === right) return true;
    if (isCelList(left) && isCelList(right)) return equalLists(left, right);
    if (isCelMap(left) && isCelMap(right)) {
      if (left.size !== right.size) return false;
      for (const [key, item] of left) {
        meter.step();
        const other = right.get(key);
        if (other === undefined || !equal(item, other)) return false;
      }
      return true;
    }
    return standard.find('_==_')?.call(0, undefined, [left, right]) === true;
  };
  const equalLists = (left: CelList, right: CelList): boolean => {
    if (left.size !== right.size) return false;
    const others = right.values();
    for (const item of left) {
      meter.step();
      if (!equal(item, others.next().value as CelValue)) return false;
    }
    return true;
  };
  const isIn = (value: CelValue, items: CelList): boolean => {
    for (const item of items) {
      meter.step();
      if (equal(item, value)) return true;
    }
    return false;
  };
  return [
    celFunc('_==_', [DYN, DYN], BOOL, equal),
    celFunc('_!=_', [DYN, DYN], BOOL, (left, right) => !equal(left, right)),
    celFunc('@in', [DYN, list], BOOL, isIn),
    celFunc('_+_', [STRING, STRING], STRING, (left, right) => {
      meter.grow(left.length + right.length);
      return left + right;
    }),
    celFunc('_+_', [BYTES, BYTES], BYTES, (left, right) => {
      meter.grow(left.length + right.length);
      const joined = new Uint8Array(left.length + right.length);
      joined.set(left);
      joined.set(right, left.length);
      return joined;
    }),
    celFunc('_+_', [list, list], list, (left, right) => append(left, right, meter)),
    celFunc('size', [STRING], INT, countCharacters),
    celMethod('size', STRING, [], INT, function () {
      return countCharacters(this);
    }),
    celFunc('int', [STRING], INT, (text) => readNumber('int', text) as bigint),
    celFunc('uint', [STRING], UINT, (text) => readNumber('uint', text) as CelUint),
  ];
}

function countCharacters(text: string): bigint {
  let count = 0;
  for (const _ of text) count += 1;
  return BigInt(count);
}

/** The library also accepts whatever JavaScript reads as a number: the empty text, spaces, `0x10`. */
const numbers = { int: /^[+-]?\d+$/, uint: /^\d+$/ };

function readNumber(type: 'int' | 'uint', text: string): CelValue {
  if (!numbers[type].test(text))
    throw new Error(`${JSON.stringify(text.slice(0, longestNumber))} is not a valid ${type}`);
  if (text.length > longestNumber) throw new Error(`${type} overflow during type conversion`);
  const result = standard.find(type)?.call(0, undefined, [text]);
  if (result === undefined || isCelError(result)) throw result;
  return result;
}

/**
 * A list that `map` and `filter` build item by item. All stages share one array and differ only in how much of it they see,
 * so appending to the last stage copies nothing. The library nests each list in the next, which overflows the stack after a
 * few thousand items.
 */
class AppendedList {
  readonly [listMark] = {};
  readonly #items: CelValue[];
  readonly size: number;

  constructor(items: CelValue[]) {
    this.#items = items;
    this.size = items.length;
  }

  /** The shared array, if nothing has been appended to this stage yet. */
  static openItems(list: CelList): CelValue[] | undefined {
    return list instanceof AppendedList && list.#items.length === list.size ? list.#items : undefined;
  }

  get(index: number): CelValue | undefined {
    return index < this.size ? this.#items[index] : undefined;
  }

  *values(): Generator<CelValue> {
    for (let index = 0; index < this.size; index++) yield this.#items[index] as CelValue;
  }

  [Symbol.iterator](): Generator<CelValue> {
    return this.values();
  }
}

function append(left: CelList, right: CelList, meter: Meter): CelList {
  const open = AppendedList.openItems(left);
  meter.grow(itemSize * (open === undefined ? left.size + right.size : right.size));
  const items = open ?? [...left];
  for (const item of right) items.push(item);
  return new AppendedList(items) as unknown as CelList;
}
