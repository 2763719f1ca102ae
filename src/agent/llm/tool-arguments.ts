import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';

/** Arguments as a model streamed them. A model may write anything; what is no object is passed on under its own name. */
export function argumentsFrom(text: string): ValueMap {
  if (text.trim() === '') return {};
  try {
    const value = JSON.parse(text) as Value;
    return isValueMap(value) ? value : { value };
  } catch {
    return { text };
  }
}

/** A schema as services accept it: an object's, whatever the server wrote. */
export function objectSchema(schema: Value): ValueMap {
  if (isValueMap(schema) && schema.type === 'object') return schema;
  return { type: 'object', properties: {} };
}
