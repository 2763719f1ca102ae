import { makeVisible, removeTags } from '../../format/model/visible-text.ts';

// Cuts a text into words and sentences. The text is hostile: everything here takes one pass, whatever the text is.

/** A word in lower case, where it stands in the folded text, and in which sentence. */
export interface WordInText {
  readonly word: string;
  readonly from: number;
  readonly to: number;
  readonly sentence: number;
}

export interface TextInWords {
  /** The text without markup and invisible characters, in compatible characters (NFKC). */
  readonly text: string;
  readonly words: readonly WordInText[];
  /** The index of the first word of each sentence. */
  readonly sentences: readonly number[];
}

/** A list without full stops must not become one endless sentence. */
const longestSentence = 60;

// Words end at spaces, quotation marks, brackets, dashes and Markdown. What joins a word, such as `/` or `@`, stays in it.
const run = /[^\s"“”„«»‹›()[\]{}<>|*`—–…\\]+/gu;
const letterOrDigit = /[\p{L}\p{N}]/u;

export function splitIntoWords(raw: string): TextInWords {
  const text = removeTags(makeVisible(raw).replace(/[’ʼ]/g, "'"));
  const words: WordInText[] = [];
  const sentences: number[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(run)) {
    const [from, to] = trimToWord(found, index);
    if (from === to) continue;
    const first = sentences.at(-1);
    if (first === undefined || endsSentence(text.slice(end, from)) || words.length - first === longestSentence)
      sentences.push(words.length);
    words.push({ word: text.slice(from, to).toLowerCase(), from, to, sentence: sentences.length - 1 });
    end = to;
  }
  return { text, words, sentences };
}

/** The range of a word without the punctuation around it; empty if nothing else is there. */
function trimToWord(found: string, index: number): readonly [from: number, to: number] {
  let from = 0;
  let to = found.length;
  while (from < to && !isLetterAt(found, from)) from += 1;
  while (to > from && !isLetterAt(found, to - 1)) to -= 1;
  return [index + from, index + to];
}

/** Half of a letter beyond the first 65 536 characters counts as a letter, so that it is not cut off. */
function isLetterAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 0xd800 && code <= 0xdfff) || letterOrDigit.test(text.charAt(at));
}

/** A full stop ends a sentence if a space follows it: the one in `~/.ssh` does not. */
function endsSentence(between: string): boolean {
  if (/[\n\r]/.test(between)) return true;
  const stop = between.search(/[.!?]/);
  return stop >= 0 && /\s/.test(between.slice(stop));
}
