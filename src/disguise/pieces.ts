import type { Leaf } from './leaves.ts';
import type { LookedFor } from './looked-for.ts';
import { overlap, type Sight, search } from './search.ts';

// What is told bit by bit, in one field of several messages or in several fields. Of each only the last few thousand
// characters are kept.

const mostFields = 64;

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
}

export function joinPieces(): Pieces {
  const fields = new Map<string, Field>();
  return {
    searchWith(source, leaves, lookFor, isLate) {
      const whole = { path: '*', text: leaves.map(({ text }) => text).join('\n') };
      for (const { path, text } of leaves.length > 1 ? [...leaves.slice(0, mostFields), whole] : leaves) {
        const field = fieldOf(fields, `${source} ${path}`);
        // The same again tells nothing more.
        if (field === undefined || text === field.last) continue;
        const joined = `${field.tail}\n${text.slice(0, overlap)}`;
        const count = field.count + 1;
        Object.assign(field, {
          tail: `${field.tail}\n${text.slice(-overlap)}`.slice(-overlap),
          last: text,
          count,
        });
        if (count === 1) continue;
        const seen = search(joined, lookFor, isLate);
        if (seen !== undefined)
          return { ...seen, disguises: [`pieces of ${count} messages`, ...seen.disguises.filter(isTold)] };
      }
      return undefined;
    },
  };
}

/** Pieces have something in between as it is. */
function isTold(disguise: string): boolean {
  return disguise !== 'characters in between';
}

function fieldOf(fields: Map<string, Field>, key: string): Field | undefined {
  let field = fields.get(key);
  if (field === undefined && fields.size < mostFields) {
    field = { tail: '', last: '', count: 0 };
    fields.set(key, field);
  }
  return field;
}
