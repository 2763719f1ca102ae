import { findNamedPlace } from './find-place.ts';
import { type Data, fail, isMap } from './values.ts';

// An edit changes one value of a phase: `value` replaces it, `after: TEXT` puts the value behind that text, `insert: true` puts
// it into a list before that place.

export interface Edit {
  readonly path: readonly (string | number)[];
  /** Undefined if nothing stood there. */
  readonly before: Data;
}

/** Applies an edit to a phase, which it changes. */
export function applyEdit(phase: Data, { at, value, after, insert }: Data): Edit {
  const path = findNamedPlace(phase, at);
  const parent = path.slice(0, -1).reduce((node: Data, key) => node?.[key], phase);
  const last = path.at(-1) ?? fail(`"${at}" names nothing`);
  if (parent === undefined) fail(`there is nothing at ${at}`);
  const before = parent[last];
  if (insert) {
    if (!Array.isArray(parent)) fail(`${at} is not a place in a list`);
    parent.splice(Number(last), 0, value);
  } else if (after !== undefined) parent[last] = insertBehind(String(before), after, value, at);
  else if (value !== undefined) parent[last] = value;
  return { path, before: insert ? undefined : before };
}

function insertBehind(text: string, after: string, value: string, at: string): string {
  const from = text.indexOf(after);
  if (from < 0) fail(`${at} has no "${after}"`);
  const end = from + after.length;
  const gap = /\n$/.test(text.slice(0, end)) || /^\s/.test(value) ? '' : ' ';
  return text.slice(0, end) + gap + value + text.slice(end);
}

/** Whether a value stands within the JSON of a text, and cannot be marked alone. */
export function isWithinText(path: readonly (string | number)[]): boolean {
  return path.some((key, index) => key === 'json' && path[index - 2] === 'responses');
}

export function readAt(root: Data, path: readonly (string | number)[]): Data {
  return path.reduce((node: Data, key) => (isMap(node) || Array.isArray(node) ? (node as Data)[key] : undefined), root);
}
