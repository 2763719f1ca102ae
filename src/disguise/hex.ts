import { readableIn } from './readable.ts';

const run = /(?:(?:\\x|0x)?[0-9a-f]{2}[\s:,;.-]{0,2}){4,}/gi;

/** Decodes runs of hexadecimal bytes, with or without separators, from either digit. */
export function fromHex(text: string, shortest: number): readonly string[] {
  const runs = (text.match(run) ?? []).map((each) => each.replace(/\\x|0x|[^0-9a-f]/gi, ''));
  return [0, 1].flatMap((offset) => {
    const found = runs.flatMap((digits) => {
      const pairs = digits.slice(offset).match(/../g) ?? [];
      const bytes = Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
      return readableIn(bytes, shortest) ?? [];
    });
    return found.length === 0 ? [] : [found.join('\n')];
  });
}
