import { GeneratedValue, recipeMark } from './generated-value.ts';
import { createMap, isCollection, type Value } from './value.ts';
import { countWrittenNumbers, parseWrittenNumber, WrittenNumber } from './written-number.ts';

// Reads and writes JSON with numbers as they are written and keys in their order. Few messages need that, so the platform's
// own functions do the work unless the text shows that they would lose something.

/** Works like `JSON.parse`, and throws the same errors. */
export function parseJson(text: string): Value {
  const value = JSON.parse(text) as Value;
  return suspicious.test(text) && isCareNeeded(text) ? readExactly(text) : value;
}

/** Works like `parseJson`, but returns undefined for a text that is not JSON. */
export function tryParseJson(text: string): Value | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** A quick test. It finds every text that `isCareNeeded` finds, and some more. */
const suspicious =
  /(?:^|[\s:,[])(?:-?(?:\d[\d.]{14}|\d{1,15}(?:\.\d{0,15}0(?!\d)|(?:\.\d{1,15})?[eE]))|-0(?![\d.]))|"\d+"\s*:/;

/** Works like `JSON.stringify`. */
export function stringifyJson(value: unknown, indent?: number): string {
  const before = countWrittenNumbers();
  const text = JSON.stringify(value, undefined, indent);
  return countWrittenNumbers() === before ? text : writeExactly(value, text, indent);
}

/**
 * Writes each such number as a string that begins with a mark which occurs nowhere in the value, and then removes mark and
 * quotes. A generated value leaves its recipe between two marks.
 */
function writeExactly(value: unknown, nearly: string, indent?: number): string {
  let mark = 'number:';
  for (let index = 0; nearly.includes(mark); index += 1) mark = `number${index}:`;
  const marked = JSON.stringify(
    value,
    function (this: { readonly [key: string]: unknown }, key, item) {
      const written = this[key];
      return written instanceof WrittenNumber || written instanceof GeneratedValue ? `${mark}${written}` : item;
    },
    indent,
  );
  return marked.replace(new RegExp(`"${mark}(@?)([^"]*)"`, 'g'), (_, generated, text) =>
    generated === '' ? text : recipeMark + text + recipeMark,
  );
}

interface OpenCollection {
  readonly items: Value[];
  /** The key of each item, if this is an object. */
  readonly keys: string[] | undefined;
}

const numeral = /-?\d[\d.eE+-]*/y;
const words: { readonly [first: string]: readonly [text: string, value: Value] } = {
  t: ['true', true],
  f: ['false', false],
  n: ['null', null],
};

/**
 * Reads a text that is known to be valid JSON. It keeps its own stack, since a message may be nested deeper than the call
 * stack allows.
 */
function readExactly(text: string): Value {
  const open: OpenCollection[] = [];
  let at = 0;
  let value: Value = null;
  const close = (): Value => {
    const { keys, items } = open.pop() as OpenCollection;
    return keys === undefined ? items : createMap(keys.map((key, index) => [key, items[index] as Value]));
  };
  for (;;) {
    const character = text[at] as string;
    const inside = open.at(-1);
    if (character === undefined) return value;
    if (character === '{' || character === '[') {
      open.push({ items: [], keys: character === '{' ? [] : undefined });
      at += 1;
      continue;
    }
    if (character === '"') {
      const end = findStringClose(text, at);
      const read = JSON.parse(text.slice(at, end)) as string;
      at = end;
      if (inside?.keys !== undefined && inside.keys.length === inside.items.length) {
        inside.keys.push(read);
        continue;
      }
      value = read;
    } else if (character === '}' || character === ']') {
      value = close();
      at += 1;
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      numeral.lastIndex = at;
      const [written] = numeral.exec(text) as RegExpExecArray;
      value = parseWrittenNumber(written);
      at += written.length;
    } else {
      const word = words[character];
      // Commas, colons and white space carry no information here.
      if (word === undefined) {
        at += 1;
        continue;
      }
      value = word[1];
      at += word[0].length;
    }
    open.at(-1)?.items.push(value);
  }
}

const [quote, minus, dot, zero, nine, colon, backslash] = [0x22, 0x2d, 0x2e, 0x30, 0x39, 0x3a, 0x5c];
const exponents = new Set([0x45, 0x65]);
/** A number of at most this many characters, point and sign included, survives `JSON.parse`. */
const longestSafe = 15;

/** Whether a valid JSON text has a number that might not survive, or a key that JavaScript would reorder. */
function isCareNeeded(text: string): boolean {
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = findStringClose(text, at);
      const first = text.charCodeAt(at + 1);
      if (first >= zero && first <= nine && isSortedKey(text, at, end)) return true;
      at = end;
    } else if (code === minus || (code >= zero && code <= nine)) {
      const start = at;
      let hasPoint = false;
      let last = code;
      let next = text.charCodeAt(++at);
      while ((next >= zero && next <= nine) || next === dot) {
        if (next === dot) hasPoint = true;
        last = next;
        next = text.charCodeAt(++at);
      }
      if (exponents.has(next) || at - start > longestSafe) return true;
      if (last === zero && (hasPoint || (code === minus && at - start === 2))) return true;
    } else at += 1;
  }
  return false;
}

function isSortedKey(text: string, start: number, end: number): boolean {
  for (let at = start + 1; at < end - 1; at += 1) {
    const code = text.charCodeAt(at);
    if (code < zero || code > nine) return false;
  }
  let behind = end;
  while (/\s/.test(text.charAt(behind))) behind += 1;
  return text.charCodeAt(behind) === colon;
}

/** Finds the index after the closing quote. */
function findStringClose(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    if ((end - before) % 2 === 1) return end + 1;
  }
}

/** Some models write an object as a string of JSON, and encode that string again. */
const mostFolds = 3;
const mostDepth = 512;

/** Parses a string that holds a JSON object or list. Any other value is returned unchanged. */
export function parseJsonString(value: Value): Value {
  let inner = value;
  for (let folds = 0; folds < mostFolds && typeof inner === 'string'; folds++) {
    const read = tryParseCollection(inner);
    if (read === undefined) return value;
    inner = read;
  }
  return isCollection(inner) ? inner : value;
}

function tryParseCollection(text: string): Value | undefined {
  return /^\s*[[{"]/.test(text) && !isNestedTooDeep(text) ? tryParseJson(text) : undefined;
}

/** Later readers of the value recurse. Brackets inside strings are counted too, which errs on the safe side. */
function isNestedTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const bracket = text[at];
    if (bracket === '{' || bracket === '[') depth += 1;
    else if (bracket === '}' || bracket === ']') depth -= 1;
    if (depth > mostDepth) return true;
  }
  return false;
}
