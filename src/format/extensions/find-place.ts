import type { Path } from '../model/path.ts';
import { findAt, parsePointer, parsePointerIndex } from '../model/pointer.ts';
import { isValueMap, type Value, type ValueMap } from '../model/value.ts';

// Finds the value for a payload, which people name by a pointer or by the names of things.

export interface DocumentPlace {
  readonly path: Path;
  /** Undefined if the document has no value there yet. */
  readonly value: string | undefined;
}

export type FindPlaceResult =
  | { readonly ok: true; readonly place: DocumentPlace }
  /** Existing places to choose from. */
  | { readonly ok: false; readonly places: readonly string[] };

/** Keys under which a missing text may be added. */
const texts = new Set(['description', 'instructions', 'title', 'text']);

/** The fields that name an entry of a list. */
const names = ['name', 'uri', 'uriTemplate', 'id', 'messageId', 'description'];

/** `response` and `content` stand for the first text of the entry that answers any request. */
const shortcuts: { readonly [word: string]: readonly string[] } = {
  response: ['responses', 'task_responses', 'tool_responses'],
  content: ['content'],
};

export function findPlace(phase: ValueMap, at: string): FindPlaceResult {
  const byName = at === '' ? undefined : findByNames(phase.state ?? {}, ['state'], at);
  const found = at.startsWith('/') ? findByPointer(phase, at) : byName;
  return found === undefined
    ? { ok: false, places: listNameablePlaces(phase.state ?? {}) }
    : { ok: true, place: found };
}

function findByPointer(phase: ValueMap, at: string): DocumentPlace | undefined {
  const keys = parsePointer(at);
  const last = keys?.at(-1);
  if (keys === undefined || last === undefined) return undefined;
  const value = findAt(phase, keys);
  const path = toPath(phase, keys);
  if (typeof value === 'string') return { path, value };
  const isFree = value === undefined && texts.has(last) && isValueMap(findAt(phase, keys.slice(0, -1)));
  return isFree ? { path, value: undefined } : undefined;
}

/** Indices are numbers in a path, but strings in a pointer. */
function toPath(root: Value, keys: readonly string[]): Path {
  return keys.map((key, index) => (Array.isArray(findAt(root, keys.slice(0, index))) ? Number(key) : key));
}

function findByNames(value: Value, path: Path, rest: string): DocumentPlace | undefined {
  if (rest === '') {
    if (typeof value === 'string') return { path, value };
    return isValueMap(value) || Array.isArray(value) ? findFirstText(value, path) : undefined;
  }
  for (const [word, keys] of Object.entries(shortcuts)) {
    if (rest !== word || !isValueMap(value)) continue;
    for (const key of keys) {
      const held = value[key];
      if (Array.isArray(held) && held.length > 0 && key !== 'content') {
        const index = held.length - 1;
        return findFirstText(held[index] as Value, [...path, key, index]);
      }
      if (held !== undefined) return findFirstText(held, [...path, key]);
    }
  }
  for (const [name, key, item] of listNamedEntries(value)) {
    if (rest === name) return findByNames(item, [...path, key], '');
    if (rest.startsWith(`${name}/`)) {
      const found = findByNames(item, [...path, key], rest.slice(name.length + 1));
      if (found !== undefined) return found;
    }
  }
  return isValueMap(value) && texts.has(rest) && value[rest] === undefined
    ? { path: [...path, rest], value: undefined }
    : undefined;
}

function* listNamedEntries(value: Value): Generator<readonly [name: string, key: string | number, item: Value]> {
  if (isValueMap(value)) for (const [key, item] of Object.entries(value)) yield [key, key, item];
  if (!Array.isArray(value)) return;
  for (const [index, item] of (value as readonly Value[]).entries()) {
    if (isValueMap(item)) for (const name of names) if (typeof item[name] === 'string') yield [item[name], index, item];
    if (parsePointerIndex(value.length, String(index)) !== undefined) yield [String(index), index, item];
  }
}

/** The text that an agent reads first: under `text`, else under `description`, else anywhere. */
function findFirstText(value: Value, path: Path): DocumentPlace | undefined {
  if (typeof value === 'string') return { path, value };
  for (const wanted of ['text', 'description']) {
    const found = findTextUnder(value, path, wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Keys of an answer that are not part of what it says: its condition, and what the other side said. */
const unnamedKeys: ReadonlySet<string> = new Set(['when', 'history']);

function findTextUnder(value: Value, path: Path, wanted: string): DocumentPlace | undefined {
  if (isValueMap(value) && typeof value[wanted] === 'string') return { path: [...path, wanted], value: value[wanted] };
  const entries = Array.isArray(value)
    ? (value as readonly Value[]).map((item, index) => [index, item] as const)
    : isValueMap(value)
      ? Object.entries(value).filter(([key]) => !unnamedKeys.has(key))
      : [];
  for (const [key, item] of entries) {
    const found = findTextUnder(item, [...path, key], wanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

const mostPlaces = 12;

/** The places that a user would most likely name. */
function listNameablePlaces(state: Value): readonly string[] {
  if (!isValueMap(state)) return [];
  const found: string[] = [];
  for (const [key, value] of Object.entries(state)) {
    if (typeof value === 'string') found.push(key);
    if (key === 'agent_card') found.push('agent_card/description');
    if (key === 'task_responses') found.push('response');
    if (Array.isArray(value))
      for (const item of (value as readonly Value[]).filter(isValueMap)) {
        const name = names.map((each) => item[each]).find((each) => typeof each === 'string');
        if (name === undefined) continue;
        found.push(`${key}/${name}/description`);
        if (item.responses !== undefined) found.push(`${key}/${name}/response`);
        if (item.content !== undefined) found.push(`${key}/${name}/content`);
      }
  }
  return found.slice(0, mostPlaces);
}
