import policyWords from '../../../../data/policy-words.json' with { type: 'json' };
import { actionsOfStem } from './action-classes.ts';
import { findAll } from './text-patterns.ts';
import { isEmptyWord, splitName, stemWord, stemWords } from './word-stems.ts';

const labels = new Set(['id', 'identifier', 'name', 'key', 'code', 'number', 'ref', 'reference']);
const generic = stemWords(policyWords.genericNouns);
const token = /[\p{L}\p{N}][\p{L}\p{N}_-]*(?:\.[\p{L}\p{N}_-]+)*/gu;
// "from the operating account to account 77": each side has its own parameter.
const sides: readonly (readonly [ReadonlySet<string>, (text: string) => string | undefined])[] = [
  [new Set(['from', 'source', 'origin']), (text) => text.split(/\bfrom\b/i)[1]?.split(/\bto\b/i)[0]],
  [
    new Set(['to', 'target', 'destination', 'dest', 'recipient', 'payee', 'beneficiary']),
    (text) =>
      text
        .split(/\bto\b/i)
        .slice(1)
        .at(-1),
  ],
];

/**
 * The name next to a parameter's noun: `project_id` in "project northwind", `branch` in "the main branch". A token that
 * looks like an identifier is preferred to a plain word.
 */
export function findNamedThing(
  parameter: string,
  text: string,
  about: ReadonlySet<string> = new Set(),
): string | undefined {
  const parts = splitName(parameter);
  const side = sides.find(([words]) => words.has(parts[0] ?? ''));
  const nouns = parts.filter((word) => !labels.has(word) && !side?.[0].has(word));
  const part = side === undefined ? text : side[1](text);
  const noun = nouns.at(-1);
  if (part === undefined || (noun === undefined && side === undefined)) return undefined;
  const words = [...part.matchAll(token)].map(([word]) => word);
  if (noun === undefined) return findFirstName(part);
  return (
    findWordBeside(words, noun, (word) => isIdentifier(word)) ??
    findWordBeside(
      words,
      noun,
      (word, place) => isPlain(word, place) && (place !== 'after' || !about.has(stemWord(word))),
    ) ??
    // "billing-service": the noun is part of the name.
    words.find((word) => isIdentifier(word) && splitName(word).some((one) => isSame(one, noun)))
  );
}

/** Reads "from Berlin" or "to New York on Monday". */
function findFirstName(text: string): string | undefined {
  return (
    findAll('uris', text)[0] ??
    findAll('paths', text)[0] ??
    /^\s*(?:the )?(\p{Lu}[\p{L}\p{N}]*(?: \p{Lu}[\p{L}\p{N}]*)*)/u.exec(text)?.[1] ??
    [...text.matchAll(token)].map(([word]) => word).find((word) => !isEmptyWord(word))
  );
}

/** After an article even a verb is a noun: "the releases channel". */
type Place = 'after' | 'before' | 'behind an article';

function findWordBeside(
  words: readonly string[],
  noun: string,
  isGood: (word: string, place: Place) => boolean,
): string | undefined {
  for (const [place, word] of words.entries()) {
    if (!isSame(word, noun)) continue;
    const after = findWordAfterLabel(words, place) ?? words[place + 1];
    if (after !== undefined && isGood(after, 'after')) return after;
    const before = words[place - 1];
    const kind = isEmptyWord(words[place - 2] ?? '') ? 'behind an article' : 'before';
    if (before !== undefined && isGood(before, kind)) return before;
  }
  return undefined;
}

/** Reads "report ID is FIN-1" or "account number 77". */
function findWordAfterLabel(words: readonly string[], place: number): string | undefined {
  if (!labels.has(words[place + 1]?.toLowerCase() ?? '')) return undefined;
  return words[place + 2]?.toLowerCase() === 'is' ? words[place + 3] : words[place + 2];
}

function isSame(word: string, noun: string): boolean {
  return stemWord(word) === stemWord(noun);
}

function isIdentifier(word: string): boolean {
  return /\d/.test(word) || /[\p{L}\p{N}][-_.][\p{L}\p{N}]/u.test(word) || /\p{Lu}/u.test(word.slice(1));
}

function isPlain(word: string, place: Place): boolean {
  const base = stemWord(word);
  if (isEmptyWord(word) || generic.has(base) || labels.has(word.toLowerCase())) return false;
  return place === 'behind an article' || !actionsOfStem.has(base);
}
