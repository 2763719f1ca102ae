import { visible } from '../../report/visible.ts';

const longest = 120;
// What Mermaid reads nothing into. Everything else, such as `;`, `#`, `<` and `%`, becomes a character code.
const risky = /[^\p{L}\p{M}\p{N} .,_/()-]/gu;
// The word ends a block wherever Mermaid meets it.
const end = /\bend\b/giu;

/** Hostile text as Mermaid shows it and does not obey it. */
export function mermaidText(text: string): string {
  // Mermaid wants a text where one may stand.
  const line = visible(text.replace(/\s+/g, ' ').trim()) || '-';
  const characters = [...line];
  const cut = characters.length <= longest ? line : `${characters.slice(0, longest - 1).join('')}…`;
  return cut.replace(risky, code).replace(end, (word) => `${code(word.slice(0, 1))}${word.slice(1)}`);
}

function code(character: string): string {
  return `#${character.codePointAt(0)};`;
}
