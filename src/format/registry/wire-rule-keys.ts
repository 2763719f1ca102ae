import table from '../../../data/wire-rule-keys.json' with { type: 'json' };
import type { JsonSchema } from './json-schema.ts';

// The keys of a rule of `x-wire`. The table has a row for each; the check, the JSON Schema and `explain` read it.

export type WireShape =
  | { readonly kind: 'true' | 'text' | 'duration' | 'point' | 'any' | 'scalar' | 'map' | 'headers' }
  | { readonly kind: 'whole'; readonly least: number; readonly most: number }
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  | { readonly kind: 'list'; readonly of: WireShape }
  | { readonly kind: 'either'; readonly of: readonly WireShape[] }
  | {
      readonly kind: 'object';
      readonly fields: { readonly [name: string]: WireShape };
      readonly required?: readonly string[];
    };

export interface WireRow {
  readonly shape: WireShape;
  /** The effect in words, for `explain` and the JSON Schema. */
  readonly words: string;
}

interface WireTable {
  readonly [key: string]: WireRow;
}

/** Matchers: keys that say to which messages a rule applies. */
export const wireMatchers = table.matchers as WireTable;

/** Wire actions: keys that say what is done to a message. */
export const wireActions = table.actions as WireTable;

/** The status codes with which a gRPC call can fail. */
export const grpcFailures: readonly string[] = table.actions.grpc.shape.fields.status.of;

export function createWireRuleSchema(): JsonSchema {
  const rows = Object.entries({ ...wireMatchers, ...wireActions });
  return {
    type: 'object',
    properties: Object.fromEntries(
      rows.map(([key, { shape, words }]) => [key, { ...createWireSchema(shape), description: words }]),
    ),
    required: ['on'],
    additionalProperties: false,
  };
}

function createWireSchema(shape: WireShape): JsonSchema {
  switch (shape.kind) {
    case 'true':
      return { const: true };
    case 'text':
      return { type: 'string' };
    case 'duration':
      return { type: 'string', pattern: '^(\\d{1,9}ms|\\d+[smhd]|P.+)$' };
    case 'point':
      return {
        oneOf: [
          { type: 'integer', minimum: 0 },
          { type: 'string', pattern: '^(100|\\d{1,2})%$' },
        ],
      };
    case 'any':
      return {};
    case 'scalar':
      return { type: ['string', 'number', 'boolean', 'null'] };
    case 'map':
      return { type: 'object' };
    case 'headers':
      return { type: 'object', additionalProperties: { type: ['string', 'null'] } };
    case 'whole':
      return { type: 'integer', minimum: shape.least, maximum: shape.most };
    case 'choice':
      return { enum: shape.of };
    case 'list':
      return { type: 'array', items: createWireSchema(shape.of) };
    case 'either':
      return { anyOf: shape.of.map(createWireSchema) };
    case 'object':
      return {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(shape.fields).map(([name, field]) => [name, createWireSchema(field)]),
        ),
        ...(shape.required !== undefined && { required: shape.required }),
        additionalProperties: false,
      };
  }
}

/** Whether HTTP allows a header with this name and value. */
export function isHttpHeader(name: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
