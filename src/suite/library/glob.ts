import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Whether a search skips this folder; a folder that the user names is always searched. */
export function isSkippedFolder(name: string): boolean {
  return name === 'node_modules' || name.startsWith('.');
}

export function hasWildcard(pattern: string): boolean {
  return /[*?]|\{[^}]*,/.test(pattern);
}

/** Whether it looks like a pattern of another tool: a character class, an extended pattern or a negation. */
export function hasOtherWildcard(pattern: string): boolean {
  return /\[[^\]]+\]|[!?*+@]\(|^!/.test(pattern);
}

/** The paths that match a pattern of `*`, `**`, `?` and `{a,b}`, sorted, in the spelling of the pattern. */
export function findMatchingPaths(pattern: string, cwd: string): readonly string[] {
  const found = new Set<string>();
  for (const alternative of expandBraces(pattern)) {
    const root = /^\/+/.exec(alternative)?.[0] ?? '';
    const segments = alternative.slice(root.length).split(/\/+/).filter(Boolean);
    for (const path of walkSegments(root, segments, cwd)) found.add(path);
  }
  return [...found].sort();
}

const mostAlternatives = 1_000;

export function expandBraces(pattern: string): readonly string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    // The innermost braces are expanded first, so that nested ones need no special care.
    const braces = /\{([^{}]*,[^{}]*)\}/.exec(next);
    if (braces === null || open.length + done.length > mostAlternatives) {
      done.push(next);
      continue;
    }
    const [whole, inside = ''] = braces;
    const head = next.slice(0, braces.index);
    const tail = next.slice(braces.index + whole.length);
    for (const choice of inside.split(',').reverse()) open.push(head + choice + tail);
  }
  return done;
}

export function compileSegment(segment: string): (name: string) => boolean {
  const source = segment
    .replace(/\*+/g, '*')
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${source}$`, 'su');
  // As in shells, a wildcard at the start does not match a dot.
  return (name) => (segment.startsWith('.') || !name.startsWith('.')) && expression.test(name);
}

function* walkSegments(at: string, segments: readonly string[], cwd: string): Generator<string> {
  const [segment, ...rest] = segments;
  if (segment === undefined) {
    yield at;
    return;
  }
  if (segment === '**') {
    yield* walkSegments(at, rest.length === 0 ? ['*'] : rest, cwd);
    for (const entry of listFolderEntries(at, cwd))
      if (entry.isDirectory() && !isSkippedFolder(entry.name)) yield* walkSegments(join(at, entry.name), segments, cwd);
    return;
  }
  if (!hasWildcard(segment)) {
    const path = at === '' ? segment : join(at, segment);
    if (isExisting(resolve(cwd, path))) yield* walkSegments(path, rest, cwd);
    return;
  }
  const matches = compileSegment(segment);
  for (const entry of listFolderEntries(at, cwd)) {
    if (!matches(entry.name) || entry.name === 'node_modules') continue;
    if (rest.length === 0 || entry.isDirectory() || entry.isSymbolicLink())
      yield* walkSegments(join(at, entry.name), rest, cwd);
  }
}

function listFolderEntries(path: string, cwd: string): readonly Dirent[] {
  try {
    return readdirSync(resolve(cwd, path), { withFileTypes: true });
  } catch {
    // A folder that cannot be listed matches nothing; a pattern without any match is reported.
    return [];
  }
}

function isExisting(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
