import { findReadableText } from './find-readable-text.ts';

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
