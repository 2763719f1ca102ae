import type { Value, ValueMap } from '../../../format/model/value.ts';
import { findExplicitValue } from './explicit-value.ts';
import { findStringValues, isMentioned, type RequestWords } from './string-values.ts';
import { findNumbers } from './text-patterns.ts';
import { createEmptyValue, type ToolParameter } from './tool-parameters.ts';

/** Hands out each number and each name once, in order. */
export interface NumberSupply {
  readonly numbers: number[];
  readonly taken: Set<string>;
}

export function createNumberSupply({ near, far }: RequestWords): NumberSupply {
  const close = findNumbers(near);
  return { numbers: [...(close.length > 0 ? close : findNumbers(far))], taken: new Set() };
}

/** Fills parameters from the words; a required parameter that they do not mention gets an empty value. */
function fillFromWords(
  parameters: readonly ToolParameter[],
  words: RequestWords,
  supply = createNumberSupply(words),
): ValueMap {
  const filled: [string, Value][] = [];
  for (const parameter of parameters) {
    const value = findValueInWords(parameter, words, supply);
    if (value !== undefined) filled.push([parameter.name, value]);
    else if (parameter.isRequired) filled.push([parameter.name, createEmptyValue(parameter)]);
  }
  return Object.fromEntries(filled);
}

export function findValueInWords(
  parameter: ToolParameter,
  words: RequestWords,
  supply: NumberSupply,
): Value | undefined {
  if (parameter.choices.length > 0) return parameter.choices.find((choice) => isMentioned(words, String(choice)));
  switch (parameter.type) {
    case 'number':
    case 'integer':
      return parseNumberText(parameter, words, supply);
    case 'boolean':
      return isMentioned(words, parameter.name.replace(/[_-]/g, ' ')) ? true : undefined;
    case 'array': {
      const { items } = parameter;
      if (items === undefined) return undefined;
      if (items.type === 'string' && items.choices.length === 0) {
        const several = findStringValues({ ...items, isRequired: parameter.isRequired }, words, supply.taken);
        return several.length > 0 ? several : undefined;
      }
      const one = findValueInWords(items, words, supply);
      return one === undefined ? undefined : [one];
    }
    case 'object': {
      const inner = fillFromWords(parameter.properties, words, supply);
      return parameter.isRequired || Object.keys(inner).length > 0 ? inner : undefined;
    }
    case 'null':
      return undefined;
    case 'string': {
      const [value] = findStringValues(parameter, words, supply.taken);
      if (value !== undefined) supply.taken.add(value);
      return value;
    }
  }
}

/** An optional number counts only with its name: "limit 10". */
function parseNumberText(
  { name, type, isRequired }: ToolParameter,
  words: RequestWords,
  supply: NumberSupply,
): number | undefined {
  if (/year/i.test(name)) return findNumbers(words.far).find((one) => one >= 1900 && one < 2200);
  const stated = Number(
    (findExplicitValue(name, words.near) ?? findNumberAfter(name, words.near))?.replace(/[$,]/g, '') ?? Number.NaN,
  );
  const value = Number.isFinite(stated) ? stated : isRequired ? takeNextNumber(supply) : undefined;
  return value === undefined || type === 'number' ? value : Math.trunc(value);
}

/** The next number that was not already used as a name. */
function takeNextNumber({ numbers, taken }: NumberSupply): number | undefined {
  for (let next = numbers.shift(); next !== undefined; next = numbers.shift())
    if (!taken.has(String(next))) return next;
  return undefined;
}

function findNumberAfter(name: string, text: string): string | undefined {
  if (name.length < 3) return undefined;
  return new RegExp(
    `\\b${name.replace(/[^\p{L}\p{N}]+/gu, '[\\s_-]?')}\\b(?: (?:of|to|is))? (\\$?\\d[\\d,.]*)`,
    'iu',
  ).exec(text)?.[1];
}
