import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';

/** Arguments as somebody wrote them. Anything may be written; what is no object is passed on under a name of ours. */
export function argumentsFrom(text: string): ValueMap {
  if (text.trim() === '') return {};
  try {
    const value = JSON.parse(text) as Value;
    return isValueMap(value) ? value : { value };
  } catch {
    return { text };
  }
}
