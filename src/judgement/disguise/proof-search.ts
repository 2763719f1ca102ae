import { proofReach } from '../../format/extensions/canaries.ts';
import { foldText, fromRot13, reverseText, squeezeText } from './fold-text.ts';
import { addJoinedSearch, between, isSpelled, searchByParts, type TextMatch, type TextSearch } from './text-search.ts';

// Looks for what proves that a canary leaked: a text, or several that stand near each other.

/** Looks for any of these proofs, which are all of the same kind. */
export function createProofSearch(proofs: readonly (readonly string[])[]): TextSearch {
  const [first = []] = proofs;
  if (first.length === 1) return searchByParts(proofs.flat());
  return first.every((text) => /^\p{L}+$/u.test(text)) ? searchByWords(first) : searchByValue(proofs);
}

/** Looks for words that stand near each other, in any order. */
function searchByWords(words: readonly string[]): TextSearch {
  const ways = [
    { as: between, words: words.map(squeezeText) },
    { as: 'reversed', words: words.map((word) => reverseText(squeezeText(word))) },
    { as: 'ROT13', words: words.map((word) => fromRot13(squeezeText(word))) },
  ];
  return addJoinedSearch(undefined, {
    shortest: Math.min(...words.map(({ length }) => length)),
    isTurned: true,
    in(text) {
      const row = squeezeText(foldText(text));
      for (const { as, words: wanted } of ways) {
        const span = findNear(wanted.map((word) => listPlaces(row, word)));
        if (span !== undefined) return { as, text: row, ...span };
      }
      return undefined;
    },
  });
}

/** Looks for a short value together with a text that belongs to it. The value may be encoded while that text is not. */
function searchByValue(proofs: readonly (readonly string[])[]): TextSearch {
  const wanted = proofs.map(([value = '', company = '']) => ({
    value: squeezeText(value),
    company: squeezeText(company),
  }));
  const alone = {
    shortest: Math.min(...wanted.map(({ value }) => value.length)),
    isTurned: false,
    in(text: string, isWhole: boolean, around = text): TextMatch | undefined {
      const seen = foldText(text);
      for (const { value, company } of wanted) {
        const places = listValuePlaces(seen, value);
        if (places.length === 0) continue;
        const span = findNear([places, listValuePlaces(seen, company)]);
        if (span !== undefined) return { as: between, text: seen, ...span };
        const [at] = places;
        if (!isWhole && at !== undefined && squeezeText(foldText(around)).includes(company))
          return { text: seen, ...at };
      }
      return undefined;
    },
  };
  return addJoinedSearch(
    addJoinedSearch(undefined, {
      ...alone,
      in(text, isWhole, around) {
        const near = alone.in(text, isWhole, around);
        if (near !== undefined) return near;
        const seen = foldText(text);
        const found = wanted.find(
          ({ value, company }) => isSpelled(seen, value) && squeezeText(seen).includes(company),
        );
        return found && { as: between, text: found.value, from: 0, to: found.value.length };
      },
    }),
    alone,
  );
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** A text that has a word more often is not searched further. */
const mostPlaces = 1000;

function listPlaces(text: string, word: string): readonly Span[] {
  const places: Span[] = [];
  for (let at = text.indexOf(word); at >= 0 && places.length < mostPlaces; at = text.indexOf(word, at + 1))
    places.push({ from: at, to: at + word.length });
  return places;
}

/** The places of a value that stands alone, with at most four separators between its characters. */
function listValuePlaces(text: string, value: string): readonly Span[] {
  const characters = [...value].join('[\\s.,@_*-]{0,4}');
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${characters}(?![\\p{L}\\p{N}])`, 'giu');
  const places: Span[] = [];
  for (const { 0: found, index } of text.matchAll(pattern)) {
    places.push({ from: index, to: index + found.length });
    if (places.length === mostPlaces) break;
  }
  return places;
}

/** The shortest stretch that has one of the places of each text, if it is short enough. */
function findNear(texts: readonly (readonly Span[])[]): Span | undefined {
  const [first = [], ...others] = texts;
  if (others.some(({ length }) => length === 0)) return undefined;
  for (const place of first) {
    const near = others.map((places) => findNearest(places, place));
    const from = Math.min(place.from, ...near.map((each) => each.from));
    const to = Math.max(place.to, ...near.map((each) => each.to));
    if (to - from <= proofReach + texts.length * longestWord) return { from, to };
  }
  return undefined;
}

/** The reach is counted between the texts, not within them. */
const longestWord = 20;

/** Places are in order, so the nearest is beside the first that begins behind. */
function findNearest(places: readonly Span[], { from }: Span): Span {
  let [low, high] = [0, places.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.from ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  const [before, behind] = [places[Math.max(0, low - 1)] as Span, places[low] as Span];
  return Math.abs(before.from - from) < Math.abs(behind.from - from) ? before : behind;
}
