import type { Value, ValueMap } from '../model/value.ts';
import { WrittenNumber } from '../model/written-number.ts';

interface Frame {
  readonly close: ']' | '}';
  readonly items: readonly Value[];
  readonly keys: readonly string[] | undefined;
  next: number;
}

/**
 * Writes JSON without white space, with keys in their own order or sorted (format spec §5.4). It keeps its own stack, so
 * that a message nested a hundred thousand levels deep does not overflow the call stack.
 */
export function formatCompactJson(value: Value, order: 'own' | 'sorted'): string {
  let text = '';
  const frames: Frame[] = [];
  const open = (item: Value): void => {
    if (typeof item !== 'object' || item === null || item instanceof WrittenNumber) {
      text += item instanceof WrittenNumber ? String(item) : JSON.stringify(item);
      return;
    }
    const keys = Array.isArray(item) ? undefined : listKeys(item as ValueMap, order);
    text += keys === undefined ? '[' : '{';
    frames.push({
      close: keys === undefined ? ']' : '}',
      items: keys === undefined ? (item as readonly Value[]) : keys.map((key) => (item as ValueMap)[key] as Value),
      keys,
      next: 0,
    });
  };
  open(value);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const index = frame.next++;
    if (index >= frame.items.length) {
      text += frame.close;
      frames.pop();
      continue;
    }
    if (index > 0) text += ',';
    if (frame.keys !== undefined) text += `${JSON.stringify(frame.keys[index])}:`;
    open(frame.items[index] as Value);
  }
  return text;
}

export function listKeys(map: ValueMap, order: 'own' | 'sorted'): string[] {
  const keys = Object.keys(map);
  if (order === 'own') return keys;
  return keys.some((key) => surrogate.test(key)) ? keys.sort(compareByCodePoint) : keys.sort();
}

const surrogate = /[\ud800-\udfff]/;

/**
 * Compares by code point. JavaScript compares UTF-16 code units, which puts characters beyond U+FFFF before some below;
 * other languages do not.
 */
function compareByCodePoint(a: string, b: string): number {
  const [left, right] = [listCodePoints(a), listCodePoints(b)];
  for (const [index, point] of left.entries()) {
    const difference = point - (right[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function listCodePoints(text: string): number[] {
  return Array.from(text, (character) => Number(character.codePointAt(0)));
}

/** A string as it is, anything else as compact JSON. */
export function formatAsText(value: Value, order: 'own' | 'sorted'): string {
  return typeof value === 'string' ? value : formatCompactJson(value, order);
}
