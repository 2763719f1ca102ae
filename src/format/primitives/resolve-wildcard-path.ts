import { maximumDepth } from '../expression/evaluation-limits.ts';
import { isValueMap, type Value } from '../model/value.ts';

interface Segment {
  readonly key: string;
  readonly fansOut: boolean;
}

export interface LocatedValue {
  /** The path with real indices in place of `[*]`. */
  readonly path: string;
  readonly value: Value;
}

/** A wildcard dot-path, compiled to run on many messages. */
export interface WildcardPath {
  values(root: Value): readonly Value[];
  located(root: Value): readonly LocatedValue[];
}

/** Every value at a wildcard dot-path, in order. `[*]` stands for each element of an array (SDK spec §5.1.2). */
export function resolveWildcardPath(path: string, value: Value): readonly Value[] {
  return compileWildcardPath(path).values(value);
}

export function compileWildcardPath(path: string): WildcardPath {
  const segments = path === '' ? [] : path.split('.', maximumDepth + 1).map(toSegment);
  if (segments.length > maximumDepth || !segments.every(({ key }) => wellFormed.test(key)))
    return { values: () => [], located: () => [] };
  return {
    values(root) {
      const found: Value[] = [];
      walk(segments, 0, root, undefined, (value) => found.push(value));
      return found;
    },
    located(root) {
      const found: LocatedValue[] = [];
      walk(segments, 0, root, '', (value, at = '') => found.push({ path: at, value }));
      return found;
    },
  };
}

/** Paths cannot address keys that contain any other character, such as a dot or a bracket. */
const wellFormed = /^[A-Za-z0-9_-]+$/;

function toSegment(text: string): Segment {
  return text.endsWith('[*]') ? { key: text.slice(0, -3), fansOut: true } : { key: text, fansOut: false };
}

/** Recurses once per segment, and the number of segments is bounded. Paths are built only if the caller asks for them. */
function walk(
  segments: readonly Segment[],
  index: number,
  value: Value,
  at: string | undefined,
  found: (value: Value, at: string | undefined) => void,
): void {
  const segment = segments[index];
  if (segment === undefined) {
    found(value, at);
    return;
  }
  if (!isValueMap(value) || !Object.hasOwn(value, segment.key)) return;
  const next = value[segment.key] as Value;
  const here = at === undefined ? undefined : at === '' ? segment.key : `${at}.${segment.key}`;
  if (!segment.fansOut) walk(segments, index + 1, next, here, found);
  else if (Array.isArray(next))
    next.forEach((item: Value, position) => {
      walk(segments, index + 1, item, here === undefined ? undefined : `${here}[${position}]`, found);
    });
}
