import { findReadableText, isReadableAscii } from './readable-text.ts';

// This runs for every message and for every reading of it, so most bytes are never decoded.

/** A separator between the lines of a long text, or between parts that were sent one by one. */
const separator = 64;
/** Any other character. It ends a run. */
const other = 65;

/** The 6 bits of each character in either alphabet. */
const values = new Uint8Array(128).fill(other);
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
for (const [value, letter] of [...letters].entries()) values[letter.charCodeAt(0)] = value;
for (const [characters, value] of [
  ['+-', 62],
  ['/_', 63],
  ['\t\n\v\f\r "\',', separator],
] as const)
  for (const character of characters) values[character.charCodeAt(0)] = value;

function readBase64Bits(code: number): number {
  if (code < values.length) return values[code] ?? other;
  return /\s/.test(String.fromCharCode(code)) ? separator : other;
}

/**
 * Decodes runs of base64 in either alphabet, with or without padding. A run may begin anywhere among other letters, so it is
 * decoded from each of four offsets.
 */
export function fromBase64(text: string, shortest: number): readonly string[] {
  const found: readonly string[][] = [[], [], [], []];
  /** The values of one run after the other. */
  const run = new Uint8Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const value = readBase64Bits(text.charCodeAt(at));
    if (value < separator) run[length++] = value;
    else if (value === other) {
      decodeRun(run, length, shortest, found);
      length = 0;
    }
  }
  decodeRun(run, length, shortest, found);
  return found.flatMap((parts) => (parts.length === 0 ? [] : [parts.join('\n')]));
}

/** Adds what is readable in a run to what was found at each offset. */
function decodeRun(run: Uint8Array, values: number, shortest: number, found: readonly string[][]): void {
  for (let offset = 0; offset < found.length; offset++) {
    const length = ((values - offset) * 3) >> 2;
    if (!mayBeReadable(run, offset, length, shortest)) continue;
    const readable = findReadableText(decodeBase64Run(run, offset, length), shortest);
    if (readable !== undefined) found[offset]?.push(readable);
  }
}

/**
 * Whether that many bytes in a row may be readable, or all of them. The last byte of such a row is checked first: if it
 * is not readable, the bytes before it need no check.
 */
function mayBeReadable(run: Uint8Array, offset: number, length: number, shortest: number): boolean {
  // A single byte is too little, see `findReadableText`.
  if (length < 2 && length < shortest) return false;
  if (mayBeWide(run, offset, length)) return true;
  const row = Math.min(shortest, length);
  let from = 0;
  while (from + row <= length) {
    let at = from + row - 1;
    while (at >= from && !isUnreadable(run, offset, at, length)) at -= 1;
    if (at < from) return true;
    from = at + 1;
  }
  return false;
}

/** Whether a few bytes in the middle look like UTF-16 of a Latin text. */
function mayBeWide(run: Uint8Array, offset: number, length: number): boolean {
  const from = length >> 1;
  if (length < 2 * sampled) return false;
  const zeros = [0, 0];
  for (let at = 0; at < sampled; at++)
    if (readByte(run, offset, from + at) === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
  return Math.abs((zeros[0] ?? 0) - (zeros[1] ?? 0)) >= sampled / 2 - 1;
}

const sampled = 8;

/** Whether a byte is part of no readable character, as far as it and the bytes beside it tell. */
function isUnreadable(run: Uint8Array, offset: number, at: number, length: number): boolean {
  const byte = readByte(run, offset, at);
  if (byte < 0x80) return !isReadableAscii(byte);
  if (byte < 0xc0) return at === 0 || readByte(run, offset, at - 1) < 0x80;
  return at + 1 === length || (readByte(run, offset, at + 1) & 0xc0) !== 0x80;
}

/** Three bytes are four values, so each byte is in two of them. */
function readByte(run: Uint8Array, offset: number, at: number): number {
  const triple = (at / 3) | 0;
  const index = offset + at + triple;
  const high = run[index] ?? 0;
  const low = run[index + 1] ?? 0;
  return (((high << 6) | low) >> (4 - 2 * (at - 3 * triple))) & 0xff;
}

function decodeBase64Run(run: Uint8Array, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at++) bytes[at] = readByte(run, offset, at);
  return bytes;
}

const hexRun = /(?:(?:\\x|0x)?[0-9a-f]{2}[\s:,;.-]{0,2}){4,}/gi;

/** Decodes runs of hexadecimal bytes, with or without separators, from either digit. */
export function fromHex(text: string, shortest: number): readonly string[] {
  const runs = text.match(hexRun)?.map((each) => each.replace(/\\x|0x|[^0-9a-f]/gi, ''));
  if (runs === undefined) return [];
  return [0, 1].flatMap((offset) => {
    const found = runs.flatMap((digits) => findReadableText(decodeHexRun(digits, offset), shortest) ?? []);
    return found.length === 0 ? [] : [found.join('\n')];
  });
}

function decodeHexRun(digits: string, offset: number): Uint8Array {
  const bytes = new Uint8Array((digits.length - offset) >> 1);
  for (let at = 0; at < bytes.length; at++) {
    const high = offset + 2 * at;
    bytes[at] = (readHexBits(digits.charCodeAt(high)) << 4) | readHexBits(digits.charCodeAt(high + 1));
  }
  return bytes;
}

function readHexBits(digit: number): number {
  return digit <= 0x39 ? digit - 0x30 : (digit & 0x1f) + 9;
}
