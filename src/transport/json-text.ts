import { isUtf8 } from 'node:buffer';
import type { Value } from '../model/value.ts';

export type JsonText =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly reason: string };

/**
 * Reads a peer's bytes as JSON. The depth is bounded because what reads the value later, JSON.stringify to
 * begin with, recurses.
 */
export function readJson(bytes: Buffer, maxDepth: number): JsonText {
  if (!isUtf8(bytes)) return { ok: false, reason: 'not valid UTF-8' };
  // Each level takes two bytes, so short texts need no look.
  if (bytes.length > 2 * maxDepth && isDeeperThan(bytes, maxDepth))
    return { ok: false, reason: `nested deeper than ${maxDepth} levels` };
  try {
    return { ok: true, value: JSON.parse(bytes.toString('utf8')) as Value };
  } catch (error) {
    return { ok: false, reason: `not valid JSON: ${(error as SyntaxError).message}` };
  }
}

const quote = 0x22;
const backslash = 0x5c;
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
