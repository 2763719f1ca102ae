import { Ajv2020 } from 'ajv/dist/2020.js';
import { isValueMap, type Value } from '../../src/format/model/value.ts';
import { resultsSchema } from '../../src/suite/store/results-schema.ts';

/** The same schema, in which every field must be named. */
function closed(schema: Value): Value {
  if (Array.isArray(schema)) return schema.map(closed);
  if (!isValueMap(schema)) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return 'properties' in inner && inner.type === 'object' ? { ...inner, additionalProperties: false } : inner;
}

const validate = new Ajv2020({ strict: true, allowUnionTypes: true, strictTuples: false }).compile(
  closed(resultsSchema as unknown as Value) as object,
);

/** The schema's errors on results, and the fields that it does not know. */
export function schemaErrorsIn(results: unknown): readonly unknown[] {
  return validate(results) ? [] : (validate.errors ?? []);
}
