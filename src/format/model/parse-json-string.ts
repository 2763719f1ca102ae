import { parseJson } from './json-text-values.ts';
import { isCollection, type Value } from './value.ts';

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
  if (!/^\s*[[{"]/.test(text) || isNestedTooDeep(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** Later readers of the value recurse. Brackets inside strings are counted too, which errs on the safe side. */
function isNestedTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (depth > mostDepth) return true;
  }
  return false;
}
