import type { Condition } from '../model/attack-document.ts';
import type { Path } from '../model/path.ts';
import { getOwnValue, isCollection, isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { type MatchOperator, matchOperators } from '../registry/fields.ts';
import { findNearest } from '../registry/suggestions.ts';
import { findMalformedOperator, isMatchCondition } from './evaluate-condition.ts';

/** A key that is probably meant as an operator, in a condition that is compared as a whole. */
export interface MisspeltOperator {
  /** From the condition to the key. */
  readonly path: Path;
  readonly hint: string;
}

/**
 * Finds a misspelt operator in a condition. An object without operators is a value to be equal to (format spec §2.13), so a
 * condition with one is valid and practically never holds.
 */
export function findMisspeltOperator(condition: Condition): MisspeltOperator | undefined {
  if (isMatchCondition(condition)) return findInside(getOwnValue(condition as ValueMap, 'any_of'), ['any_of']);
  if (!isValueMap(condition)) return findInside(condition, []);
  const keys = Object.keys(condition);
  const misspelt =
    keys.find((key) => findMeantOperator(key) !== undefined) ??
    // Words such as `in` or `not` are also names of ordinary fields, so one beside other fields says nothing.
    (keys.every((key) => isOperatorWord(key) || modifiers.has(foldWord(key))) ? keys.find(isOperatorWord) : undefined);
  return misspelt === undefined
    ? findInside(condition, [])
    : { path: [misspelt], hint: suggestOperator(misspelt) as string };
}

export function explainMisspelt({ path }: MisspeltOperator): string {
  return `\`${String(path.at(-1)).slice(0, 60)}\` is not an operator here, so the object around it is compared as a whole`;
}

/** The hint for a key that is not an operator: the operator that is probably meant, or what to write in its place. */
export function suggestOperator(key: string): string | undefined {
  const meant = findMeantOperator(key) ?? getOwnValue(otherWords, foldWord(key));
  if (meant === undefined || meant === key) return undefined;
  return (matchOperators as readonly string[]).includes(meant) ? `did you mean \`${meant}\`?` : meant;
}

/** The operator that a key spells, or almost spells. Short operators must be spelt exactly: `lt` is near to too much. */
export function findMeantOperator(key: string): MatchOperator | undefined {
  const word = foldWord(key);
  const near = word.length < 4 ? undefined : findNearest(word, foldedOperators.keys(), 1);
  return foldedOperators.get(near ?? word);
}

/** Case, underscores and a leading `$` make no difference. */
function foldWord(key: string): string {
  return key
    .slice(0, 64)
    .replace(/[_\-\s$]/g, '')
    .toLowerCase();
}

const foldedOperators: ReadonlyMap<string, MatchOperator> = new Map(
  matchOperators.map((operator) => [foldWord(operator), operator]),
);

function isOperatorWord(key: string): boolean {
  return suggestOperator(key) !== undefined;
}

/** Keys that modify an operator in other languages. */
const modifiers: ReadonlySet<string> = new Set(['flags', 'options', 'ignorecase', 'casesensitive', 'caseinsensitive']);

const equality = 'for equality, write the value itself in place of the object';
const negation = 'there is no negation; write a CEL expression, or `exists: false`';
const combination = 'several operators in one condition must all hold; for anything else, write a CEL expression';

/**
 * Names of operators in other languages, folded, with the operator or what to write in its place. Words that are often
 * names of arguments, such as `pattern`, `match` and `prefix`, are left out.
 */
const otherWords: { readonly [word: string]: string } = {
  ...listWords(equality, 'eq equal equals equalto is exactly ='),
  ...listWords(negation, 'not ne neq notequal notequals notequalto isnot notcontains notin noneof notexists !='),
  ...listWords(combination, 'and or any allof'),
  ...listWords('contains', 'includes icontains containsany has'),
  ...listWords('starts_with', 'beginswith hasprefix'),
  ...listWords('ends_with', 'hassuffix'),
  ...listWords('regex', 'regexes matches matchesregex regularexpression'),
  ...listWords('any_of', 'in oneof isin among'),
  ...listWords('gt', 'greater greaterthan morethan >'),
  ...listWords('gte', 'ge greaterthanorequal greaterorequal atleast >='),
  ...listWords('lt', 'less lessthan fewerthan <'),
  ...listWords('lte', 'le lessthanorequal lessorequal atmost <='),
};

function listWords(meaning: string, words: string): { readonly [word: string]: string } {
  return Object.fromEntries(words.split(' ').map((word) => [word, meaning]));
}

/** Finds an object of operators inside a value that is compared as a whole. */
function findInside(value: Value | undefined, path: Path): MisspeltOperator | undefined {
  if (!isCollection(value)) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const here = [...path, Array.isArray(value) ? Number(key) : key];
    const [operator] = listOperatorKeys(item);
    const found = operator === undefined ? findInside(item, here) : { path: [...here, operator], hint: misplaced };
    if (found !== undefined) return found;
  }
  return undefined;
}

const misplaced = 'operators stand directly in the condition of a path; name what is inside by its dot-path';

/** The keys of an object in which every key is an operator, or almost one. */
function listOperatorKeys(value: Value): readonly string[] {
  const keys = isValueMap(value) ? Object.keys(value) : [];
  const isAllOperators = keys.every((key) => findMeantOperator(key) !== undefined);
  const isMalformed = isMatchCondition(value) && findMalformedOperator(value) !== undefined;
  return isAllOperators && !isMalformed ? keys : [];
}
