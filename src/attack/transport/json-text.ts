import { isUtf8 } from 'node:buffer';
import { parseJson } from '../../format/model/json-text-values.ts';
import { isCollection, isValueMap, type Value } from '../../format/model/value.ts';

export type JsonText = { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly reason: string };

/**
 * Reads a peer's bytes as JSON. The depth is limited because code that reads the value later, such as JSON.stringify,
 * recurses.
 */
export function readJson(bytes: Buffer, maxDepth: number): JsonText {
  const text = bytes.toString('utf8');
  // What is not UTF-8 is decoded to this character, so the bytes are checked only if there is one.
  if (text.includes('\ufffd') && !isUtf8(bytes)) return { ok: false, reason: 'not valid UTF-8' };
  // Each level takes two bytes, so short texts need no check.
  if (bytes.length > 2 * maxDepth && isDeeperThan(bytes, maxDepth))
    return { ok: false, reason: `nested deeper than ${maxDepth} levels` };
  try {
    return { ok: true, value: parseJson(text) };
  } catch (error) {
    return { ok: false, reason: `not valid JSON: ${(error as SyntaxError).message}` };
  }
}

/** Tells whether a text repeats a key within an object, which the parsed value no longer shows. */
export function hasRepeatedKeys(bytes: Buffer, value: Value): boolean {
  return countColons(bytes) > countKeys(value);
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
/** `[` and `{`, and likewise `]` and `}`, differ in this bit only. */
const curly = 0x20;
const opening = 0x7b;
const closing = 0x7d;

function isDeeperThan(bytes: Buffer, maxDepth: number): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === quote) at = findQuote(bytes, at + 1);
    else if ((byte | curly) === opening) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if ((byte | curly) === closing) depth -= 1;
  }
  return false;
}

/** Outside of strings there is one colon for each key. */
function countColons(bytes: Buffer): number {
  let colons = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = findQuote(bytes, at + 1);
    else if (byte === colon) colons += 1;
  }
  return colons;
}

/** The offset of the quote that ends a string. */
function findQuote(bytes: Buffer, from: number): number {
  let at = from;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) break;
    if (byte === backslash) at += 1;
  }
  return at;
}

function countKeys(value: Value): number {
  if (!isCollection(value)) return 0;
  let keys = 0;
  if (isValueMap(value)) for (const key in value) keys += 1 + countKeys(value[key] as Value);
  else for (const item of value) keys += countKeys(item);
  return keys;
}
