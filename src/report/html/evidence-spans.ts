import { isCollection, isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { formatCompactJson, listKeys } from '../../format/primitives/compact-json.ts';

/** Evidence within the string that holds it. A span from 0 to 0 stands for a whole value of any type. */
export interface EvidenceSpan {
  readonly path: readonly (string | number)[];
  readonly from: number;
  readonly to: number;
}

const deepest = 200;
const mostSpans = 200;

/**
 * Finds the spans of evidence in a message. A match counts into a string, or into compact JSON with sorted keys. The
 * page shows neither compact nor sorted JSON, so a match of the second kind is split into the strings that it covers.
 */
export function findEvidenceSpans(message: Value, path: string, from: number, to: number): readonly EvidenceSpan[] {
  const segments = splitPath(path);
  const value = findValueAtPath(message, segments);
  if (value === undefined) return [];
  if (typeof value === 'string') return [from < to ? { path: segments, from, to } : { path: segments, from: 0, to: 0 }];
  const whole: EvidenceSpan = { path: segments, from: 0, to: 0 };
  if (!isCollection(value) || from >= to) return [whole];
  if (from === 0 && to >= formatCompactJson(value, 'sorted').length) return [whole];
  const spans = findSpansWithin(value, segments, from, to);
  return spans.length === 0 ? [whole] : spans;
}

/** `tools[1].description` → tools, 1, description. */
function splitPath(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([segment, index]) =>
    index === undefined ? segment : Number(index),
  );
}

function findValueAtPath(message: Value, path: readonly (string | number)[]): Value | undefined {
  let value: Value | undefined = message;
  for (const segment of path) {
    if (Array.isArray(value)) value = (value as readonly Value[])[Number(segment)];
    else if (isValueMap(value) && Object.hasOwn(value, segment)) value = value[segment];
    else return undefined;
  }
  return value;
}

function findSpansWithin(value: Value, path: readonly (string | number)[], from: number, to: number): EvidenceSpan[] {
  const spans: EvidenceSpan[] = [];
  let at = 0;

  function visit(item: Value, place: readonly (string | number)[], depth: number): void {
    if (at >= to || spans.length >= mostSpans) return;
    if (!isCollection(item) || depth > deepest) {
      const text = formatCompactJson(item, 'sorted');
      if (at + text.length > from) spans.push(...locateInLeaf(item, text, place, from - at, to - at));
      at += text.length;
      return;
    }
    at += 1;
    const entries: readonly (readonly [string | number, Value])[] = Array.isArray(item)
      ? [...(item as readonly Value[]).entries()]
      : listKeys(item as ValueMap, 'sorted').map((key) => [key, (item as ValueMap)[key] as Value]);
    for (const [index, [key, child]] of entries.entries()) {
      if (index > 0) at += 1;
      if (typeof key === 'string') at += JSON.stringify(key).length + 1;
      visit(child, [...place, key], depth + 1);
    }
    at += 1;
  }

  visit(value, path, 0);
  return spans;
}

function locateInLeaf(
  item: Value,
  text: string,
  path: EvidenceSpan['path'],
  from: number,
  to: number,
): readonly EvidenceSpan[] {
  const whole: EvidenceSpan = { path, from: 0, to: 0 };
  if (typeof item !== 'string') return [whole];
  const start = toRawOffset(text, Math.max(from, 1));
  const end = toRawOffset(text, Math.min(to, text.length - 1));
  return start < end ? [{ path, from: start, to: end }] : [];
}

/** Turns an offset into a string's JSON form into an offset into the string itself. */
function toRawOffset(json: string, offset: number): number {
  let raw = 0;
  for (let at = 1; at < offset; raw++) at += json[at] !== '\\' ? 1 : json[at + 1] === 'u' ? 6 : 2;
  return raw;
}
