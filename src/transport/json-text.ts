import { isUtf8 } from 'node:buffer';
import { parseJson } from '../model/json.ts';
import { isCollection, isValueMap, type Value } from '../model/value.ts';

export type JsonText =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads a peer's bytes as JSON. The depth is limited because code that reads the value later, such as JSON.stringify,
 * recurses.
 */
export function readJson(bytes: Buffer, maxDepth: number): JsonText {
  if (!isUtf8(bytes)) return { ok: false, reason: 'not valid UTF-8' };
  // Each level takes two bytes, so short texts need no check.
  if (bytes.length > 2 * maxDepth && isDeeperThan(bytes, maxDepth))
    return { ok: false, reason: `nested deeper than ${maxDepth} levels` };
  try {
    return { ok: true, value: parseJson(bytes.toString('utf8')) };
  } catch (error) {
    return { ok: false, reason: `not valid JSON: ${(error as SyntaxError).message}` };
  }
}

/** Tells whether a text repeats a key within an object, which the parsed value no longer shows. */
export function repeatsKeys(bytes: Buffer, value: Value): boolean {
  return countColons(bytes) > countKeys(value);
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const openings = new Set([0x5b, 0x7b]);
const closings = new Set([0x5d, 0x7d]);

function isDeeperThan(bytes: Buffer, maxDepth: number): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] as number;
    if (byte === quote) inString = !inString;
    else if (inString) index += byte === backslash ? 1 : 0;
    else if (openings.has(byte)) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (closings.has(byte)) depth -= 1;
  }
  return false;
}

/** Outside of strings there is one colon for each key. */
function countColons(bytes: Buffer): number {
  let colons = 0;
  let inString = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index];
    if (byte === quote) inString = !inString;
    else if (inString) index += byte === backslash ? 1 : 0;
    else if (byte === colon) colons += 1;
  }
  return colons;
}

function countKeys(value: Value): number {
  if (!isCollection(value)) return 0;
  let keys = 0;
  if (isValueMap(value)) for (const key in value) keys += 1 + countKeys(value[key] as Value);
  else for (const item of value) keys += countKeys(item);
  return keys;
}
