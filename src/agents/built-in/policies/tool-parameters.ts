import { getOwnValue, isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { tidy } from './sentences.ts';

export interface ToolParameter {
  readonly name: string;
  readonly description: string;
  readonly type: ParameterType;
  readonly isRequired: boolean;
  readonly choices: readonly Value[];
  readonly default: Value | undefined;
  readonly format: string;
  readonly maxLength: number;
  readonly minimum: number;
  readonly items: ToolParameter | undefined;
  readonly properties: readonly ToolParameter[];
}

export type ParameterType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

const types: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);
// Limits, because schemas come from servers and may be nested without end.
const maxDepth = 6;
const maxParameters = 64;
const longest = 2000;

export function readParameters(schema: Value): readonly ToolParameter[] {
  return readParametersAt(schema, readDefinitions(schema), 0);
}

function readParametersAt(schema: Value, definitions: Definitions, depth: number): readonly ToolParameter[] {
  if (!isValueMap(schema) || !isValueMap(schema.properties) || depth > maxDepth) return [];
  const required = new Set(Array.isArray(schema.required) ? (schema.required as readonly Value[]) : []);
  return Object.entries(schema.properties)
    .slice(0, maxParameters)
    .map(([name, inner]) => readParameter(name, inner, definitions, required.has(name), depth));
}

/** The definitions of a schema, by the references to them. */
type Definitions = ReadonlyMap<Value | undefined, ValueMap>;

function readDefinitions(schema: Value): Definitions {
  const isThere = isValueMap(schema) && isValueMap(schema.$defs);
  const entries = isThere ? Object.entries(schema.$defs as ValueMap).slice(0, maxParameters) : [];
  return new Map(entries.flatMap(([name, inner]) => (isValueMap(inner) ? [[`#/$defs/${name}`, inner] as const] : [])));
}

function readParameter(
  name: string,
  schema: Value,
  definitions: Definitions,
  isRequired: boolean,
  depth: number,
): ToolParameter {
  const written: ValueMap = isValueMap(schema) ? schema : {};
  // Only one step is followed: references within a definition are ignored.
  const map: ValueMap = { ...definitions.get(written.$ref), ...written };
  const type = readParameterType(map);
  return {
    name,
    description: tidy([map.title, map.description].filter((text) => typeof text === 'string').join('. '), longest),
    type,
    isRequired,
    choices: listChoices(map),
    default: getOwnValue(map, 'default'),
    format: typeof map.format === 'string' ? map.format : '',
    maxLength: typeof map.maxLength === 'number' ? map.maxLength : Number.POSITIVE_INFINITY,
    minimum: typeof map.minimum === 'number' ? map.minimum : 0,
    items:
      type === 'array' && depth < maxDepth
        ? readParameter(name, map.items ?? {}, definitions, true, depth + 1)
        : undefined,
    properties: readParametersAt(map, definitions, depth + 1),
  };
}

function readParameterType(schema: ValueMap): ParameterType {
  const given = Array.isArray(schema.type)
    ? (schema.type as readonly Value[]).find((one) => one !== 'null')
    : schema.type;
  if (typeof given === 'string' && types.has(given)) return given as ParameterType;
  return isValueMap(schema.properties) ? 'object' : 'string';
}

/** The values that the schema lists, even if an `anyOf` also allows any other value. */
function listChoices(schema: ValueMap): readonly Value[] {
  if (Array.isArray(schema.enum)) return schema.enum as readonly Value[];
  const options = [schema.anyOf, schema.oneOf].find(Array.isArray) as readonly Value[] | undefined;
  return (options ?? []).flatMap((option) => {
    const value = isValueMap(option) ? getOwnValue(option, 'const') : undefined;
    return value === undefined ? [] : [value];
  });
}

/** A neutral value of the right type. */
export function createEmptyValue({ type, minimum, properties }: ToolParameter): Value {
  switch (type) {
    case 'number':
    case 'integer':
      return minimum;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      return Object.fromEntries(
        properties.filter(({ isRequired }) => isRequired).map((inner) => [inner.name, createEmptyValue(inner)]),
      );
    case 'null':
      return null;
    case 'string':
      return '';
  }
}
