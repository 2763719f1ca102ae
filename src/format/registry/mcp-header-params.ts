import { getOwnValue, isCollection, isValueMap, type Value, type ValueMap } from '../model/value.ts';

/** A property of a tool's input that calls repeat in an `Mcp-Param-…` header. */
export interface HeaderParam {
  readonly header: string;
  /** The header's value for these arguments; undefined if they omit the property. */
  valueIn(args: ValueMap): string | undefined;
}

const mostHeaderParams = 100;

/** The properties of an input schema with that annotation, if `properties` alone lead to them. */
export function listHeaderParams(schema: Value | undefined): readonly HeaderParam[] {
  if (!isValueMap(schema)) return [];
  const known = knownHeaderParams.get(schema) ?? findHeaderParams(schema);
  knownHeaderParams.set(schema, known);
  return known;
}

/** A cache, because each call of a tool looks its schema up. */
const knownHeaderParams = new WeakMap<ValueMap, readonly HeaderParam[]>();

function findHeaderParams(schema: ValueMap): readonly HeaderParam[] {
  const found: HeaderParam[] = [];
  const pending: { readonly schema: Value | undefined; readonly path: readonly string[] }[] = [{ schema, path: [] }];
  for (let next = pending.pop(); next !== undefined && found.length < mostHeaderParams; next = pending.pop()) {
    const properties = isValueMap(next.schema) ? next.schema.properties : undefined;
    for (const [key, property] of Object.entries(isValueMap(properties) ? properties : {})) {
      const path = [...next.path, key];
      const header = isValueMap(property) ? property['x-mcp-header'] : undefined;
      if (typeof header === 'string' && isToken(header))
        found.push({ header, valueIn: (args) => readParamText(args, path) });
      pending.push({ schema: property, path });
    }
  }
  return found;
}

function isToken(text: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(text);
}

function readParamText(args: ValueMap, path: readonly string[]): string | undefined {
  let value: Value | undefined = args;
  for (const key of path) value = isValueMap(value) ? getOwnValue(value, key) : undefined;
  return value === undefined || value === null || isCollection(value) ? undefined : String(value);
}
