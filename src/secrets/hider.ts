import { setOwn, sortKeys, type ValueMap } from '../format/model/value.ts';
import { WrittenNumber } from '../format/model/written-number.ts';
import { coverMarked, type Finder, type MarkedText, stars, type TextSpan } from './cover.ts';
import type { KnownSecrets } from './given-secrets.ts';
import { isNamedSecret, isTellingKey, shapeFinder } from './secret-shapes.ts';

type Leaf = string | number | WrittenNumber | boolean;

/** Masks what its finders find. */
export interface Hider {
  readonly isIdle: boolean;
  text(text: string): string;
  marked(text: string, spans: readonly TextSpan[]): MarkedText;
  /** Masks a text with its key, because a key such as `password` marks its value as a secret. */
  named(key: string, text: string, spans: readonly TextSpan[]): MarkedText;
  /** Masks a string. Masks a number or a boolean too, if there are finders. */
  leaf(key: string, value: Leaf): Leaf;
}

/**
 * Makes a hider. Given values are searched for in strings only: an equal number may be a mere counter. They may be added
 * later, so results are cached only without them. Short texts are cached because keys and names recur.
 */
export function createHider(finders: readonly Finder[], given?: KnownSecrets): Hider {
  const all = given === undefined ? finders : [given, ...finders];
  const hide = (text: string, spans: readonly TextSpan[]): MarkedText => all.reduce(coverMarked, { text, spans });
  const hideText = (text: string): string => hide(text, []).text;
  const text = given !== undefined || finders.length === 0 ? hideText : memoizeFinder(hideText);
  const isTelling = finders.includes(shapeFinder) ? memoizeFinder(isTellingKey) : () => false;
  const named = (key: string, each: string, spans: readonly TextSpan[]): MarkedText => {
    if (isTelling(key) && isNamedSecret(key, each)) return { text: stars, spans: spans.map(() => [0, stars.length]) };
    return spans.length === 0 ? { text: text(each), spans } : hide(each, spans);
  };
  return {
    get isIdle() {
      return finders.length === 0 && (given?.isEmpty ?? true);
    },
    text,
    marked: hide,
    named,
    leaf(key, value) {
      if (typeof value !== 'string' && finders.length === 0) return value;
      const hidden = named(key, String(value), []).text;
      return hidden === String(value) ? value : hidden;
    },
  };
}

const remembered = { texts: 20_000, characters: 80 };

function memoizeFinder<T>(find: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length > remembered.characters) return find(text);
    let found = known.get(text);
    if (found === undefined) {
      found = find(text);
      if (known.size < remembered.texts) known.set(text, found);
    }
    return found;
  };
}

const deepest = 1_000;

/** Chooses the hider for the value under a name, given the hider of the surrounding value. */
export type Choose = (name: string, around: Hider, depth: number) => Hider;

/** Copies a value with each string masked on its own, so that a match across strings cannot break the structure. */
export function hideWithin(value: unknown, hider: Hider, choose: Choose, key = '', depth = 0): unknown {
  if (isLeaf(value)) return hider.leaf(key, value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) return stars;
  if (Array.isArray(value)) return value.map((item) => hideWithin(item, hider, choose, key, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [name, item] of Object.entries(value))
    setOwn(copy, hider.text(name), hideWithin(item, choose(name, hider, depth), choose, name, depth + 1));
  return sortKeys(copy as ValueMap, Object.keys(value).map(hider.text));
}

function isLeaf(value: unknown): value is Leaf {
  return (
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean' ||
    value instanceof WrittenNumber
  );
}
