import type { Mode, Protocol } from '../model/enumerations.ts';
import { grpcFailures } from '../model/wire.ts';
import type { JsonSchema } from './json-schema.ts';
import { protocolOf, type Role, roleOf } from './modes.ts';

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
  /** Who can do it; both sides and all protocols if left out. */
  readonly role?: Role;
  readonly protocols?: readonly Protocol[];
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
  drop: { shape: { kind: 'true' }, words: 'never sent', role: 'server' },
  error: {
    shape: object({ code: whole(-1_000_000, 1_000_000), message: text, data: any }, 'code', 'message'),
    words: 'an error in place of the result',
    role: 'server',
  },
  repeat: { shape: whole(2, 1_000), words: 'sent more than once' },
  id: {
    shape: either(object({ of: choice('previous') }), object({ as: choice('text', 'number') }), {
      kind: 'scalar',
    }),
    words: 'sent under another id',
    role: 'server',
  },
  hold: { shape: choice('next', 'cancelled'), words: 'held back', role: 'server' },
  flood: {
    shape: object({ method: text, params: any, count: whole(1, 10_000), every: duration }, 'method', 'count'),
    words: 'notifications before it',
    role: 'server',
    protocols: ['mcp'],
  },
  pages: {
    shape: either({ kind: 'true' }, whole(1, 1_000_000)),
    words: 'always one more page',
    role: 'server',
    protocols: ['mcp'],
  },
  batch: { shape: { kind: 'true' }, words: 'sent as a batch', role: 'server', protocols: ['mcp'] },
  http: {
    shape: object({
      status: whole(200, 599),
      headers,
      content_type: text,
      compress: choice('gzip', 'deflate', 'br'),
    }),
    words: 'other HTTP',
    role: 'server',
  },
  bytes: {
    shape: object({
      cut: point,
      corrupt: object({ at: point, with: text }, 'at', 'with'),
      repeat_key: { kind: 'map' },
    }),
    words: 'other bytes',
    role: 'server',
  },
  frame: {
    shape: choice('no_newline', 'newline_inside'),
    words: 'a broken line',
    role: 'server',
    protocols: ['mcp'],
  },
  pace: { shape: pace, words: 'a few bytes at a time', role: 'server' },
  end: {
    shape: object({ by: choice('reset', 'close'), when: choice('before', 'during', 'after') }, 'by'),
    words: 'the connection is ended',
    role: 'server',
  },
  stream: {
    shape: choice('endless', 'silent', 'comments'),
    words: 'a stream that does not end as it should',
    role: 'server',
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
    role: 'server',
  },
  grpc: {
    shape: object({ status: choice(...grpcFailures), message: text, trailers: headers }),
    words: 'another status of gRPC',
    role: 'server',
    protocols: ['a2a'],
  },
  as: { shape: text, words: 'its id is kept under a name', role: 'client' },
  together: { shape: { kind: 'true' }, words: 'nothing waits for its answer', role: 'client' },
};

/** Whether an actor of a mode can do it at all, over some transport. */
export function canDo(mode: Mode, { role, protocols }: WireRow): boolean {
  return (role === undefined || role === roleOf(mode)) && (protocols?.includes(protocolOf(mode)) ?? true);
}

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
