import { isValueMap, type Value } from '../../format/model/value.ts';
import { type DisguiseMatch, overlap, searchDisguised } from './search.ts';
import type { TextSearch } from './text-search.ts';

// Joins a text that the agent sends in pieces: in one field over several messages, or across fields. Only the last few
// thousand characters of each field are kept, and only the most recent fields. If a dropped field comes back, a text may
// have been missed, and `hasLost` reports that.

const mostFields = 512;
const mostForgotten = 50_000;
/** Fields are distinguished by the end of their path. Two fields with the same end are read as one. */
const longestPath = 200;

interface Field {
  tail: string;
  last: string;
  count: number;
}

interface JoinedTexts {
  /** Adds the texts of a message, and searches them together with the earlier ones. */
  searchWith(
    source: string,
    leaves: readonly TextLeaf[],
    lookFor: TextSearch,
    isLate: () => boolean,
  ): DisguiseMatch | undefined;
  /** Whether fields were dropped, so that a text may have been missed. */
  hasLost(): boolean;
}

export function createJoinedTexts(): JoinedTexts {
  /** All fields of an actor as one text. */
  const wholes = new Map<string, Field>();
  /** In the order of writing, the most recent last. */
  const fields = new Map<string, Field>();
  const forgotten = new Set<string>();
  let isLost = false;

  function fieldAt(key: string): Field {
    const field = fields.get(key) ?? createField();
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

  function readWhole(source: string): Field {
    const whole = wholes.get(source) ?? createField();
    wholes.set(source, whole);
    return whole;
  }

  return {
    hasLost: () => isLost,
    searchWith(source, leaves, lookFor, isLate) {
      let searched: string | undefined;
      function searchIn(field: Field, text: string): DisguiseMatch | undefined {
        const joined = addToField(field, text);
        // In a message with one field, both searches see the same text.
        if (joined === undefined || joined === searched) return undefined;
        searched = joined;
        const seen = searchDisguised(joined, lookFor.joined, isLate);
        return (
          seen && {
            ...seen,
            disguises: [`pieces of ${field.count} messages`, ...seen.disguises.filter(isReported)],
          }
        );
      }
      for (const { path, text } of leaves) {
        const seen = searchIn(fieldAt(`${source} ${path.slice(-longestPath)}`), text);
        if (seen !== undefined) return seen;
      }
      return searchIn(readWhole(source), leaves.map(({ text }) => text).join('\n'));
    },
  };
}

function createField(): Field {
  return { tail: '', last: '', count: 0 };
}

/** Adds a text to a field and returns it joined with the earlier ones; undefined if there are none. */
function addToField(field: Field, text: string): string | undefined {
  // The same text again adds nothing.
  if (text === field.last) return undefined;
  const joined = `${field.tail}\n${text.slice(0, overlap)}`;
  field.tail = `${field.tail}\n${text.slice(-overlap)}`.slice(-overlap);
  field.last = text;
  field.count += 1;
  return field.count === 1 ? undefined : joined;
}

/** Pieces always have characters in between, so this is not reported as a disguise. */
function isReported(disguise: string): boolean {
  return disguise !== 'characters in between';
}

interface TextLeaf {
  /** The path in the value. "" is the value itself. */
  readonly path: string;
  readonly text: string;
}

const mostLeaves = 10_000;

/** The strings in a value, in order, without JSON's quotes and escapes. `isCut` is set if there are more than the limit. */
export function listTextLeaves(value: Value): {
  readonly leaves: readonly TextLeaf[];
  readonly isCut: boolean;
} {
  const leaves: TextLeaf[] = [];
  let isCut = false;
  const waiting: { readonly path: string; readonly value: Value }[] = [{ path: '', value }];
  for (let next = waiting.pop(); next !== undefined && leaves.length < mostLeaves; next = waiting.pop()) {
    const { path, value: here } = next;
    if (Array.isArray(here)) {
      if (here.length > mostLeaves) isCut = true;
      for (let index = Math.min(here.length, mostLeaves) - 1; index >= 0; index--)
        waiting.push({ path: `${path}[${index}]`, value: here[index] as Value });
    } else if (isValueMap(here))
      for (const [key, item] of Object.entries(here).reverse()) waiting.push({ path: `${path}.${key}`, value: item });
    else if (here !== null && typeof here !== 'boolean') leaves.push({ path, text: String(here) });
  }
  return { leaves, isCut: isCut || waiting.length > 0 };
}

/** The keys of a value. An agent may hide its message in a key. */
export function listLeafKeys(leaves: readonly TextLeaf[]): readonly string[] {
  return leaves.map(({ path }) => path.slice(path.lastIndexOf('.') + 1));
}
