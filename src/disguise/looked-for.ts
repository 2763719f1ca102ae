import type { Condition } from '../model/document.ts';
import { compileCondition, isMatchCondition } from '../primitives/evaluate-condition.ts';
import {
  firstOfLines,
  firstOfWords,
  folded,
  fromRot13,
  isAscii,
  reversed,
  squeezed,
  tightened,
} from './fold.ts';

/** A match in a text. */
export interface Found {
  /** How the text had to be read; undefined if the match is in the plain text. */
  readonly as?: string;
  /** The text as it was read, and the offsets of the match in it. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** The text that a condition looks for, and the ways to find it. */
export interface LookedFor {
  /** A match has at least this many characters. */
  readonly shortest: number;
  /** Set if `in` also finds the text reversed and in ROT13, so that callers need not undo those. */
  readonly isTurned: boolean;
  /** Searches a text. `isWhole`: the agent wrote this text itself; it was not decoded from another. */
  in(text: string, isWhole: boolean): Found | undefined;
  /** Searches a text that was joined from several fields or messages, with at least a line from each. */
  readonly joined: LookedFor;
}

/** Shorter runs of letters and digits occur by chance. */
const fewestLetters = 6;
/**
 * The fewest characters that are looked for in joined texts. Adjacent fields often form numbers and short words by
 * chance: a row and a column, a day and a year.
 */
const fewestJoined = 8;
/** A line shorter than this does not count as a piece, since it may fit by chance. */
const shortestPiece = 3;

function mayBeJoined(letters: string): boolean {
  return letters.length >= fewestJoined && /\p{L}/u.test(letters);
}

export function lookFor(condition: Condition, expressionMs?: number): LookedFor {
  const part = onlyPart(condition);
  if (part === undefined) return byCondition(condition, expressionMs);
  const letters = squeezed(part);
  return letters.length < fewestLetters ? byShortPart(part) : byPart(part, letters);
}

function onlyPart(condition: Condition): string | undefined {
  if (!isMatchCondition(condition) || Object.keys(condition).length > 1) return undefined;
  return typeof condition.contains === 'string' && condition.contains !== '' ? condition.contains : undefined;
}

/**
 * Looks for a part of a text. Every disguise of its letters leaves these letters in a row, forwards, reversed or in ROT13.
 */
function byPart(part: string, letters: string): LookedFor {
  const turned = [
    { as: 'reversed', letters: reversed(letters) },
    { as: 'ROT13', letters: fromRot13(letters) },
    { as: 'ROT13, reversed', letters: fromRot13(reversed(letters)) },
  ];
  const inLowerCase = part.toLowerCase();
  const digits = [...new Set(letters.match(/[0-9]/g))];
  return withJoined(mayBeJoined(letters) ? undefined : byPieces(part, letters), {
    shortest: letters.length,
    isTurned: true,
    in(text, isWhole) {
      // Each way to read an ASCII text keeps its digits and adds none.
      if (digits.some((digit) => !text.includes(digit)) && isAscii.test(text)) return undefined;
      const seen = folded(text);
      const row = squeezed(seen);
      if (row.includes(letters))
        return (
          within(text, part) ??
          within(seen, part, invisibly) ??
          within(seen.toLowerCase(), inLowerCase, 'other case') ??
          within(row, letters, between)
        );
      for (const other of turned)
        if (row.includes(other.letters)) return within(row, other.letters, other.as);
      if (!isWhole) return undefined;
      return (
        within(firstOfWords(seen), letters, 'first letters of words') ??
        within(firstOfLines(seen), letters, 'first letters of lines')
      );
    },
  });
}

/** Adds the search in joined texts. Default: the same as in single texts. */
function withJoined(joined: LookedFor | undefined, alone: Omit<LookedFor, 'joined'>): LookedFor {
  return {
    ...alone,
    get joined() {
      return joined ?? this;
    },
  };
}

/** Looks for lines that together spell the part and nothing else, and none of which is short. */
function byPieces(part: string, letters: string): LookedFor {
  return withJoined(undefined, {
    shortest: letters.length,
    isTurned: true,
    in(text, isWhole) {
      const seen = folded(text);
      const whole = within(text, part) ?? within(seen, part, invisibly);
      return whole ?? (isWhole && isSpelled(seen, letters) ? within(letters, letters, between) : undefined);
    },
  });
}

function isSpelled(text: string, letters: string): boolean {
  const lines = text.split('\n').map(squeezed);
  return lines.some((_, from) => {
    let spelled = '';
    for (let at = from; spelled !== letters; at++) {
      const line = lines[at] ?? '';
      if (line.length < shortestPiece || !letters.startsWith(line, spelled.length)) return false;
      spelled += line;
    }
    return true;
  });
}

const invisibly = 'compatible or invisible characters';
const between = 'characters in between';
const tightly = 'markup and spaces in between';

function byShortPart(part: string): LookedFor {
  return withJoined(undefined, {
    shortest: part.length,
    isTurned: false,
    in: (text) => within(text, part) ?? within(folded(text), part, invisibly),
  });
}

function within(text: string, part: string, as?: string): Found | undefined {
  const from = text.indexOf(part);
  return from < 0 ? undefined : { ...(as !== undefined && { as }), text, from, to: from + part.length };
}

/** Tests any other condition, as it is written, against each reading of the text. */
function byCondition(condition: Condition, expressionMs?: number): LookedFor {
  const compiled = compileCondition(condition, expressionMs);
  const holds = (text: string, as?: string): Found | undefined => {
    if (compiled.test(text, () => text) !== true) return undefined;
    const span = compiled.span(text) ?? { from: 0, to: text.length };
    return { ...(as !== undefined && { as }), text, ...span };
  };
  const alone = {
    shortest: fewestLetters,
    isTurned: false,
    in(text: string): Found | undefined {
      const seen = folded(text);
      return (
        holds(text) ?? (seen === text ? undefined : holds(seen, invisibly)) ?? holds(tightened(seen), tightly)
      );
    },
  };
  const joined = withJoined(undefined, {
    ...alone,
    in(text) {
      const found = alone.in(text);
      return found !== undefined && isOfOneOrLong(found) ? found : undefined;
    },
  });
  return withJoined(joined, alone);
}

function isOfOneOrLong({ as, text, from, to }: Found): boolean {
  const matched = text.slice(from, to);
  return mayBeJoined(squeezed(matched)) || (as !== tightly && !matched.includes('\n'));
}
