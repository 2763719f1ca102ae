import type { Condition } from '../model/document.ts';
import { compileCondition, isMatchCondition } from '../primitives/evaluate-condition.ts';
import { firstOfLines, firstOfWords, folded, fromRot13, reversed, squeezed, tightened } from './fold.ts';

/** What was found in a text. */
export interface Found {
  /** How it had to be looked at; nothing where it stands there to the letter. */
  readonly as?: string;
  /** As it was looked at, and where in it. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** What a condition wants, and the ways in which a reader could find it. */
export interface LookedFor {
  /** Fewer characters in a row than these cannot be it. */
  readonly shortest: number;
  /** It is found backwards and in ROT13 as well, so that texts need not be turned around for it. */
  readonly isTurned: boolean;
  /** `isWhole`: the text is one that the agent wrote, not what was read out of one. */
  in(text: string, isWhole: boolean): Found | undefined;
  /** The same in a text that was joined of several fields or messages, a line or more of each. */
  readonly joined: LookedFor;
}

/** Fewer letters and digits than these in a row come about by themselves. */
const fewestLetters = 6;
/** Fields that stand beside each other make numbers and short words by themselves: a row and a column, a day and a year. */
const fewestJoined = 8;
/** So does what is shorter than this, whatever it is a piece of. */
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

/** A text has the part in any disguise of its letters only if it has these letters, or them turned around, in a row. */
function byPart(part: string, letters: string): LookedFor {
  const turned = [
    { as: 'reversed', letters: reversed(letters) },
    { as: 'ROT13', letters: fromRot13(letters) },
    { as: 'ROT13, reversed', letters: fromRot13(reversed(letters)) },
  ];
  const inLowerCase = part.toLowerCase();
  return withJoined(mayBeJoined(letters) ? undefined : byPieces(part, letters), {
    shortest: letters.length,
    isTurned: true,
    in(text, isWhole) {
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

/** Without another way it is looked for in joined texts as in others. */
function withJoined(joined: LookedFor | undefined, alone: Omit<LookedFor, 'joined'>): LookedFor {
  return {
    ...alone,
    get joined() {
      return joined ?? this;
    },
  };
}

/** Lines spell the part only if they are nothing else, one after the other, and none of them is short. */
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

/** Other conditions are held against each way to look at the text, as they are written. */
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
