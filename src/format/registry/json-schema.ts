import { enumerations } from '../model/enumeration-types.ts';
import type { FieldType, TableField, TypeName } from './field-table.ts';
import { patterns, toDocumentKey, types } from './fields.ts';
import { knownModes } from './known-modes.ts';
import { knownProtocols } from './protocols.ts';
import {
  applyModeToIndicators,
  applyModeToPhase,
  applyModeToPhases,
  applyProtocolToIndicator,
  createModeDefinitions,
  offerValues,
} from './schema/by-mode.ts';
import { type DocumentType, describeWithLink, descriptions } from './schema/descriptions.ts';

/** A JSON Schema, as plain data. */
export type JsonSchema = { readonly [key: string]: unknown };

const documentTypes = Object.keys(descriptions) as readonly DocumentType[];

/** Types that only our own extensions use. */
const ownTypes: ReadonlySet<TypeName> = new Set([
  'Mark',
  'Await',
  'PlannedStep',
  'PlanCall',
  'PlanMessage',
  'PlanFrontendCall',
]);

/** Strict validators require that every required key is also described under `properties`. */
function requireKeys(...keys: readonly string[]): JsonSchema {
  return { properties: Object.fromEntries(keys.map((key) => [key, true])), required: keys };
}

const object = { type: 'object' } as const;
const planAnswerSchema: JsonSchema = {
  anyOf: [
    { const: 'decline' },
    { ...object, properties: { values: object }, required: ['values'], additionalProperties: false },
    { ...object, properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false },
  ],
};
const planQuestionSchema: JsonSchema = {
  anyOf: [
    { type: 'string' },
    {
      ...object,
      properties: { text: { type: 'string' }, interrupt: object },
      required: ['text'],
      additionalProperties: false,
    },
  ],
};

/** Constraints between fields, which the field table cannot express. */
const between: { readonly [T in TypeName]?: JsonSchema } = {
  Attack: { dependentRequired: { correlation: ['indicators'] }, allOf: applyModeToIndicators() },
  Execution: {
    allOf: applyModeToPhases(),
    oneOf: [requireKeys('mode', 'state'), requireKeys('phases'), requireKeys('actors')],
    dependentSchemas: { actors: { properties: { mode: false } } },
  },
  Trigger: {
    anyOf: [requireKeys('event'), requireKeys('after')],
    dependentRequired: { count: ['event'], match: ['event'] },
  },
  MatchCondition: { minProperties: 1 },
  Actor: { allOf: applyModeToPhases() },
  Phase: { allOf: applyModeToPhase() },
  Indicator: {
    allOf: applyProtocolToIndicator(),
    oneOf: [requireKeys('pattern'), requireKeys('expression'), requireKeys('semantic')],
  },
  SendAction: { required: ['method'] },
  LogAction: { required: ['message'] },
  SemanticExamples: { minProperties: 1 },
  PlannedStep: {
    minProperties: 1,
    maxProperties: 1,
    allOf: [{ properties: { answer: planAnswerSchema, ask: planQuestionSchema } }],
  },
  PlanCall: { oneOf: [requireKeys('tool'), requireKeys('resource'), requireKeys('prompt')] },
};

/** Open fields, with the known values that the schema offers. */
const known: { readonly [T in TypeName]?: { readonly [field: string]: readonly string[] } } = {
  Execution: { mode: knownModes() },
  Actor: { mode: knownModes() },
  Phase: { mode: knownModes() },
  Indicator: { protocol: knownProtocols() },
  PlannedStep: { resume: ['approved'], wait: ['push', 'list_changed'], session: ['new'] },
  FrameworkMapping: {
    framework: ['atlas', 'mitre_attack', 'owasp_llm', 'owasp_mcp', 'owasp_agentic', 'cwe'],
  },
};

/** Makes the JSON Schema (2020-12) of OATF 0.1 documents from the field table. */
export function createJsonSchema(): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'OATF 0.1',
    description: 'A document of the Open Agent Threat Format: one attack on an AI agent.',
    ...createObjectSchema('Document'),
    $defs: {
      ...Object.fromEntries(
        documentTypes
          .filter((type) => type !== 'Document')
          .map((type) => [type, { ...createObjectSchema(type), ...between[type] }]),
      ),
      ...createModeDefinitions(),
    },
  };
}

function createObjectSchema(type: DocumentType): JsonSchema {
  const { fields, ownExtensions, extensible, otherKeys } = types[type];
  const entries = Object.entries(fields);
  const keyed = [
    ...entries.map(([name, field]) => [toDocumentKey(name, field), createFieldSchema(type, name, field)] as const),
    ...Object.entries(ownExtensions ?? {}).map(([key, field]) => [key, createFieldSchema(type, key, field)] as const),
  ];
  const required = entries.filter(([, field]) => field.required).map(([name, field]) => toDocumentKey(name, field));
  return {
    type: 'object',
    properties: Object.fromEntries(keyed),
    ...(required.length > 0 && { required }),
    ...(extensible && { patternProperties: { '^x-': true } }),
    additionalProperties: otherKeys !== undefined,
  };
}

function createFieldSchema(type: DocumentType, name: string, field: TableField): JsonSchema {
  const { default: fallback } = field;
  const words: { readonly [field: string]: string } = descriptions[type];
  const constant = type === 'Document' && name === 'oatf' ? { const: '0.1' } : {};
  const open = known[type]?.[name];
  const isOurs = ownTypes.has(type) || name.startsWith('x-');
  return {
    ...(open === undefined ? createTypeSchema(field.type) : offerValues(open, createTypeSchema(field.type))),
    ...constant,
    ...describeWithLink(words[name] ?? '', isOurs ? 'extension' : 'format'),
    ...(fallback !== undefined && { default: fallback }),
  };
}

function createTypeSchema(type: FieldType): JsonSchema {
  switch (type.kind) {
    case 'string':
      return { type: 'string', ...(type.pattern !== undefined && { pattern: patterns[type.pattern] }) };
    case 'integer':
    case 'number': {
      const { kind, minimum, maximum } = type;
      return {
        type: kind,
        ...(minimum !== undefined && { minimum }),
        ...(maximum !== undefined && { maximum }),
      };
    }
    case 'boolean':
      return { type: 'boolean' };
    case 'value':
      return {};
    case 'state':
      return { type: 'object' };
    case 'enumeration':
      return { enum: enumerations[type.of] };
    case 'object':
      return { $ref: `#/$defs/${type.of}` };
    case 'shorthand':
      return { oneOf: [{ enum: enumerations[type.scalar] }, { $ref: `#/$defs/${type.object}` }] };
    case 'list': {
      const { minimum, unique } = type;
      return {
        type: 'array',
        items: createTypeSchema(type.of),
        ...(minimum !== undefined && { minItems: minimum }),
        ...(unique && { uniqueItems: true }),
      };
    }
    case 'map':
      return {
        type: 'object',
        additionalProperties: createTypeSchema(type.of),
        ...(type.of.kind === 'condition' && { propertyNames: { pattern: patterns.simplePath } }),
        ...(type.of.kind === 'string' && { propertyNames: { pattern: patterns.celIdentifier } }),
      };
    case 'condition': {
      const operators = Object.keys(types.MatchCondition.fields);
      return {
        if: { type: 'object', anyOf: operators.map((operator) => requireKeys(operator)) },
        // biome-ignore lint/suspicious/noThenProperty: `then` is JSON Schema's word
        then: { $ref: '#/$defs/MatchCondition' },
      };
    }
  }
}
