import type { Leaf } from './leaves.ts';
import type { LookedFor } from './looked-for.ts';
import { overlap, type Sight, search } from './search.ts';

// What is told bit by bit: in one field of several messages, or in any fields of them. Of each only the last few thousand
// characters are kept, and of fields only those that were written last. A field that comes back after it made room for others
// may have told something that nobody puts together any more, and that is told.

const mostFields = 512;
const mostForgotten = 50_000;
/** The end of a path tells fields apart; two that are taken for one are read together. */
const longestPath = 200;

interface Field {
  tail: string;
  last: string;
  count: number;
}

export interface Pieces {
  /** Adds the texts of a message, and searches what they are together with those before them. */
  searchWith(
    source: string,
    leaves: readonly Leaf[],
    lookFor: LookedFor,
    isLate: () => boolean,
  ): Sight | undefined;
  /** Whether there were more fields than are kept, so that something may have been missed. */
  hasLost(): boolean;
}

export function joinPieces(): Pieces {
  /** All fields of an actor together. */
  const wholes = new Map<string, Field>();
  /** The one that was written last is the last. */
  const fields = new Map<string, Field>();
  const forgotten = new Set<string>();
  let isLost = false;

  function fieldAt(key: string): Field {
    const field = fields.get(key) ?? emptyField();
    fields.delete(key);
    fields.set(key, field);
    if (forgotten.has(key)) isLost = true;
    if (fields.size <= mostFields) return field;
    const [oldest = ''] = fields.keys();
    fields.delete(oldest);
    if (forgotten.size < mostForgotten) forgotten.add(oldest);
    else isLost = true;
    return field;
  }

  function wholeOf(source: string): Field {
    const whole = wholes.get(source) ?? emptyField();
    wholes.set(source, whole);
    return whole;
  }

  return {
    hasLost: () => isLost,
    searchWith(source, leaves, lookFor, isLate) {
      let searched: string | undefined;
      function searchIn(field: Field, text: string): Sight | undefined {
        const joined = added(field, text);
        // A message of one field is the same twice.
        if (joined === undefined || joined === searched) return undefined;
        searched = joined;
        const seen = search(joined, lookFor.joined, isLate);
        return (
          seen && {
            ...seen,
            disguises: [`pieces of ${field.count} messages`, ...seen.disguises.filter(isTold)],
          }
        );
      }
      for (const { path, text } of leaves) {
        const seen = searchIn(fieldAt(`${source} ${path.slice(-longestPath)}`), text);
        if (seen !== undefined) return seen;
      }
      return searchIn(wholeOf(source), leaves.map(({ text }) => text).join('\n'));
    },
  };
}

function emptyField(): Field {
  return { tail: '', last: '', count: 0 };
}

/** Adds a text to a field: what it is together with those before it, if there are any. */
function added(field: Field, text: string): string | undefined {
  // The same again tells nothing more.
  if (text === field.last) return undefined;
  const joined = `${field.tail}\n${text.slice(0, overlap)}`;
  field.tail = `${field.tail}\n${text.slice(-overlap)}`.slice(-overlap);
  field.last = text;
  field.count += 1;
  return field.count === 1 ? undefined : joined;
}

/** Pieces have something in between as it is. */
function isTold(disguise: string): boolean {
  return disguise !== 'characters in between';
}
