import { grpcFailures } from '../model/wire.ts';
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

const whole = (least: number, most: number): WireShape => ({ kind: 'whole', least, most });
const choice = (...of: readonly string[]): WireShape => ({ kind: 'choice', of });
const either = (...of: readonly WireShape[]): WireShape => ({ kind: 'either', of });
const object = (
  fields: { readonly [name: string]: WireShape },
  ...required: readonly string[]
): WireShape => ({ kind: 'object', fields, required });

const pace = object({ bytes: whole(1, 1_000_000), every: duration }, 'bytes');

/** Matchers: keys that say to which messages a rule applies. */
export const wireMatchers: { readonly [key: string]: WireRow } = {
  on: { shape: text, words: 'the operation that is answered, or that is sent; * for any' },
  when: { shape: { kind: 'map' }, words: 'a predicate over the params of the request or message' },
  nth: { shape: whole(1, 1_000_000), words: 'only this one of the messages that fit' },
  times: { shape: whole(1, 1_000_000), words: 'only this many of the messages that fit, from the first' },
};

/** Deeds: keys that say what is done to a message. */
export const wireDeeds: { readonly [key: string]: WireRow } = {
  delay: {
    shape: either(duration, object({ from: duration, to: duration }, 'from', 'to')),
    words: 'sent late',
  },
  drop: { shape: { kind: 'true' }, words: 'never sent' },
  error: {
    shape: object({ code: whole(-1_000_000, 1_000_000), message: text, data: any }, 'code', 'message'),
    words: 'an error replaces the result',
  },
  repeat: { shape: whole(2, 1_000), words: 'sent more than once' },
  id: {
    shape: either(object({ of: choice('previous') }), object({ as: choice('text', 'number') }), {
      kind: 'scalar',
    }),
    words: 'sent under another id',
  },
  hold: { shape: choice('next', 'cancelled'), words: 'held back' },
  flood: {
    shape: object({ method: text, params: any, count: whole(1, 10_000), every: duration }, 'method', 'count'),
    words: 'notifications are sent before it',
  },
  pages: {
    shape: either({ kind: 'true' }, whole(1, 1_000_000)),
    words: 'every page of the list names another page',
  },
  batch: { shape: { kind: 'true' }, words: 'sent as a batch' },
  http: {
    shape: object({
      status: whole(200, 599),
      headers,
      content_type: text,
      compress: choice('gzip', 'deflate', 'br'),
    }),
    words: 'the HTTP status, headers or compression are changed',
  },
  bytes: {
    shape: object({
      cut: point,
      corrupt: object({ at: point, with: text }, 'at', 'with'),
      repeat_key: { kind: 'map' },
    }),
    words: 'the bytes are changed',
  },
  frame: {
    shape: choice('no_newline', 'newline_inside'),
    words: 'the line is broken',
  },
  pace: { shape: pace, words: 'sent a few bytes at a time' },
  end: {
    shape: object(
      { by: choice('reset', 'close'), when: choice('before', 'during', 'after', 'answering') },
      'by',
    ),
    words: 'the connection is closed or reset',
  },
  read: {
    shape: either(choice('none'), pace),
    words: 'the answer is read slowly or never',
  },
  stream: {
    shape: choice('endless', 'silent', 'comments'),
    words: 'the stream never ends, never begins, or has only comments',
  },
  sse: {
    shape: object({
      id: text,
      retry: either(whole(0, 1_000_000_000), text),
      event: text,
      comments: whole(1, 10_000),
      events: { kind: 'list', of: text },
    }),
    words: 'the fields of the event are changed, or other events come before it',
  },
  grpc: {
    shape: object({ status: choice(...grpcFailures), message: text, trailers: headers }),
    words: 'the gRPC call ends with another status or with trailers',
  },
  as: { shape: text, words: 'the id of the request is kept under a name, for templates' },
  together: { shape: { kind: 'true' }, words: 'the client continues without waiting for the answer' },
};

/** The JSON Schema of a rule. */
export function wireRuleSchema(): JsonSchema {
  const rows = Object.entries({ ...wireMatchers, ...wireDeeds });
  return {
    type: 'object',
    properties: Object.fromEntries(
      rows.map(([key, { shape, words }]) => [key, { ...schemaOf(shape), description: words }]),
    ),
    required: ['on'],
    additionalProperties: false,
  };
}

function schemaOf(shape: WireShape): JsonSchema {
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
      return { type: 'array', items: schemaOf(shape.of) };
    case 'either':
      return { anyOf: shape.of.map(schemaOf) };
    case 'object':
      return {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(shape.fields).map(([name, field]) => [name, schemaOf(field)]),
        ),
        ...(shape.required !== undefined && shape.required.length > 0 && { required: shape.required }),
        additionalProperties: false,
      };
  }
}
