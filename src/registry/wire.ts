import { grpcFailures } from '../model/wire.ts';
import type { JsonSchema } from './json-schema.ts';

// What a rule of `x-wire` may say: a row for each key. The check, the JSON Schema and what `explain` says are read from it.

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
  /** What it does, for people. */
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

/** Keys that say which messages a rule is for. */
export const wireMatchers: { readonly [key: string]: WireRow } = {
  on: { shape: text, words: 'the operation that is answered, or that is sent; * for any' },
  when: { shape: { kind: 'map' }, words: 'a predicate over its params' },
  nth: { shape: whole(1, 1_000_000), words: 'only this one of those that fit' },
  times: { shape: whole(1, 1_000_000), words: 'only the first so many of those that fit' },
};

/** Keys that say what is done. */
export const wireDeeds: { readonly [key: string]: WireRow } = {
  delay: {
    shape: either(duration, object({ from: duration, to: duration }, 'from', 'to')),
    words: 'sent late',
  },
  drop: { shape: { kind: 'true' }, words: 'never sent' },
  error: {
    shape: object({ code: whole(-1_000_000, 1_000_000), message: text, data: any }, 'code', 'message'),
    words: 'an error in place of the result',
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
    words: 'notifications before it',
  },
  pages: {
    shape: either({ kind: 'true' }, whole(1, 1_000_000)),
    words: 'always one more page',
  },
  batch: { shape: { kind: 'true' }, words: 'sent as a batch' },
  http: {
    shape: object({
      status: whole(200, 599),
      headers,
      content_type: text,
      compress: choice('gzip', 'deflate', 'br'),
    }),
    words: 'other HTTP',
  },
  bytes: {
    shape: object({
      cut: point,
      corrupt: object({ at: point, with: text }, 'at', 'with'),
      repeat_key: { kind: 'map' },
    }),
    words: 'other bytes',
  },
  frame: {
    shape: choice('no_newline', 'newline_inside'),
    words: 'a broken line',
  },
  pace: { shape: pace, words: 'a few bytes at a time' },
  end: {
    shape: object(
      { by: choice('reset', 'close'), when: choice('before', 'during', 'after', 'answering') },
      'by',
    ),
    words: 'the connection is ended',
  },
  read: {
    shape: either(choice('none'), pace),
    words: 'its answer is read slowly, or not at all',
  },
  stream: {
    shape: choice('endless', 'silent', 'comments'),
    words: 'a stream that does not end as it should',
  },
  sse: {
    shape: object({
      id: text,
      retry: either(whole(0, 1_000_000_000), text),
      event: text,
      comments: whole(1, 10_000),
      events: { kind: 'list', of: text },
    }),
    words: 'other fields and events of a stream',
  },
  grpc: {
    shape: object({ status: choice(...grpcFailures), message: text, trailers: headers }),
    words: 'another status of gRPC',
  },
  as: { shape: text, words: 'its id is kept under a name' },
  together: { shape: { kind: 'true' }, words: 'nothing waits for its answer' },
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
