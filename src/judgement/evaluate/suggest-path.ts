import { isValueMap, type Value } from '../../format/model/value.ts';
import { compileWildcardPath } from '../../format/primitives/resolve-wildcard-path.ts';
import { findNearest } from '../../format/registry/suggestions.ts';

/** The number of values that are searched for a key at another path. */
const mostVisited = 2_000;
const deepest = 8;

/** Finds the path that the author probably meant, if no message has the given one. */
export function suggestPath(target: string, messages: readonly Value[]): string | undefined {
  for (const message of messages) {
    const path = correctPath(target.split('.'), message) ?? findElsewhere(target, message);
    if (path !== undefined && path !== target && compileWildcardPath(path).values(message).length > 0) return path;
  }
  return undefined;
}

/** Follows the path as far as it leads, and there takes the nearest key, or corrects `[*]`. */
function correctPath(segments: readonly string[], root: Value): string | undefined {
  const taken: string[] = [];
  let value: Value = root;
  for (const segment of segments) {
    if (!isValueMap(value)) return undefined;
    const written = segment.replace('[*]', '');
    const key = Object.hasOwn(value, written) ? written : findNearest(written, Object.keys(value));
    if (key === undefined) return undefined;
    const next = value[key] as Value;
    const isLast = taken.length === segments.length - 1;
    const fansOut = Array.isArray(next) && (segment.endsWith('[*]') || !isLast);
    taken.push(fansOut ? `${key}[*]` : key);
    value = fansOut ? ((next as readonly Value[])[0] ?? null) : next;
  }
  return taken.join('.');
}

/** Finds the same last key at another path: `arguments.body` for `body`. */
function findElsewhere(target: string, root: Value): string | undefined {
  const wanted = target.slice(target.lastIndexOf('.') + 1);
  const key = wanted.replace('[*]', '');
  const pending: { readonly value: Value; readonly path: string; readonly depth: number }[] = [
    { value: root, path: '', depth: 0 },
  ];
  for (let visited = 0; visited < mostVisited; visited++) {
    const next = pending.shift();
    if (next === undefined) return undefined;
    const { value, path, depth } = next;
    if (Array.isArray(value)) {
      const first = value[0] as Value | undefined;
      if (first !== undefined && path !== '' && depth < deepest)
        pending.push({ value: first, path: `${path}[*]`, depth: depth + 1 });
    } else if (isValueMap(value)) {
      if (Object.hasOwn(value, key)) return path === '' ? wanted : `${path}.${wanted}`;
      if (depth < deepest)
        for (const [name, item] of Object.entries(value).slice(0, mostVisited))
          pending.push({ value: item, path: path === '' ? name : `${path}.${name}`, depth: depth + 1 });
    }
  }
  return undefined;
}
