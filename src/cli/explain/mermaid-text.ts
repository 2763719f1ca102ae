import { escapeInvisible } from '../../format/model/escape-invisible.ts';

const longest = 120;
// Characters without a meaning in Mermaid. All others, such as `;`, `#`, `<` and `%`, become character codes.
const risky = /[^\p{L}\p{M}\p{N} .,_/()-]/gu;
// The word `end` closes a block wherever Mermaid finds it.
const end = /\bend\b/giu;

/** Makes hostile text safe: Mermaid shows it and does not interpret it. */
export function escapeMermaid(text: string): string {
  // Mermaid requires a text here.
  const line = escapeInvisible(text.replace(/\s+/g, ' ').trim()) || '-';
  const characters = [...line];
  const cut = characters.length <= longest ? line : `${characters.slice(0, longest - 1).join('')}…`;
  return cut.replace(risky, toEntityCode).replace(end, (word) => `${toEntityCode(word.slice(0, 1))}${word.slice(1)}`);
}

function toEntityCode(character: string): string {
  return `#${character.codePointAt(0)};`;
}
