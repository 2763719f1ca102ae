import type { commonKeys } from './check-entry.ts';
import type { Generator, GeneratorParameter } from './generator.ts';
import { generators } from './kinds.ts';

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
