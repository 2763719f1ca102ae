import { isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { type Generator, type GeneratorParameter, mostGeneratedBytes } from './generator.ts';
import { estimateSize, findGenerator, generators } from './kinds.ts';

/** A problem of an entry of `x-generate`. Without `key` it concerns the whole entry. */
export interface EntryFlaw {
  readonly key?: string;
  /** Whether the only problem is that a limit is exceeded. */
  readonly isTooMuch?: true;
  readonly message: string;
  readonly hint?: string;
}

/** The keys that every kind has. */
export const commonKeys = ['at', 'kind', 'seed', 'as', 'before', 'after'] as const;

/** The problems of an entry, except for those of its pointer. */
export function* findEntryFlaws(entry: Value): globalThis.Generator<EntryFlaw> {
  if (!isValueMap(entry)) {
    yield { message: 'expected a mapping', hint: 'such as { at: /state/…, kind: text, bytes: 1000000 }' };
    return;
  }
  const { at, kind } = entry;
  if (typeof at !== 'string') yield { message: 'required field `at` is missing: a JSON Pointer' };
  const generator = typeof kind === 'string' ? findGenerator(kind) : undefined;
  if (generator === undefined) {
    const hint = `it can be ${Object.keys(generators).join(', ')}`;
    yield kind === undefined
      ? { message: 'required field `kind` is missing', hint }
      : { key: 'kind', message: `there is no generator named ${formatEntryValue(kind)}`, hint };
    return;
  }
  yield* findKeyFlaws(entry, String(kind), generator);
}

function* findKeyFlaws(entry: ValueMap, kind: string, generator: Generator): globalThis.Generator<EntryFlaw> {
  const { seed, as, before, after } = entry;
  const known: readonly string[] = [...commonKeys, ...Object.keys(generator.parameters)];
  let isSound = true;
  for (const key of Object.keys(entry)) {
    if (known.includes(key)) continue;
    yield {
      key,
      message: `${kind} has no ${formatEntryValue(key)}`,
      hint: `it has ${known.slice(1).join(', ')}`,
    };
  }
  if (seed !== undefined && typeof seed !== 'string' && !Number.isSafeInteger(seed))
    yield { key: 'seed', message: `expected a text or a whole number, found ${formatEntryValue(seed)}` };
  if (as !== undefined && as !== 'text')
    yield { key: 'as', message: `expected \`text\`, found ${formatEntryValue(as)}` };
  if (as === 'text' && generator.makes === 'text') yield { key: 'as', message: `${kind} always makes a text` };
  for (const [key, around] of Object.entries({ before, after })) {
    if (around === undefined) continue;
    if (typeof around !== 'string') yield { key, message: `expected a text, found ${formatEntryValue(around)}` };
    else if (generator.makes !== 'text' && as !== 'text')
      yield {
        key,
        message: `${kind} does not make a text, so nothing can be put ${key} it`,
        hint: 'add `as: text`',
      };
  }
  for (const [key, parameter] of Object.entries(generator.parameters)) {
    const flaw = findParameterFlaw(entry[key], parameter);
    if (flaw === undefined) continue;
    isSound = false;
    yield { key, ...flaw };
  }
  if (isSound && estimateSize({ kind, seed: '', parameters: entry }) > 8 * mostGeneratedBytes)
    yield { isTooMuch: true, message: `it would be larger than ${8 * mostGeneratedBytes} bytes` };
}

function findParameterFlaw(
  value: Value | undefined,
  parameter: GeneratorParameter,
): Omit<EntryFlaw, 'key'> | undefined {
  if (value === undefined) return undefined;
  switch (parameter.type) {
    case 'integer': {
      const { least, most } = parameter;
      if (typeof value !== 'number' || !Number.isSafeInteger(value))
        return { message: `expected a whole number, found ${formatEntryValue(value)}` };
      if (value >= least && value <= most) return undefined;
      return { isTooMuch: true, message: `${value} is not from ${least} to ${most}` };
    }
    case 'text':
      if (typeof value !== 'string') return { message: `expected a text, found ${formatEntryValue(value)}` };
      return value === '' ? { message: 'it is empty' } : undefined;
    case 'flag':
      return typeof value === 'boolean'
        ? undefined
        : { message: `expected true or false, found ${formatEntryValue(value)}` };
    case 'choice':
      return parameter.of.includes(String(value)) ? undefined : reportNotOneOf(value, parameter.of);
    case 'choices': {
      const all: readonly Value[] = Array.isArray(value) ? value : [value];
      const wrong = all.find((each) => !parameter.of.includes(String(each)));
      if (all.length === 0) return { message: 'it is empty' };
      return wrong === undefined ? undefined : reportNotOneOf(wrong, parameter.of);
    }
    case 'value':
      return undefined;
  }
}

function reportNotOneOf(value: Value, of: readonly string[]): Omit<EntryFlaw, 'key'> {
  return { message: `there is no ${formatEntryValue(value)}`, hint: `it can be ${of.join(', ')}` };
}

function formatEntryValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

type JsonSchema = { readonly [key: string]: unknown };

/** The JSON Schema of `x-generate`, made from the table of generators. */
export function generateSchema(): JsonSchema {
  return {
    type: 'array',
    minItems: 1,
    description: 'Values that are generated while they are sent.',
    items: {
      type: 'object',
      required: ['at', 'kind'],
      properties: { kind: { enum: Object.keys(generators), description: 'The kind of value.' } },
      allOf: Object.entries(generators).map(([kind, generator]) => ({
        if: { properties: { kind: { const: kind } }, required: ['kind'] },
        // biome-ignore lint/suspicious/noThenProperty: `then` is JSON Schema's word
        then: createEntrySchema(generator),
      })),
    },
  };
}

const common: { readonly [K in (typeof commonKeys)[number]]: JsonSchema } = {
  at: { type: 'string', pattern: '^/(state|on_enter)/', description: 'JSON Pointer into the phase.' },
  kind: {},
  seed: {
    type: ['string', 'integer'],
    description: 'The seed. Default: the seed of the run.',
  },
  as: { const: 'text', description: 'The JSON of the value, as a text.' },
  before: { type: 'string', description: 'Text to put before the generated text.' },
  after: { type: 'string', description: 'Text to put after the generated text.' },
};

function createEntrySchema({ says, parameters }: Generator): JsonSchema {
  const own = Object.entries(parameters).map(([name, parameter]) => [name, createGeneratorParameterSchema(parameter)]);
  return {
    description: `${says[0]?.toUpperCase()}${says.slice(1)}.`,
    properties: { ...common, ...Object.fromEntries(own) },
    additionalProperties: false,
  };
}

function createGeneratorParameterSchema(parameter: GeneratorParameter): JsonSchema {
  const { says: description } = parameter;
  const fallback = 'default' in parameter ? { default: parameter.default } : {};
  switch (parameter.type) {
    case 'integer':
      return { type: 'integer', minimum: parameter.least, maximum: parameter.most, description, ...fallback };
    case 'text':
      return { type: 'string', minLength: 1, description, ...fallback };
    case 'flag':
      return { type: 'boolean', description, ...fallback };
    case 'choice':
      return { enum: parameter.of, description, ...fallback };
    case 'choices': {
      const one = { enum: parameter.of };
      return { anyOf: [one, { type: 'array', items: one, minItems: 1 }], description };
    }
    case 'value':
      return { description, ...fallback };
  }
}
