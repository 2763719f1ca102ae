import { isValueMap, ownValue, type Value, type ValueMap } from '../model/value.ts';
import {
  grpcFailures,
  type WireBytes,
  type WireFlood,
  type WireOrder,
  type WirePoint,
} from '../model/wire.ts';
import { isHttpHeader } from '../primitives/http-header.ts';
import { wireMs } from '../primitives/written-wire.ts';
import type { Fill } from './binding.ts';
import type { WireRule } from './wire.ts';

// The order that a rule gives for one message. Invalid values are left out here; `oatf validate` reports them.

export interface OrderContext {
  readonly fill: Fill;
  readonly id: Value | undefined;
  readonly lastId: Value | undefined;
  /** A number from 0 to below 1. */
  random(): number;
}

/** Keys that the engine or the loop handles; no transport sees them. */
const ofEngine: ReadonlySet<string> = new Set([
  'delay',
  'drop',
  'error',
  'hold',
  'flood',
  'pages',
  'as',
  'together',
]);

/**
 * Keys that add nothing to an order, because the engine does them itself; each function tells whether the value orders
 * anything.
 */
const ofContent: { readonly [deed: string]: (value: Value) => boolean } = {
  error: () => true,
  pages: () => true,
  as: (value) => typeof value === 'string',
  together: (value) => value === true,
};

const moments = ['before', 'after', 'answering'] as const;

type Part = Omit<Partial<WireOrder>, 'rule' | 'deeds'>;

/** The part that each key of a rule adds to an order. */
const parts: { readonly [deed: string]: (value: Value, context: OrderContext) => Part } = {
  delay: (value, { random }) => own('delayMs', delayMs(value, random) || undefined),
  hold: (value) => (value === 'next' || value === 'cancelled' ? { hold: value } : {}),
  flood: (value, { fill }) => own('flood', floodOf(value, fill)),
  repeat: (value) => own('repeat', atMost(atLeast(2, whole(value)), wireLimits.repeat)),
  id: (value, context) => idPart(value, context),
  batch: (value) => (value === true ? { batch: true } : {}),
  http: (value, { fill }) => {
    if (!isValueMap(value)) return {};
    const { status, headers, content_type, compress } = value;
    return said('http', {
      ...(isStatus(status) && { status }),
      ...(isValueMap(headers) && said('headers', headersOf(fill(headers) as ValueMap))),
      ...(typeof content_type === 'string' &&
        isHttpHeader('a', content_type) && { contentType: content_type }),
      ...(isCompression(compress) && { compress }),
    });
  },
  bytes: (value, { fill }) => (isValueMap(value) ? said('bytes', bytesOf(value, fill)) : {}),
  frame: (value) => (value === 'no_newline' || value === 'newline_inside' ? { frame: value } : {}),
  pace: (value) => own('pace', paceOf(value)),
  end: (value) => {
    if (!isValueMap(value)) return {};
    const { by, when } = value;
    if (by !== 'reset' && by !== 'close') return {};
    return { end: { by, when: moments.find((each) => each === when) ?? 'during' } };
  },
  read: (value) => (value === 'none' ? { read: value } : own('read', paceOf(value))),
  stream: (value) =>
    value === 'endless' || value === 'silent' || value === 'comments' ? { stream: value } : {},
  sse: (value, { fill }) => {
    if (!isValueMap(value)) return {};
    const { id, retry, event, comments, events } = value;
    return said('sse', {
      ...(typeof id === 'string' && { id }),
      ...(retry !== undefined && { retry: String(retry) }),
      ...(typeof event === 'string' && { event }),
      ...own('comments', atMost(atLeast(1, whole(comments)), wireLimits.comments)),
      ...(Array.isArray(events) &&
        events.length > 0 && { events: (fill(events) as readonly Value[]).map(String) }),
    });
  },
  grpc: (value, { fill }) => {
    if (!isValueMap(value)) return {};
    const { status, message, trailers } = value;
    const failure = grpcFailures.find((each) => each === status);
    return said('grpc', {
      // A message is sent only with a failure.
      ...(failure !== undefined && {
        status: failure,
        ...(message !== undefined && { message: String(fill(message)) }),
      }),
      ...(isValueMap(trailers) && said('trailers', withoutNulls(headersOf(fill(trailers) as ValueMap)))),
    });
  },
};

export function orderOf({ pointer, deeds }: WireRule, context: OrderContext): WireOrder {
  const made = (Object.entries(deeds) as [string, Value][]).map(([deed, value]) => {
    const part = ownValue(parts, deed)?.(value, context) ?? {};
    return { deed, part, isDone: ownValue(ofContent, deed)?.(value) ?? Object.keys(part).length > 0 };
  });
  // A key that has no effect is not done, so it is not a deed.
  const done = made.flatMap(({ deed, isDone }) => (isDone ? [deed] : []));
  return Object.assign({ rule: pointer, deeds: done }, ...made.map(({ part }) => part)) as WireOrder;
}

/** The deeds of an order that the transport does. */
export function deedsOfTransport({ deeds }: WireOrder): readonly string[] {
  return deeds.filter((deed) => !ofEngine.has(deed));
}

/**
 * Deeds that turn an answer into something its client cannot take as one, whichever bytes carry it. For HTTP the
 * transports report this.
 */
const harms: { readonly [deed: string]: (order: WireOrder) => string | undefined } = {
  id: () => 'it went out under another id',
  frame: () => 'its frame was broken',
  batch: () => 'it went out as a batch',
  grpc: ({ grpc }) => grpc?.status && `it went out with the gRPC status ${grpc.status}`,
  // A reset discards bytes that the client's machine has not delivered yet.
  end: ({ end }) =>
    end?.by === 'reset' && end.when !== 'answering' ? 'the connection was reset behind it' : undefined,
  stream: ({ stream }) => (stream === 'endless' ? undefined : 'it never went out'),
  // Only the answer could have shown whether the request was understood.
  read: ({ read }) => (read === 'none' ? 'nothing of its answer was read' : undefined),
};

/** The reason why the peer cannot have read the message, from the deeds that were really done. */
export function harmOf(order: WireOrder, did: readonly string[]): string | undefined {
  for (const deed of did) {
    const harm = ownValue(harms, deed)?.(order);
    if (harm !== undefined) return harm;
  }
  return undefined;
}

/**
 * Tells whether a rule adds words inside its message, so that a peer that cannot read the message cannot read them
 * either.
 */
export function speaksWithin({ bytes, sse, deeds }: WireOrder): boolean {
  return deeds.includes('error') || bytes?.repeatKey !== undefined || sse?.events !== undefined;
}

/** The most that a document can order: a document must not exhaust the machine that plays it. */
const wireLimits = {
  delayMs: 600_000,
  repeat: 1_000,
  flood: 10_000,
  comments: 10_000,
} as const;

function own<K extends keyof Part>(key: K, value: Part[K] | undefined): Part;
function own<K extends string, V>(key: K, value: V | undefined): { readonly [key in K]?: V };
function own(key: string, value: unknown): object {
  return value === undefined ? {} : { [key]: value };
}

/** Undefined for an empty object. */
function said<K extends string, V extends object>(key: K, value: V): { readonly [key in K]?: V } {
  return own(key, Object.keys(value).length === 0 ? undefined : value);
}

function atLeast(least: number, value: number | undefined): number | undefined {
  return value === undefined || value < least ? undefined : value;
}

function whole(value: Value | undefined): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

function delayMs(value: Value, random: () => number): number | undefined {
  if (!isValueMap(value)) return atMost(wireMs(value), wireLimits.delayMs);
  const [from, to] = [wireMs(value.from), wireMs(value.to)];
  if (from === undefined || to === undefined || to < from) return undefined;
  return atMost(from + Math.round(random() * (to - from)), wireLimits.delayMs);
}

function atMost(value: number | undefined, most: number): number | undefined {
  return value === undefined ? undefined : Math.min(value, most);
}

function floodOf(value: Value, fill: Fill): WireFlood | undefined {
  if (!isValueMap(value) || typeof value.method !== 'string') return undefined;
  const { method, params, count, every } = value;
  const times = whole(count) ?? 1;
  if (times === 0) return undefined;
  return {
    method,
    params: params === undefined ? undefined : fill(params),
    count: Math.min(times, wireLimits.flood),
    everyMs: atMost(wireMs(every), wireLimits.delayMs) ?? 0,
  };
}

function idPart(value: Value, { id, lastId }: OrderContext): Part {
  const other = otherId(value, id, lastId);
  return other === undefined || other === id ? {} : { id: { value: other } };
}

function otherId(value: Value, id: Value | undefined, lastId: Value | undefined): Value | undefined {
  if (!isValueMap(value)) return value;
  if (value.of === 'previous') return lastId;
  if (value.as === 'text') return String(id);
  return value.as === 'number' ? Number(id) || 0 : undefined;
}

function bytesOf({ cut, corrupt, repeat_key }: ValueMap, fill: Fill): WireBytes {
  return {
    ...(isPoint(cut) && { cut }),
    ...(isValueMap(corrupt) && isPoint(corrupt.at) && own('corrupt', corruptionOf(corrupt, corrupt.at))),
    ...(isValueMap(repeat_key) && said('repeatKey', fill(repeat_key) as ValueMap)),
  };
}

function corruptionOf({ with: by }: ValueMap, at: WirePoint): WireBytes['corrupt'] {
  if (by === 'zeros' || by === 'invalid_utf8') return { at, with: by };
  const text = String(by ?? '');
  return text === '' ? undefined : { at, with: 'text', text };
}

function isPoint(value: Value | undefined): value is WirePoint {
  return whole(value) !== undefined || (typeof value === 'string' && /^(?:100|\d{1,2})%$/.test(value));
}

function paceOf(value: Value): { readonly bytes: number; readonly everyMs: number } | undefined {
  if (!isValueMap(value)) return undefined;
  const everyMs = atMost(wireMs(value.every), wireLimits.delayMs) ?? 0;
  return { bytes: Math.max(1, whole(value.bytes) ?? 1), everyMs };
}

function isCompression(value: Value | undefined): value is 'gzip' | 'deflate' | 'br' {
  return value === 'gzip' || value === 'deflate' || value === 'br';
}

function isStatus(value: Value | undefined): value is number {
  return (whole(value) ?? 0) >= 200 && Number(value) <= 599;
}

/** The headers that HTTP can carry; others would be a fault of ours. */
function headersOf(value: ValueMap): { readonly [name: string]: string | null } {
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, each]) => [name, each === null ? null : String(each)] as const)
      .filter(([name, each]) => isHttpHeader(name, each ?? '')),
  );
}

function withoutNulls(headers: { readonly [name: string]: string | null }): {
  readonly [name: string]: string;
} {
  return Object.fromEntries(
    Object.entries(headers).filter((each): each is [string, string] => each[1] !== null),
  );
}
