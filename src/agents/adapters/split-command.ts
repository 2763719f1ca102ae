export type CommandLine =
  | { readonly ok: true; readonly words: readonly string[] }
  | { readonly ok: false; readonly problem: string };

const operators = new Set(['|', '&', ';', '<', '>']);

/**
 * Splits a command into words, with quotes as in shells. No shell runs and nothing is expanded. Characters that need a
 * shell are refused, because they would silently mean something else.
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
      return { ok: false, problem: `"${character}" needs a shell, and none is used` };
    else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + character;
  }
  if (quote !== undefined) return { ok: false, problem: `a quotation mark ${quote} is not closed` };
  return { ok: true, words: word === undefined ? words : [...words, word] };
}
