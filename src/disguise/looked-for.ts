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
}

/** Fewer letters and digits than these in a row come about by themselves. */
const fewestLetters = 6;

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
  return {
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
          within(row, letters, 'characters in between')
        );
      for (const other of turned)
        if (row.includes(other.letters)) return within(row, other.letters, other.as);
      if (!isWhole) return undefined;
      return (
        within(firstOfWords(seen), letters, 'first letters of words') ??
        within(firstOfLines(seen), letters, 'first letters of lines')
      );
    },
  };
}

const invisibly = 'compatible or invisible characters';

function byShortPart(part: string): LookedFor {
  return {
    shortest: part.length,
    isTurned: false,
    in: (text) => within(text, part) ?? within(folded(text), part, invisibly),
  };
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
  return {
    shortest: fewestLetters,
    isTurned: false,
    in(text) {
      const seen = folded(text);
      return (
        holds(text) ??
        (seen === text ? undefined : holds(seen, invisibly)) ??
        holds(tightened(seen), 'markup and spaces in between')
      );
    },
  };
}
