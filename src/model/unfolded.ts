import { parseJson } from './json.ts';
import { isCollection, type Value } from './value.ts';

/** Some write an object as a text of JSON, and that as a text again. */
const mostFolds = 3;
const mostDepth = 512;

/** What a text of JSON stands for where it holds an object or a list; anything else as it is. */
export function unfolded(value: Value): Value {
  let inner = value;
  for (let folds = 0; folds < mostFolds && typeof inner === 'string'; folds++) {
    const read = parsed(inner);
    if (read === undefined) return value;
    inner = read;
  }
  return isCollection(inner) ? inner : value;
}

function parsed(text: string): Value | undefined {
  if (!/^\s*[[{"]/.test(text) || nestsTooDeep(text)) return undefined;
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** What reads the value later recurses. Brackets within strings count too, which is on the safe side. */
function nestsTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === '{' || sign === '[') depth += 1;
    else if (sign === '}' || sign === ']') depth -= 1;
    if (depth > mostDepth) return true;
  }
  return false;
}
