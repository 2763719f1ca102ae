// Documents and traces are hostile: nothing in them may drive the terminal, or hide in what it shows.
const plain = /^[ -~]*$/;
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|[\u{e0100}-\u{e01ef}]/gu;

const shortEscapes: { readonly [character: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text with control, invisible and direction-changing characters spelt out, except those in `keep`. */
export function visible(text: string, keep = ''): string {
  // Classes of Unicode take longer to compile than most commands have to run.
  if (plain.test(text)) return text;
  return text.replace(hidden, (character) => (keep.includes(character) ? character : spell(character)));
}

function spell(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code <= 0xff) return shortEscapes[character] ?? `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`;
}
