import { readableIn } from './readable.ts';

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
      const readable = readableIn(bytes, decodeInto(bytes, each, offset), shortest);
      if (readable !== undefined) found.push(readable);
    }
    return found.length === 0 ? [] : [found.join('\n')];
  });
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
