import { findReadableText } from './readable-text.ts';

/** Groups of capitals and the digits 2 to 7, or of small letters without a break: ordinary words are shorter. */
const runs = /(?:[A-Z2-7]{4,}[ \t\n-]{0,2}){2,}|[a-z2-7]{16,}/g;

/** Decodes runs of base32, with or without separators. A run may begin anywhere among other letters. */
export function fromBase32(text: string, shortest: number): readonly string[] {
  const found: readonly string[][] = Array.from({ length: 8 }, () => []);
  for (const [run] of text.matchAll(runs)) {
    const bits = readBits(run);
    if ((bits.length * 5) >> 3 < shortest) continue;
    for (const [offset, parts] of found.entries()) {
      const readable = findReadableText(decodeBits(bits, offset), shortest);
      if (readable !== undefined) parts.push(readable);
    }
  }
  return found.flatMap((parts) => (parts.length === 0 ? [] : [parts.join('\n')]));
}

function readBits(run: string): Uint8Array {
  const bits = new Uint8Array(run.length);
  let length = 0;
  for (let at = 0; at < run.length; at++) {
    const code = run.charCodeAt(at);
    if (code >= 0x32 && code <= 0x37) bits[length++] = code - 0x32 + 26;
    else if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) bits[length++] = (code | 0x20) - 0x61;
  }
  return bits.subarray(0, length);
}

function decodeBits(values: Uint8Array, offset: number): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, ((values.length - offset) * 5) >> 3));
  let held = 0;
  let count = 0;
  let length = 0;
  for (let at = offset; at < values.length && length < bytes.length; at++) {
    held = ((held << 5) | (values[at] ?? 0)) & 0xfff;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    bytes[length++] = (held >> count) & 0xff;
  }
  return bytes;
}
