import { isReadableAscii, readableIn } from './readable.ts';

/** The 6 bits of each character in either alphabet; 255 for any other character. */
const values = new Uint8Array(128).fill(255);
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
for (const [value, letter] of [...letters].entries()) values[letter.charCodeAt(0)] = value;
for (const [letter, value] of [
  ['+', 62],
  ['-', 62],
  ['/', 63],
  ['_', 63],
] as const)
  values[letter.charCodeAt(0)] = value;

const run = /[A-Za-z0-9+/_-]{2,}/g;
/** Separators between the lines of a long text, and between parts that were sent one by one. */
const between = /[\s"',]+/g;

/**
 * Decodes runs of base64 in either alphabet, with or without padding. A run may begin anywhere among other letters, so it is
 * decoded from each of four offsets.
 */
export function fromBase64(text: string, shortest: number): readonly string[] {
  const runs = text.replace(between, '').match(run) ?? [];
  const bytes = new Uint8Array(text.length);
  return [0, 1, 2, 3].flatMap((offset) => {
    const found: string[] = [];
    for (const each of runs) {
      if (!mayBeReadable(each, offset, shortest)) continue;
      const readable = readableIn(bytes.subarray(0, decodeInto(bytes, each, offset)), shortest);
      if (readable !== undefined) found.push(readable);
    }
    return found.length === 0 ? [] : [found.join('\n')];
  });
}

/**
 * Whether so many bytes in a row may be readable, or all of them. Looks at the last byte of such a row first: if that one is
 * not readable, the bytes before it need no look.
 */
function mayBeReadable(text: string, offset: number, shortest: number): boolean {
  const length = lengthFrom(text, offset);
  const row = Math.min(shortest, length);
  let from = 0;
  while (from + row <= length) {
    let at = from + row - 1;
    while (at >= from && !isUnreadable(text, offset, at, length)) at -= 1;
    if (at < from) return true;
    from = at + 1;
  }
  return false;
}

function lengthFrom(text: string, offset: number): number {
  return Math.max(0, Math.floor(((text.length - offset) * 6) / 8));
}

/** Whether a byte is part of no readable character, as far as it and the bytes beside it tell. */
function isUnreadable(text: string, offset: number, at: number, length: number): boolean {
  const byte = byteAt(text, offset, at);
  if (byte < 0x80) return !isReadableAscii(byte);
  if (byte < 0xc0) return at === 0 || byteAt(text, offset, at - 1) < 0x80;
  return at + 1 === length || (byteAt(text, offset, at + 1) & 0xc0) !== 0x80;
}

function byteAt(text: string, offset: number, at: number): number {
  const bit = at * 8;
  const index = offset + Math.floor(bit / 6);
  const high = values[text.charCodeAt(index)] ?? 0;
  const low = values[text.charCodeAt(index + 1)] ?? 0;
  return (((high << 6) | low) >> (4 - (bit % 6))) & 0xff;
}

/** Decodes into `bytes` and returns how many bytes it wrote. */
function decodeInto(bytes: Uint8Array, text: string, offset: number): number {
  let held = 0;
  let bits = 0;
  let length = 0;
  for (let index = offset; index < text.length; index++) {
    held = ((held << 6) | (values[text.charCodeAt(index)] ?? 0)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[length++] = (held >> bits) & 0xff;
  }
  return length;
}
