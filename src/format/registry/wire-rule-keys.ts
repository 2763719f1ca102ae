import { grpcFailures } from '../model/applied-wire-rule.ts';
import type { JsonSchema } from './json-schema.ts';

// The keys of a rule of `x-wire`, with a row for each. The check, the JSON Schema and `explain` read this table.

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

const text: WireShape = { kind: 'text' };
const duration: WireShape = { kind: 'duration' };
const any: WireShape = { kind: 'any' };
const headers: WireShape = { kind: 'headers' };
const point: WireShape = { kind: 'point' };

const defineWhole = (least: number, most: number): WireShape => ({ kind: 'whole', least, most });
const defineChoice = (...of: readonly string[]): WireShape => ({ kind: 'choice', of });
const defineEither = (...of: readonly WireShape[]): WireShape => ({ kind: 'either', of });
const defineObject = (fields: { readonly [name: string]: WireShape }, ...required: readonly string[]): WireShape => ({
  kind: 'object',
  fields,
  required,
});

const pace = defineObject({ bytes: defineWhole(1, 1_000_000), every: duration }, 'bytes');

/** Matchers: keys that say to which messages a rule applies. */
export const wireMatchers: { readonly [key: string]: WireRow } = {
  on: { shape: text, words: 'the operation that is answered, or that is sent; * for any' },
  when: { shape: { kind: 'map' }, words: 'a predicate over the params of the request or message' },
  nth: { shape: defineWhole(1, 1_000_000), words: 'only this one of the messages that fit' },
  times: {
    shape: defineWhole(1, 1_000_000),
    words: 'only this many of the messages that fit, from the first',
  },
};

/** Wire actions: keys that say what is done to a message. */
export const wireActions: { readonly [key: string]: WireRow } = {
  delay: {
    shape: defineEither(duration, defineObject({ from: duration, to: duration }, 'from', 'to')),
    words: 'sent late',
  },
  drop: { shape: { kind: 'true' }, words: 'never sent' },
  error: {
    shape: defineObject({ code: defineWhole(-1_000_000, 1_000_000), message: text, data: any }, 'code', 'message'),
    words: 'an error replaces the result',
  },
  repeat: { shape: defineWhole(2, 1_000), words: 'sent more than once' },
  id: {
    shape: defineEither(
      defineObject({ of: defineChoice('previous') }),
      defineObject({ as: defineChoice('text', 'number') }),
      {
        kind: 'scalar',
      },
    ),
    words: 'sent under another id',
  },
  hold: { shape: defineChoice('next', 'cancelled'), words: 'held back' },
  flood: {
    shape: defineObject(
      { method: text, params: any, count: defineWhole(1, 10_000), every: duration },
      'method',
      'count',
    ),
    words: 'notifications are sent before it',
  },
  pages: {
    shape: defineEither({ kind: 'true' }, defineWhole(1, 1_000_000)),
    words: 'every page of the list names another page',
  },
  batch: { shape: { kind: 'true' }, words: 'sent as a batch' },
  http: {
    shape: defineObject({
      status: defineWhole(200, 599),
      headers,
      content_type: text,
      compress: defineChoice('gzip', 'deflate', 'br'),
    }),
    words: 'the HTTP status, headers or compression are changed',
  },
  bytes: {
    shape: defineObject({
      cut: point,
      corrupt: defineObject({ at: point, with: text }, 'at', 'with'),
      repeat_key: { kind: 'map' },
    }),
    words: 'the bytes are changed',
  },
  frame: {
    shape: defineChoice('no_newline', 'newline_inside'),
    words: 'the line is broken',
  },
  pace: { shape: pace, words: 'sent a few bytes at a time' },
  end: {
    shape: defineObject(
      { by: defineChoice('reset', 'close'), when: defineChoice('before', 'during', 'after', 'answering') },
      'by',
    ),
    words: 'the connection is closed or reset',
  },
  read: {
    shape: defineEither(defineChoice('none'), pace),
    words: 'the answer is read slowly or never',
  },
  stream: {
    shape: defineChoice('endless', 'silent', 'comments'),
    words: 'the stream never ends, never begins, or has only comments',
  },
  sse: {
    shape: defineObject({
      id: text,
      retry: defineEither(defineWhole(0, 1_000_000_000), text),
      event: text,
      comments: defineWhole(1, 10_000),
      events: { kind: 'list', of: text },
    }),
    words: 'the fields of the event are changed, or other events come before it',
  },
  grpc: {
    shape: defineObject({ status: defineChoice(...grpcFailures), message: text, trailers: headers }),
    words: 'the gRPC call ends with another status or with trailers',
  },
  as: { shape: text, words: 'the id of the request is kept under a name, for templates' },
  together: { shape: { kind: 'true' }, words: 'the client continues without waiting for the answer' },
};

/** The JSON Schema of a rule. */
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
        ...(shape.required !== undefined && shape.required.length > 0 && { required: shape.required }),
        additionalProperties: false,
      };
  }
}

/** Whether HTTP allows a header with this name and value. */
export function isHttpHeader(name: string, value: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}
