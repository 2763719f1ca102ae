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
import { addTextWork, addWork, readWork } from './counted-work.ts';
import { listMark } from './json-view.ts';

// Replacements for library functions whose cost depends on more than the size of the expression: thirty short calls can
// double a text thirty times. The replacements do the same and count the cost.

/** The characters and bytes that one evaluation may build up. A list item counts as eight. */
const maximumGrowth = 16_000_000;
const itemSize = 8;
/** More digits than any int or uint has. Reading a number takes more than linear time. */
const longestNumber = 64;

export interface Meter {
  /** Counts the evaluation of that many parts of an expression. Throws when an evaluation takes too many steps. */
  count(parts: number): void;
  /** Counts the reading of a text or of bytes. */
  read(length: number): void;
  /** Whether an evaluation took too many steps. An expression can hide that error: `… || true`. */
  isExceeded(): boolean;
  /** Throws when an evaluation has built up too much. */
  grow(size: number): void;
  restart(): void;
}

/** The steps of one part of an expression: a call, a field, a literal. */
const stepsPerPart = 10;

export function createMeter(steps: number): Meter {
  let until = 0;
  let exceeded = false;
  let grown = 0;
  const check = (): void => {
    exceeded ||= readWork() > until;
    if (exceeded) throw new Error('too many steps');
  };
  return {
    count(parts) {
      addWork(stepsPerPart * parts);
      check();
    },
    read(length) {
      addTextWork(length);
      check();
    },
    isExceeded: () => exceeded || readWork() > until,
    grow(size) {
      grown += size;
      addTextWork(size);
      if (grown > maximumGrowth) throw new Error('expression makes values that are too large');
    },
    restart() {
      until = readWork() + steps;
      exceeded = false;
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
        meter.count(1);
        const other = right.get(key);
        if (other === undefined || !equal(item, other)) return false;
      }
      return true;
    }
    meter.read(Math.min(measureText(left), measureText(right)));
    return standard.find('_==_')?.call(0, undefined, [left, right]) === true;
  };
  const equalLists = (left: CelList, right: CelList): boolean => {
    if (left.size !== right.size) return false;
    const others = right.values();
    for (const item of left) {
      meter.count(1);
      if (!equal(item, others.next().value as CelValue)) return false;
    }
    return true;
  };
  const isIn = (value: CelValue, items: CelList): boolean => {
    for (const item of items) {
      meter.count(1);
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
    celFunc('size', [STRING], INT, (text) => countCharacters(text, meter)),
    celMethod('size', STRING, [], INT, function () {
      return countCharacters(this, meter);
    }),
    ...['contains', 'startsWith', 'endsWith'].map((name) =>
      celMethod(name, STRING, [STRING], BOOL, function (part) {
        meter.read(name === 'contains' ? this.length : part.length);
        return standard.find(name)?.call(0, this, [part]) === true;
      }),
    ),
    ...['_<_', '_<=_', '_>_', '_>=_'].flatMap((name) =>
      [STRING, BYTES].map((type) =>
        celFunc(name, [type, type], BOOL, (left, right) => {
          meter.read(Math.min(measureText(left), measureText(right)));
          return standard.find(name)?.call(0, undefined, [left, right]) === true;
        }),
      ),
    ),
    celFunc('bytes', [STRING], BYTES, (text) => {
      meter.grow(text.length);
      return standard.find('bytes')?.call(0, undefined, [text]) as Uint8Array;
    }),
    celFunc('int', [STRING], INT, (text) => readNumber('int', text) as bigint),
    celFunc('uint', [STRING], UINT, (text) => readNumber('uint', text) as CelUint),
  ];
}

function measureText(value: CelValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;
}

function countCharacters(text: string, meter: Meter): bigint {
  meter.read(text.length);
  let pairs = 0;
  for (let index = 1; index < text.length; index += 1)
    if (isSurrogate(text, index, 0xdc00) && isSurrogate(text, index - 1, 0xd800)) pairs += 1;
  return BigInt(text.length - pairs);
}

function isSurrogate(text: string, index: number, first: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === first;
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
