import { isValueMap, type Value, type ValueMap } from '../model/value.ts';
import type { WireBytes, WireFlood, WireOrder, WirePoint } from '../model/wire.ts';
import { wireMs } from '../primitives/written-wire.ts';
import type { Fill } from './binding.ts';
import type { WireRule } from './wire.ts';

// What a rule orders for one message. What is written as no document should is left out here; `oatf validate` tells of it.

export interface OrderContext {
  readonly fill: Fill;
  readonly id: Value | undefined;
  readonly lastId: Value | undefined;
  /** From 0 to below 1. */
  random(): number;
}

/** Keys that the engine or the loop does away with, so that no transport hears of them. */
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

type Part = Omit<Partial<WireOrder>, 'rule' | 'deeds'>;

/** What each key of a rule adds to an order. */
const parts: { readonly [deed: string]: (value: Value, context: OrderContext) => Part } = {
  delay: (value, { random }) => own('delayMs', delayMs(value, random)),
  hold: (value) => (value === 'next' || value === 'cancelled' ? { hold: value } : {}),
  flood: (value, { fill }) => own('flood', floodOf(value, fill)),
  repeat: (value) => own('repeat', whole(value)),
  id: (value, context) => idPart(value, context),
  batch: (value) => (value === true ? { batch: true } : {}),
  http: (value, { fill }) => {
    if (!isValueMap(value)) return {};
    const { status, headers, content_type, compress } = value;
    return {
      http: {
        ...own('status', whole(status)),
        ...(isValueMap(headers) && {
          headers: texts(fill(headers)) as { readonly [name: string]: string | null },
        }),
        ...(typeof content_type === 'string' && { contentType: content_type }),
        ...(isCompression(compress) && { compress }),
      },
    };
  },
  bytes: (value, { fill }) => (isValueMap(value) ? { bytes: bytesOf(value, fill) } : {}),
  frame: (value) => (value === 'no_newline' || value === 'newline_inside' ? { frame: value } : {}),
  pace: (value) => own('pace', paceOf(value)),
  end: (value) => {
    if (!isValueMap(value)) return {};
    const { by, when } = value;
    if (by !== 'reset' && by !== 'close') return {};
    return { end: { by, when: when === 'before' || when === 'after' ? when : 'during' } };
  },
  stream: (value) =>
    value === 'endless' || value === 'silent' || value === 'comments' ? { stream: value } : {},
  sse: (value, { fill }) => {
    if (!isValueMap(value)) return {};
    const { id, retry, event, comments, events } = value;
    return {
      sse: {
        ...(typeof id === 'string' && { id }),
        ...(retry !== undefined && { retry: String(retry) }),
        ...(typeof event === 'string' && { event }),
        ...own('comments', whole(comments)),
        ...(Array.isArray(events) && { events: (fill(events) as readonly Value[]).map(String) }),
      },
    };
  },
  grpc: (value, { fill }) => {
    if (!isValueMap(value)) return {};
    const { status, message, trailers } = value;
    return {
      grpc: {
        ...(typeof status === 'string' && { status }),
        ...(message !== undefined && { message: String(fill(message)) }),
        ...(isValueMap(trailers) && {
          trailers: texts(fill(trailers)) as { readonly [name: string]: string },
        }),
      },
    };
  },
};

export function orderOf({ pointer, deeds }: WireRule, context: OrderContext): WireOrder {
  const made = Object.entries(deeds).map(([deed, value]) =>
    Object.hasOwn(parts, deed) ? parts[deed]?.(value as Value, context) : {},
  );
  return Object.assign({ rule: pointer, deeds: Object.keys(deeds) }, ...made) as WireOrder;
}

/** Deeds of an order that are the transport's. */
export function deedsOfTransport({ deeds }: WireOrder): readonly string[] {
  return deeds.filter((deed) => !ofEngine.has(deed));
}

/** Why what an order makes of an answer is none to whoever waits for it, whatever bytes carry it. */
export function harmOf({ id, http, frame, stream, batch, grpc }: WireOrder): string | undefined {
  if (id !== undefined) return 'it went out under another id';
  if ((http?.status ?? 200) >= 400) return `it went out with the HTTP status ${http?.status}`;
  if (http?.contentType !== undefined) return `it went out as ${http.contentType}`;
  if (frame !== undefined) return 'its frame was broken';
  if (batch) return 'it went out as a batch';
  if (grpc?.status !== undefined) return `it went out with the gRPC status ${grpc.status}`;
  return stream === undefined || stream === 'endless' ? undefined : 'it never went out';
}

/** The most that a document can order: whoever plays it has a machine to lose. */
export const wireLimits = {
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
  return {
    method,
    params: params === undefined ? undefined : fill(params),
    count: Math.min(whole(count) ?? 1, wireLimits.flood),
    everyMs: wireMs(every) ?? 0,
  };
}

function idPart(value: Value, { id, lastId }: OrderContext): Part {
  if (!isValueMap(value)) return { id: { value } };
  if (value.of === 'previous') return lastId === undefined ? {} : { id: { value: lastId } };
  if (value.as === 'text') return { id: { value: String(id) } };
  if (value.as === 'number') return { id: { value: Number(id) || 0 } };
  return {};
}

function bytesOf({ cut, corrupt, repeat_key }: ValueMap, fill: Fill): WireBytes {
  return {
    ...(isPoint(cut) && { cut }),
    ...(isValueMap(corrupt) && isPoint(corrupt.at) && { corrupt: corruptionOf(corrupt, corrupt.at) }),
    ...(isValueMap(repeat_key) && { repeatKey: fill(repeat_key) as ValueMap }),
  };
}

function corruptionOf({ with: by }: ValueMap, at: WirePoint): NonNullable<WireBytes['corrupt']> {
  if (by === 'zeros' || by === 'invalid_utf8') return { at, with: by };
  return { at, with: 'text', text: String(by ?? '') };
}

function isPoint(value: Value | undefined): value is WirePoint {
  return whole(value) !== undefined || (typeof value === 'string' && /^(?:100|\d{1,2})%$/.test(value));
}

function paceOf(value: Value): { readonly bytes: number; readonly everyMs: number } | undefined {
  if (!isValueMap(value)) return undefined;
  return { bytes: Math.max(1, whole(value.bytes) ?? 1), everyMs: wireMs(value.every) ?? 0 };
}

function isCompression(value: Value | undefined): value is 'gzip' | 'deflate' | 'br' {
  return value === 'gzip' || value === 'deflate' || value === 'br';
}

function texts(value: Value): { readonly [name: string]: string | null } {
  if (!isValueMap(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, each === null ? null : String(each)]),
  );
}
