import type { Condition } from '../../format/model/attack-document.ts';
import { isAscii } from '../../format/model/visible-text.ts';
import { compileCondition, isMatchCondition } from '../../format/primitives/evaluate-condition.ts';
import {
  foldText,
  fromRot13,
  reverseText,
  squeezeText,
  takeFirstOfLines,
  takeFirstOfWords,
  tightenText,
} from './fold-text.ts';

export interface TextMatch {
  /** How the text had to be read; undefined if the match is in the plain text. */
  readonly as?: string;
  /** The text as it was read, and the offsets of the match in it. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** The text that a condition looks for, and the ways to find it. */
export interface TextSearch {
  /** A match has at least this many characters. */
  readonly shortest: number;
  /** Set if `in` also finds the text reversed and in ROT13, so that callers need not undo those. */
  readonly isTurned: boolean;
  /**
   * Searches a text. `isWhole`: the agent wrote this text itself; it was not decoded from another. `around` is the text that it
   * was decoded from.
   */
  in(text: string, isWhole: boolean, around?: string): TextMatch | undefined;
  /** Searches a text that was joined from several fields or messages, with at least a line from each. */
  readonly joined: TextSearch;
}

/** Shorter runs of letters and digits occur by chance. */
const fewestLetters = 6;
/**
 * The fewest characters that are looked for in joined texts. Adjacent fields often form numbers and short words by
 * chance: a row and a column, a day and a year.
 */
const fewestJoined = 8;
/** The same for digits alone. */
const fewestJoinedDigits = 12;
/** A line shorter than this does not count as a piece, since it may fit by chance. */
const shortestLine = 3;

function mayBeJoined(letters: string): boolean {
  return letters.length >= (/\p{L}/u.test(letters) ? fewestJoined : fewestJoinedDigits);
}

export function createTextSearch(condition: Condition, expressionSteps?: number): TextSearch {
  const part = readOnlyPart(condition);
  if (part === undefined) return searchByCondition(condition, expressionSteps);
  const letters = squeezeText(foldText(part));
  return letters.length < fewestLetters ? searchByShortPart(part) : searchByParts([part]);
}

function readOnlyPart(condition: Condition): string | undefined {
  if (!isMatchCondition(condition) || Object.keys(condition).length > 1) return undefined;
  return typeof condition.contains === 'string' && condition.contains !== '' ? condition.contains : undefined;
}

/** A part of a text, and its letters and digits. */
interface WantedPart {
  readonly part: string;
  readonly letters: string;
  readonly turned: readonly { readonly as: string; readonly letters: string }[];
  readonly digits: readonly string[];
}

function createWantedPart(part: string): WantedPart {
  const letters = squeezeText(foldText(part));
  return {
    part,
    letters,
    turned: [
      { as: 'reversed', letters: reverseText(letters) },
      { as: 'ROT13', letters: fromRot13(letters) },
      { as: 'ROT13, reversed', letters: fromRot13(reverseText(letters)) },
    ],
    digits: [...new Set(letters.match(/[0-9]/g))],
  };
}

/**
 * Looks for any of these parts of a text. Every disguise of its letters leaves these letters in a row, forwards, reversed or
 * in ROT13.
 */
export function searchByParts(texts: readonly string[]): TextSearch {
  const parts = texts.map(createWantedPart);
  const canBeJoined = parts.every(({ letters }) => mayBeJoined(letters));
  return addJoinedSearch(canBeJoined ? undefined : searchByLines(parts), {
    shortest: Math.min(...parts.map(({ letters }) => letters.length)),
    isTurned: true,
    in(text, isWhole) {
      // Each way to read an ASCII text keeps its digits and adds none.
      const possible = isAscii.test(text)
        ? parts.filter(({ digits }) => digits.every((digit) => text.includes(digit)))
        : parts;
      if (possible.length === 0) return undefined;
      const seen = foldText(text);
      const row = squeezeText(seen);
      for (const wanted of possible) {
        const found = findPart(wanted, text, seen, row) ?? (isWhole ? findFirstLetters(wanted, seen) : undefined);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  });
}

function findPart({ part, letters, turned }: WantedPart, text: string, seen: string, row: string) {
  if (row.includes(letters))
    return (
      findWithin(text, part) ??
      findWithin(seen, part, invisibly) ??
      findWithin(seen.toLowerCase(), part.toLowerCase(), 'other case') ??
      findWithin(row, letters, between)
    );
  const other = turned.find((each) => row.includes(each.letters));
  return other && findWithin(row, other.letters, other.as);
}

function findFirstLetters({ letters }: WantedPart, seen: string): TextMatch | undefined {
  return (
    findWithin(takeFirstOfWords(seen), letters, 'first letters of words') ??
    findWithin(takeFirstOfLines(seen), letters, 'first letters of lines')
  );
}

/** Adds the search in joined texts. Default: the same as in single texts. */
export function addJoinedSearch(joined: TextSearch | undefined, alone: Omit<TextSearch, 'joined'>): TextSearch {
  return {
    ...alone,
    get joined() {
      return joined ?? this;
    },
  };
}

/** Looks for lines that together spell a part and nothing else, and none of which is short. */
function searchByLines(parts: readonly WantedPart[]): TextSearch {
  return addJoinedSearch(undefined, {
    shortest: Math.min(...parts.map(({ letters }) => letters.length)),
    isTurned: true,
    in(text, isWhole) {
      const seen = foldText(text);
      for (const { part, letters } of parts) {
        const whole = findWithin(text, part) ?? findWithin(seen, part, invisibly);
        const found =
          whole ?? (isWhole && isSpelled(seen, letters) ? findWithin(letters, letters, between) : undefined);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  });
}

export function isSpelled(text: string, letters: string): boolean {
  const lines = text.split('\n').map(squeezeText);
  return lines.some((_, from) => {
    let spelled = '';
    for (let at = from; spelled !== letters; at++) {
      const line = lines[at] ?? '';
      if (line.length < shortestLine || !letters.startsWith(line, spelled.length)) return false;
      spelled += line;
    }
    return true;
  });
}

const invisibly = 'compatible or invisible characters';
export const between = 'characters in between';
const tightly = 'markup and spaces in between';

function searchByShortPart(part: string): TextSearch {
  return addJoinedSearch(undefined, {
    shortest: part.length,
    isTurned: false,
    in: (text) => findWithin(text, part) ?? findWithin(foldText(text), part, invisibly),
  });
}

export function findWithin(text: string, part: string, as?: string): TextMatch | undefined {
  const from = text.indexOf(part);
  return from < 0 ? undefined : { ...(as !== undefined && { as }), text, from, to: from + part.length };
}

/** Tests any other condition, as it is written, against each reading of the text. */
function searchByCondition(condition: Condition, expressionSteps?: number): TextSearch {
  const compiled = compileCondition(condition, expressionSteps);
  const holds = (text: string, as?: string): TextMatch | undefined => {
    if (compiled.test(text, () => text) !== true) return undefined;
    const span = compiled.span(text) ?? { from: 0, to: text.length };
    return { ...(as !== undefined && { as }), text, ...span };
  };
  const alone = {
    shortest: fewestLetters,
    isTurned: false,
    in(text: string): TextMatch | undefined {
      const seen = foldText(text);
      return holds(text) ?? (seen === text ? undefined : holds(seen, invisibly)) ?? holds(tightenText(seen), tightly);
    },
  };
  const joined = addJoinedSearch(undefined, {
    ...alone,
    in(text) {
      const found = alone.in(text);
      return found !== undefined && isOfOneOrLong(found) ? found : undefined;
    },
  });
  return addJoinedSearch(joined, alone);
}

function isOfOneOrLong({ as, text, from, to }: TextMatch): boolean {
  const matched = text.slice(from, to);
  return mayBeJoined(squeezeText(matched)) || (as !== tightly && !matched.includes('\n'));
}
