import { parseJson } from '../../../format/model/json-text-values.ts';
import { setOwn, type Value } from '../../../format/model/value.ts';

/** The values in a text that begins as JSON. */
export interface TolerantJson {
  /** The values, in order. */
  readonly values: readonly Value[];
  /** The reason why the values do not cover the whole text. */
  readonly problem?: string;
  /** True when an object repeats a key; the first one counts here. */
  readonly repeats?: true;
}

interface Reading {
  readonly text: string;
  readonly maxDepth: number;
  at: number;
  problem: string | undefined;
  repeats: boolean;
}

/**
 * Reads JSON as far as it goes: a text may end anywhere, and strings may contain line feeds. A value that is
 * nested too deep is returned as its text.
 */
export function readTolerantly(text: string, maxDepth: number): TolerantJson {
  const reading: Reading = { text, maxDepth, at: 0, problem: undefined, repeats: false };
  const values: Value[] = [];
  while (!isAtEnd(reading)) {
    const value = readValueAt(reading, 1);
    if (value === undefined) break;
    values.push(value);
  }
  const { problem, repeats } = reading;
  return { values, ...(problem !== undefined && { problem }), ...(repeats && { repeats }) };
}

const blank = /\s*/y;
const literal = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

function isAtEnd(reading: Reading): boolean {
  blank.lastIndex = reading.at;
  reading.at += blank.exec(reading.text)?.[0].length ?? 0;
  return reading.at >= reading.text.length;
}

function stop(reading: Reading, problem: string): undefined {
  reading.problem ??= problem;
  reading.at = reading.text.length;
}

const breaksOff = 'it breaks off';

function readValueAt(reading: Reading, depth: number): Value | undefined {
  if (isAtEnd(reading)) return stop(reading, breaksOff);
  const sign = reading.text[reading.at];
  if (sign === '"') return readString(reading);
  if (sign !== '{' && sign !== '[') return readLiteral(reading);
  if (depth > reading.maxDepth) return skipDeepValue(reading);
  reading.at += 1;
  return sign === '{' ? readObject(reading, depth) : listAt(reading, depth);
}

function readLiteral(reading: Reading): Value | undefined {
  literal.lastIndex = reading.at;
  const found = literal.exec(reading.text)?.[0];
  if (found === undefined) return stop(reading, `it is not JSON from character ${reading.at} on`);
  reading.at += found.length;
  // JSON allows no leading zeros, but the meaning is clear.
  return parseJson(found.replace(/^(-?)0+(?=\d)/, '$1'));
}

function readObject(reading: Reading, depth: number): Value {
  const object: Record<string, Value> = {};
  const repeated = new Set<string>();
  while (!isClosed(reading, '}')) {
    if (reading.text[reading.at] !== '"') {
      stop(reading, `it is not JSON from character ${reading.at} on`);
      break;
    }
    const key = readString(reading);
    if (isAtEnd(reading)) {
      stop(reading, breaksOff);
      break;
    }
    if (reading.text[reading.at] === ':') reading.at += 1;
    const value = readValueAt(reading, depth + 1);
    if (value === undefined) break;
    if (!Object.hasOwn(object, key)) setOwn(object, key, value);
    else {
      if (repeated.has(key)) reading.problem ??= 'a key stands in it more than twice';
      repeated.add(key);
      reading.repeats = true;
    }
  }
  return object;
}

function listAt(reading: Reading, depth: number): Value {
  const list: Value[] = [];
  while (!isClosed(reading, ']')) {
    const value = readValueAt(reading, depth + 1);
    if (value === undefined) break;
    list.push(value);
  }
  return list;
}

/** Tells whether an object or a list is over, by its end or by the end of the text. */
function isClosed(reading: Reading, end: '}' | ']'): boolean {
  while (!isAtEnd(reading) && reading.text[reading.at] === ',') reading.at += 1;
  if (isAtEnd(reading)) {
    stop(reading, breaksOff);
    return true;
  }
  if (reading.text[reading.at] !== end) return false;
  reading.at += 1;
  return true;
}

function readString(reading: Reading): string {
  const { text } = reading;
  const from = reading.at + 1;
  const end = findStringEnd(text, from);
  if (end < text.length) {
    reading.at = end + 1;
    return unescapeString(text.slice(from, end));
  }
  stop(reading, breaksOff);
  return unescapeString(text.slice(from).replace(/\\(?:u[\da-f]{0,3})?$/i, ''));
}

function findStringEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code === 0x5c) at += 1;
  }
  return text.length;
}

function unescapeString(raw: string): string {
  try {
    return JSON.parse(`"${raw.replace(/[\0-\x1f]/g, escapeControl)}"`) as string;
  } catch {
    return raw;
  }
}

function escapeControl(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Skips a value that is nested too deep, and returns its text. */
function skipDeepValue(reading: Reading): string {
  const { text, at: from, maxDepth } = reading;
  let depth = 0;
  let at = from;
  for (; at < text.length; at++) {
    const sign = text[at];
    if (sign === '"') at = findStringEnd(text, at + 1);
    else if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') {
      depth -= 1;
      if (depth === 0) break;
    }
  }
  reading.problem ??= `it is nested deeper than ${maxDepth} levels`;
  reading.at = Math.min(at + 1, text.length);
  return text.slice(from, reading.at);
}
