import type { Echo } from '../../format/model/binding-views.ts';
import { stringifyJson } from '../../format/model/json-text-values.ts';
import type { Path } from '../../format/model/path.ts';
import { isCollection, type Value } from '../../format/model/value.ts';
import { createRecentTexts } from './recent-texts.ts';

// Tells our words from the agent's in the places where a protocol repeats ours. Equal words are ours. Of a longer text ours
// is cut out, and the rest is the agent's.

export interface OwnTexts {
  /** Remembers the keys and leaves of a value that we sent. */
  add(value: Value): void;
  has(text: string): boolean;
  some(test: (own: string) => boolean): boolean;
  /** What is left of a text without ours; undefined if none of ours is in it. Of ours, `shortest` characters must be there. */
  cut(text: string, shortest?: number): string | undefined;
  /** The places of a value at which our words stand. `readRest` replaces `cut`. */
  findIn(value: Value, at: Path, readRest?: (text: string) => string | undefined): readonly Echo[];
}

/** Shorter texts occur within others by chance. */
const telling = 8;
const deepest = 64;
const mostVisited = 10_000;

export function createOwnTexts(): OwnTexts {
  const keys = createRecentTexts();
  const texts = createRecentTexts();
  /** Leaves that are no texts, as JSON. */
  const others = createRecentTexts();
  /** Texts long enough to be cut out, the longest first, as they are and as they stand within JSON. */
  let found: readonly string[] | undefined;

  function listCuttable(): readonly string[] {
    found ??= [...texts.values()]
      .map((text) => text.trim())
      .filter((text) => text.length >= telling)
      .flatMap((text) => [...new Set([text, stringifyJson(text).slice(1, -1)])])
      .sort((one, other) => other.length - one.length);
    return found;
  }

  function cut(text: string, shortest = telling): string | undefined {
    if (texts.has(text)) return '';
    let rest = text;
    for (const own of listCuttable()) {
      if (own.length < shortest) break;
      rest = removeText(rest, own);
    }
    if (rest === text) return undefined;
    return rest.trim() === '' ? '' : rest;
  }

  return {
    add(value) {
      let visits = 0;
      const pending: Value[] = [value];
      for (let next = pending.pop(); next !== undefined && visits < mostVisited; next = pending.pop()) {
        visits += 1;
        if (isCollection(next)) {
          if (!Array.isArray(next)) for (const key of Object.keys(next)) keys.add(key);
          for (const item of Object.values(next).reverse()) pending.push(item as Value);
        } else if (typeof next !== 'string') others.add(stringifyJson(next));
        else texts.add(next);
      }
      found = undefined;
    },
    has: texts.has,
    some(test) {
      for (const own of texts.values()) if (test(own)) return true;
      return false;
    },
    cut,
    findIn(root, at, readRest = cut) {
      let visits = 0;
      /** The echoes in a value. `isWhole`: nothing in it is the agent's. */
      const visit = (value: Value, path: Path): { readonly echoes: readonly Echo[]; readonly isWhole: boolean } => {
        visits += 1;
        if (visits > mostVisited || path.length - at.length > deepest) return { echoes: [], isWhole: false };
        if (!isCollection(value)) {
          const rest = typeof value === 'string' ? readRest(value) : others.has(stringifyJson(value)) ? '' : undefined;
          return { echoes: rest === undefined ? [] : [createEcho(path, rest)], isWhole: rest === '' };
        }
        const items = Object.entries(value).map(([key, item]) => {
          const isNamed = Array.isArray(value) || keys.has(key);
          const inner = visit(item as Value, [...path, Array.isArray(value) ? Number(key) : key]);
          // The name of a field that we did not send is the agent's, whatever the field contains.
          return isNamed ? inner : { echoes: inner.echoes.map((echo) => ({ rest: '', ...echo })), isWhole: false };
        });
        const isWhole = items.length > 0 && items.every((item) => item.isWhole);
        return { echoes: isWhole ? [{ path }] : items.flatMap(({ echoes }) => echoes), isWhole };
      };
      return visit(root, at).echoes;
    },
  };
}

/** Where nothing is left, our text is a whole value. */
export function createEcho(path: Path, rest: string): Echo {
  return rest === '' ? { path } : { path, rest };
}

const ofWord = /[\p{L}\p{N}_]/u;

/** Takes our words out of a text, but not out of the middle of a longer word. */
function removeText(text: string, own: string): string {
  let rest = '';
  let from = 0;
  for (let at = text.indexOf(own); at >= 0; at = text.indexOf(own, at + own.length)) {
    const end = at + own.length;
    const isWithinWord = isJoined(text[at - 1], own[0]) || isJoined(own.at(-1), text[end]);
    if (isWithinWord) continue;
    rest += text.slice(from, at);
    from = end;
  }
  return from === 0 ? text : rest + text.slice(from);
}

function isJoined(before: string | undefined, after: string | undefined): boolean {
  return before !== undefined && after !== undefined && ofWord.test(before) && ofWord.test(after);
}
