/**
 * A number that JavaScript would write differently: 9007199254740993, 1e400, -0.0, 1.0. All other numbers of documents and
 * messages are plain `number`s. `Number(it)` gives the nearest one.
 */
export class WrittenNumber {
  readonly #text: string;

  /** `text` is a number as JSON spells it. */
  constructor(text: string) {
    this.#text = text;
  }

  /** The number as it was written. */
  toString(): string {
    return this.#text;
  }

  valueOf(): number {
    return Number(this.#text);
  }

  /** The value for `JSON.stringify`. `stringifyJson` writes the number as it was written. */
  toJSON(): number {
    noteWritten();
    return Number(this.#text);
  }
}

/**
 * Counts calls of `toJSON`. `JSON.stringify` calls it on every such value, so the count shows at no cost whether it met any.
 */
let met = 0;

export function noteWritten(): void {
  met += 1;
}

export function countWrittenNumbers(): number {
  return met;
}

/** Reads a JSON number: as a plain `number`, unless JavaScript would write that one differently. */
export function parseWrittenNumber(text: string): number | WrittenNumber {
  const value = Number(text);
  return String(value) === text ? value : new WrittenNumber(text);
}

export function isNumeric(value: unknown): value is number | WrittenNumber {
  return typeof value === 'number' || value instanceof WrittenNumber;
}

/** The exact integer, if the number is an integer of at most `digits` digits. */
export function toExactInteger(value: WrittenNumber, digits: number): bigint | undefined {
  const decimal = toDecimal(value);
  if (decimal.digits === '') return 0n;
  const size = decimal.digits.length + decimal.exponent;
  if (decimal.exponent < 0 || size > digits) return undefined;
  const magnitude = BigInt(decimal.digits + '0'.repeat(decimal.exponent));
  return decimal.negative ? -magnitude : magnitude;
}

/** Compares by mathematical value, as for sorting: below zero, zero or above zero. NaN compared with anything gives NaN. */
export function compareNumbers(left: number | WrittenNumber, right: number | WrittenNumber): number {
  if (typeof left === 'number' && typeof right === 'number')
    return left < right ? -1 : left > right ? 1 : left === right ? 0 : Number.NaN;
  if (!isDecimal(left) || !isDecimal(right)) return Number(left) - Number(right);
  const [a, b] = [toDecimal(left), toDecimal(right)];
  if (a.digits === '' && b.digits === '') return 0;
  if (a.negative !== b.negative) return a.negative ? -1 : 1;
  return a.negative ? compareMagnitudes(b, a) : compareMagnitudes(a, b);
}

/** Infinity and NaN have no digits. */
function isDecimal(value: number | WrittenNumber): boolean {
  return typeof value !== 'number' || Number.isFinite(value);
}

/** `digits` × 10 ^ `exponent`, without zeros at either end; zero has no digits. */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

function toDecimal(value: number | WrittenNumber): Decimal {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(String(value)) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  // A loop, because `/0+$/` would rescan every run of zeros in the middle.
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  if (end === 0) return { negative: false, digits: '', exponent: 0 };
  return {
    negative: sign === '-',
    digits: digits.slice(0, end),
    exponent: Number(exponent) - fraction.length + (digits.length - end),
  };
}

function compareMagnitudes(a: Decimal, b: Decimal): number {
  if (a.digits === '' || b.digits === '') return a.digits.length - b.digits.length;
  const difference = a.digits.length + a.exponent - (b.digits.length + b.exponent);
  if (difference !== 0) return difference;
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -1 : 1;
}
