export type CommandLine =
  | { readonly ok: true; readonly words: readonly string[] }
  | { readonly ok: false; readonly problem: string };

const operators = new Set(['|', '&', ';', '<', '>']);

/**
 * The words of a command, quoted as shells have it. There is no shell, and nothing is expanded: what would need one is
 * refused, since it would silently mean something else.
 */
export function splitCommand(text: string): CommandLine {
  const words: string[] = [];
  let word: string | undefined;
  let quote: '"' | "'" | undefined;
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string;
    const next = text[index + 1];
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else if (character === '\\' && quote === '"' && (next === '"' || next === '\\')) {
        word += next;
        index += 1;
      } else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (character === '\\' && next !== undefined) {
      word = (word ?? '') + next;
      index += 1;
    } else if (operators.has(character))
      return { ok: false, problem: `"${character}" is for a shell, and there is none` };
    else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== undefined) return { ok: false, problem: `a quotation mark ${quote} is not closed` };
  return { ok: true, words: word === undefined ? words : [...words, word] };
}
