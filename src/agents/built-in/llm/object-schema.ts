import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';

/**
 * Turns a schema into an object schema, which services require. Everything else that the server wrote is kept, because
 * a model reads it too.
 */
export function toObjectSchema(schema: Value): ValueMap {
  if (!isValueMap(schema)) return { type: 'object', ...toDescription(schema), properties: {} };
  const { properties, ...rest } = schema;
  if (schema.type === 'object' && (properties === undefined || isValueMap(properties))) return schema;
  if (properties === undefined || isValueMap(properties))
    return { ...rest, type: 'object', properties: properties ?? {} };
  return { ...toDescription(properties), ...rest, type: 'object', properties: {} };
}

/** A value that does not fit into a schema becomes a description. */
function toDescription(value: Value): ValueMap {
  if (value === null || typeof value === 'boolean') return {};
  return { description: typeof value === 'string' ? value : JSON.stringify(value) };
}
