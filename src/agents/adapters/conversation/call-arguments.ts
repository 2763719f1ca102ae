import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';

/** Reads the arguments of a call. They may be any text; a value that is not an object is wrapped in one. */
export function parseCallArguments(text: string): ValueMap {
  if (text.trim() === '') return {};
  try {
    const value = JSON.parse(text) as Value;
    return isValueMap(value) ? value : { value };
  } catch {
    return { text };
  }
}
