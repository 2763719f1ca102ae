import type { Value, ValueMap } from '../../model/value.ts';
import { explicitValue } from './explicit-value.ts';
import { findNumbers } from './found-in-text.ts';
import { emptyValue, type Parameter } from './parameters.ts';
import { isMentioned, stringsFrom, type Words } from './string-values.ts';

/** Hands out each number and each name once, in order. */
export interface Supply {
  readonly numbers: number[];
  readonly taken: Set<string>;
}

export function supplyOf({ near, far }: Words): Supply {
  const close = findNumbers(near);
  return { numbers: [...(close.length > 0 ? close : findNumbers(far))], taken: new Set() };
}

/** Fills parameters from the words; a required parameter that they do not mention gets an empty value. */
function fillFromWords(parameters: readonly Parameter[], words: Words, supply = supplyOf(words)): ValueMap {
  const filled: [string, Value][] = [];
  for (const parameter of parameters) {
    const value = valueFromWords(parameter, words, supply);
    if (value !== undefined) filled.push([parameter.name, value]);
    else if (parameter.isRequired) filled.push([parameter.name, emptyValue(parameter)]);
  }
  return Object.fromEntries(filled);
}

export function valueFromWords(parameter: Parameter, words: Words, supply: Supply): Value | undefined {
  if (parameter.choices.length > 0)
    return parameter.choices.find((choice) => isMentioned(words, String(choice)));
  switch (parameter.type) {
    case 'number':
    case 'integer':
      return numberFrom(parameter, words, supply);
    case 'boolean':
      return isMentioned(words, parameter.name.replace(/[_-]/g, ' ')) ? true : undefined;
    case 'array': {
      const { items } = parameter;
      if (items === undefined) return undefined;
      if (items.type === 'string' && items.choices.length === 0) {
        const several = stringsFrom({ ...items, isRequired: parameter.isRequired }, words, supply.taken);
        return several.length > 0 ? several : undefined;
      }
      const one = valueFromWords(items, words, supply);
      return one === undefined ? undefined : [one];
    }
    case 'object': {
      const inner = fillFromWords(parameter.properties, words, supply);
      return parameter.isRequired || Object.keys(inner).length > 0 ? inner : undefined;
    }
    case 'null':
      return undefined;
    case 'string': {
      const [value] = stringsFrom(parameter, words, supply.taken);
      if (value !== undefined) supply.taken.add(value);
      return value;
    }
  }
}

/** An optional number counts only with its name: "limit 10". */
function numberFrom({ name, type, isRequired }: Parameter, words: Words, supply: Supply): number | undefined {
  if (/year/i.test(name)) return findNumbers(words.far).find((one) => one >= 1900 && one < 2200);
  const said = Number(
    (explicitValue(name, words.near) ?? numberAfter(name, words.near))?.replace(/[$,]/g, '') ?? Number.NaN,
  );
  const value = Number.isFinite(said) ? said : isRequired ? nextNumber(supply) : undefined;
  return value === undefined || type === 'number' ? value : Math.trunc(value);
}

/** The next number that was not already used as a name. */
function nextNumber({ numbers, taken }: Supply): number | undefined {
  for (let next = numbers.shift(); next !== undefined; next = numbers.shift())
    if (!taken.has(String(next))) return next;
  return undefined;
}

function numberAfter(name: string, text: string): string | undefined {
  if (name.length < 3) return undefined;
  return new RegExp(
    `\\b${name.replace(/[^\p{L}\p{N}]+/gu, '[\\s_-]?')}\\b(?: (?:of|to|is))? (\\$?\\d[\\d,.]*)`,
    'iu',
  ).exec(text)?.[1];
}
