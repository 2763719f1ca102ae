import { stringifyJson } from '../model/json-text-values.ts';
import { isValueMap, setOwn, type Value, type ValueMap } from '../model/value.ts';
import type { Generator } from './generator.ts';
import type { Random } from './random.ts';

const deepest = 32;
const longest = 10_000;

interface Making {
  readonly root: Value;
  readonly random: Random;
}

type Make = (schema: ValueMap, making: Making, depth: number) => Value;

const makers: { readonly [type: string]: Make } = {
  null: () => null,
  boolean: (_, { random }) => random.below(2) === 1,
  integer: (schema, making) => Math.floor(makeNumber(schema, making)),
  number: makeNumber,
  string(schema, { random }) {
    const [least, most] = readBounds(schema, 'minLength', 'maxLength', 12);
    const length = least + random.below(most - least + 1);
    return Array.from({ length }, () => String.fromCharCode(97 + random.below(26))).join('');
  },
  array(schema, making, depth) {
    const [least, most] = readBounds(schema, 'minItems', 'maxItems', 3);
    const length = least + making.random.below(most - least + 1);
    return Array.from({ length }, () => makeInstance(schema.items ?? true, making, depth + 1));
  },
  object(schema, making, depth) {
    const made: Record<string, Value> = {};
    const required = Array.isArray(schema.required) ? (schema.required as readonly Value[]) : [];
    const properties = isValueMap(schema.properties) ? schema.properties : {};
    for (const [key, property] of Object.entries(properties))
      if (required.includes(key) || making.random.below(2) === 1)
        setOwn(made, key, makeInstance(property, making, depth + 1));
    return made;
  },
};

function makeNumber(schema: ValueMap, { random }: Making): number {
  const least = typeof schema.minimum === 'number' ? schema.minimum : -1_000;
  const most = typeof schema.maximum === 'number' ? schema.maximum : Math.max(least, 1_000);
  return least + random.below(most - least + 1);
}

function readBounds(schema: ValueMap, least: string, most: string, usual: number): [number, number] {
  const from = Math.min(longest, Math.max(0, Number(schema[least] ?? 0)));
  const to = Math.min(longest, Number(schema[most] ?? from + usual));
  return [from, Math.max(from, to)];
}

/** Makes a value that is valid for a schema, as far as this tool understands schemas. */
function makeInstance(schema: Value, making: Making, depth: number): Value {
  if (!isValueMap(schema) || depth > deepest) return null;
  const { random, root } = making;
  const { $ref, const: constant, enum: choices, type } = schema;
  if (typeof $ref === 'string') return makeInstance(resolveReference($ref, root), making, depth + 1);
  if (constant !== undefined) return constant;
  if (Array.isArray(choices) && choices.length > 0) return random.pick(choices as readonly Value[]);
  for (const alternatives of [schema.anyOf, schema.oneOf, schema.allOf])
    if (Array.isArray(alternatives) && alternatives.length > 0)
      return makeInstance(random.pick(alternatives as readonly Value[]), making, depth + 1);
  const named = Array.isArray(type) ? random.pick(type as readonly Value[]) : type;
  const guessed = schema.properties !== undefined ? 'object' : schema.items !== undefined ? 'array' : 'string';
  const name = typeof named === 'string' ? named : guessed;
  return Object.hasOwn(makers, name) ? (makers[name]?.(schema, making, depth) ?? null) : null;
}

function resolveReference(reference: string, root: Value): Value {
  let at: Value = root;
  for (const key of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    at = isValueMap(at) && Object.hasOwn(at, name) ? (at[name] as Value) : null;
  }
  return at;
}

export const schemaGenerator: Generator = {
  makes: 'value',
  says: 'a value that a JSON Schema describes',
  parameters: { schema: { type: 'value', says: 'the JSON Schema' } },
  *make(given, random) {
    const root = given.value('schema');
    yield stringifyJson(makeInstance(root, { root, random }, 0));
  },
  weigh: () => 1_000_000,
};
