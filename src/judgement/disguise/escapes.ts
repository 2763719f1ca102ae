import { fromUtf8 } from './readable-text.ts';

/** Decodes a text; undefined if the text has no such escapes. */
type Undo = (text: string) => string | undefined;

export const fromUrlEscapes: Undo = (text) =>
  text.includes('%') && /%[0-9a-f]{2}/i.test(text)
    ? decodeByteEscapes(text.replaceAll('+', ' '), /(?:%[0-9a-f]{2})+/gi)
    : undefined;

export const fromQuotedPrintable: Undo = (text) =>
  text.includes('=') && /=(?:[0-9a-f]{2}|[ \t]{0,8}\r?\n)/i.test(text)
    ? decodeByteEscapes(text.replace(/=[ \t]{0,8}\r?\n/g, ''), /(?:=[0-9a-f]{2})+/gi)
    : undefined;

/** Decodes `\x63`, `\u0063`, `\u{63}` and `\n`, as they occur in JSON and in code. */
export const fromBackslashes: Undo = (text) =>
  text.includes('\\')
    ? text.replace(
        /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|([nrt"'\\/]))/gi,
        (whole, two?: string, four?: string, braced?: string, letter?: string) =>
          letter === undefined
            ? decodeCharacter(Number.parseInt(two ?? four ?? braced ?? '', 16), whole)
            : (spelt[letter] ?? letter),
      )
    : undefined;

const spelt: { readonly [letter: string]: string } = { n: '\n', r: '\r', t: '\t' };

export const fromHtmlEscapes: Undo = (text) =>
  text.includes('&')
    ? text.replace(
        /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|([a-z]{2,8}));?/gi,
        (whole, hex?: string, decimal?: string, name = '') =>
          hex === undefined && decimal === undefined
            ? (named[name.toLowerCase()] ?? whole)
            : decodeCharacter(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16), whole),
      )
    : undefined;

const named: { readonly [name: string]: string } = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  hyphen: '-',
  dash: '-',
  lowbar: '_',
  period: '.',
  colon: ':',
  sol: '/',
  commat: '@',
  num: '#',
};

function decodeCharacter(code: number, otherwise: string): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : otherwise;
}

function decodeByteEscapes(text: string, escapes: RegExp): string {
  return text.replace(escapes, (run) =>
    fromUtf8(Uint8Array.from(run.slice(1).split(run[0] ?? ''), (pair) => Number.parseInt(pair, 16))),
  );
}
