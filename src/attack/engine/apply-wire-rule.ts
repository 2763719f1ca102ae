import { parseWireMs, type WireRule } from '../../format/extensions/read-wire.ts';
import type { AppliedWireRule, WireBytes, WireFlood, WirePoint } from '../../format/model/applied-wire-rule.ts';
import { getOwnValue, isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { grpcFailures, isHttpHeader } from '../../format/registry/wire-rule-keys.ts';
import type { Fill } from './binding.ts';

// Works out what a rule does to one message. Invalid values are left out here; `oatf validate` reports them.

interface WireRuleContext {
  readonly fill: Fill;
  readonly id: Value | undefined;
  readonly lastId: Value | undefined;
  /** A number from 0 to below 1. */
  random(): number;
}

/** Keys that the engine or the loop handles; no transport sees them. */
const ofEngine: ReadonlySet<string> = new Set(['delay', 'drop', 'error', 'hold', 'flood', 'pages', 'as', 'together']);

/**
 * Keys that the engine acts on itself, so they add nothing to the applied rule; each function tells whether the value
 * has an effect.
 */
const ofContent: { readonly [action: string]: (value: Value) => boolean } = {
  error: () => true,
  pages: () => true,
  as: (value) => typeof value === 'string',
  together: (value) => value === true,
};

const moments = ['before', 'after', 'answering'] as const;

type WireRulePart = Omit<Partial<AppliedWireRule>, 'rule' | 'actions'>;

/** The part that each key of a rule adds to the applied rule. */
const parts: { readonly [action: string]: (value: Value, context: WireRuleContext) => WireRulePart } = {
  delay: (value, { random }) => makeField('delayMs', chooseDelayMs(value, random) || undefined),
  hold: (value) => (value === 'next' || value === 'cancelled' ? { hold: value } : {}),
  flood: (value, { fill }) => makeField('flood', readFlood(value, fill)),
  repeat: (value) => makeField('repeat', limitTo(dropBelow(2, readWholeNumber(value)), wireLimits.repeat)),
  id: (value, context) => readIdPart(value, context),
  batch: (value) => (value === true ? { batch: true } : {}),
  http: (value, { fill }) => {
    if (!isValueMap(value)) return {};
    const { status, headers, content_type, compress } = value;
    return makeNonEmptyField('http', {
      ...(isStatus(status) && { status }),
      ...(isValueMap(headers) && makeNonEmptyField('headers', readWireHeaders(fill(headers) as ValueMap))),
      ...(typeof content_type === 'string' && isHttpHeader('a', content_type) && { contentType: content_type }),
      ...(isCompression(compress) && { compress }),
    });
  },
  bytes: (value, { fill }) => (isValueMap(value) ? makeNonEmptyField('bytes', readWireBytes(value, fill)) : {}),
  frame: (value) => (value === 'no_newline' || value === 'newline_inside' ? { frame: value } : {}),
  pace: (value) => makeField('pace', readWirePace(value)),
  end: (value) => {
    if (!isValueMap(value)) return {};
    const { by, when } = value;
    if (by !== 'reset' && by !== 'close') return {};
    return { end: { by, when: moments.find((each) => each === when) ?? 'during' } };
  },
  read: (value) => (value === 'none' ? { read: value } : makeField('read', readWirePace(value))),
  stream: (value) => (value === 'endless' || value === 'silent' || value === 'comments' ? { stream: value } : {}),
  sse: (value, { fill }) => {
    if (!isValueMap(value)) return {};
    const { id, retry, event, comments, events } = value;
    return makeNonEmptyField('sse', {
      ...(typeof id === 'string' && { id }),
      ...(retry !== undefined && { retry: String(retry) }),
      ...(typeof event === 'string' && { event }),
      ...makeField('comments', limitTo(dropBelow(1, readWholeNumber(comments)), wireLimits.comments)),
      ...(Array.isArray(events) && events.length > 0 && { events: (fill(events) as readonly Value[]).map(String) }),
    });
  },
  grpc: (value, { fill }) => {
    if (!isValueMap(value)) return {};
    const { status, message, trailers } = value;
    const failure = grpcFailures.find((each) => each === status);
    return makeNonEmptyField('grpc', {
      // A message is sent only with a failure.
      ...(failure !== undefined && {
        status: failure,
        ...(message !== undefined && { message: String(fill(message)) }),
      }),
      ...(isValueMap(trailers) &&
        makeNonEmptyField('trailers', dropNullHeaders(readWireHeaders(fill(trailers) as ValueMap)))),
    });
  },
};

export function applyWireRule({ pointer, actions }: WireRule, context: WireRuleContext): AppliedWireRule {
  const made = (Object.entries(actions) as [string, Value][]).map(([action, value]) => {
    const part = getOwnValue(parts, action)?.(value, context) ?? {};
    return { action, part, isDone: getOwnValue(ofContent, action)?.(value) ?? Object.keys(part).length > 0 };
  });
  // A key without an effect is not an action.
  const done = made.flatMap(({ action, isDone }) => (isDone ? [action] : []));
  return Object.assign({ rule: pointer, actions: done }, ...made.map(({ part }) => part)) as AppliedWireRule;
}

/** Lists the actions that the transport has to carry out. */
export function listTransportActions({ actions }: AppliedWireRule): readonly string[] {
  return actions.filter((action) => !ofEngine.has(action));
}

/**
 * Actions after which no client takes the message as an answer, over any transport. For HTTP the transports report
 * this.
 */
const harms: { readonly [action: string]: (order: AppliedWireRule) => string | undefined } = {
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

/** The reason why the peer cannot have read the message, from the actions that were really carried out. */
export function findHarm(order: AppliedWireRule, did: readonly string[]): string | undefined {
  for (const action of did) {
    const harm = getOwnValue(harms, action)?.(order);
    if (harm !== undefined) return harm;
  }
  return undefined;
}

/**
 * Tells whether a rule adds words inside its message, so that a peer that cannot read the message cannot read them
 * either.
 */
export function hasAddedWords({ bytes, sse, actions }: AppliedWireRule): boolean {
  return actions.includes('error') || bytes?.repeatKey !== undefined || sse?.events !== undefined;
}

/** The most that a rule can ask for: a document must not exhaust the machine that plays it. */
const wireLimits = {
  delayMs: 600_000,
  repeat: 1_000,
  flood: 10_000,
  comments: 10_000,
} as const;

function makeField<K extends keyof WireRulePart>(key: K, value: WireRulePart[K] | undefined): WireRulePart;
function makeField<K extends string, V>(key: K, value: V | undefined): { readonly [key in K]?: V };
function makeField(key: string, value: unknown): object {
  return value === undefined ? {} : { [key]: value };
}

/** Undefined for an empty object. */
function makeNonEmptyField<K extends string, V extends object>(key: K, value: V): { readonly [key in K]?: V } {
  return makeField(key, Object.keys(value).length === 0 ? undefined : value);
}

function dropBelow(least: number, value: number | undefined): number | undefined {
  return value === undefined || value < least ? undefined : value;
}

function readWholeNumber(value: Value | undefined): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}

function chooseDelayMs(value: Value, random: () => number): number | undefined {
  if (!isValueMap(value)) return limitTo(parseWireMs(value), wireLimits.delayMs);
  const [from, to] = [parseWireMs(value.from), parseWireMs(value.to)];
  if (from === undefined || to === undefined || to < from) return undefined;
  return limitTo(from + Math.round(random() * (to - from)), wireLimits.delayMs);
}

function limitTo(value: number | undefined, most: number): number | undefined {
  return value === undefined ? undefined : Math.min(value, most);
}

function readFlood(value: Value, fill: Fill): WireFlood | undefined {
  if (!isValueMap(value) || typeof value.method !== 'string') return undefined;
  const { method, params, count, every } = value;
  const times = readWholeNumber(count) ?? 1;
  if (times === 0) return undefined;
  return {
    method,
    params: params === undefined ? undefined : fill(params),
    count: Math.min(times, wireLimits.flood),
    everyMs: limitTo(parseWireMs(every), wireLimits.delayMs) ?? 0,
  };
}

function readIdPart(value: Value, { id, lastId }: WireRuleContext): WireRulePart {
  const other = chooseOtherId(value, id, lastId);
  return other === undefined || other === id ? {} : { id: { value: other } };
}

function chooseOtherId(value: Value, id: Value | undefined, lastId: Value | undefined): Value | undefined {
  if (!isValueMap(value)) return value;
  if (value.of === 'previous') return lastId;
  if (value.as === 'text') return String(id);
  return value.as === 'number' ? Number(id) || 0 : undefined;
}

function readWireBytes({ cut, corrupt, repeat_key }: ValueMap, fill: Fill): WireBytes {
  return {
    ...(isPoint(cut) && { cut }),
    ...(isValueMap(corrupt) && isPoint(corrupt.at) && makeField('corrupt', readCorruption(corrupt, corrupt.at))),
    ...(isValueMap(repeat_key) && makeNonEmptyField('repeatKey', fill(repeat_key) as ValueMap)),
  };
}

function readCorruption({ with: by }: ValueMap, at: WirePoint): WireBytes['corrupt'] {
  if (by === 'zeros' || by === 'invalid_utf8') return { at, with: by };
  const text = String(by ?? '');
  return text === '' ? undefined : { at, with: 'text', text };
}

function isPoint(value: Value | undefined): value is WirePoint {
  return readWholeNumber(value) !== undefined || (typeof value === 'string' && /^(?:100|\d{1,2})%$/.test(value));
}

function readWirePace(value: Value): { readonly bytes: number; readonly everyMs: number } | undefined {
  if (!isValueMap(value)) return undefined;
  const everyMs = limitTo(parseWireMs(value.every), wireLimits.delayMs) ?? 0;
  return { bytes: Math.max(1, readWholeNumber(value.bytes) ?? 1), everyMs };
}

function isCompression(value: Value | undefined): value is 'gzip' | 'deflate' | 'br' {
  return value === 'gzip' || value === 'deflate' || value === 'br';
}

function isStatus(value: Value | undefined): value is number {
  return (readWholeNumber(value) ?? 0) >= 200 && Number(value) <= 599;
}

/** The headers that HTTP can carry; others would be a fault of ours. */
function readWireHeaders(value: ValueMap): { readonly [name: string]: string | null } {
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, each]) => [name, each === null ? null : String(each)] as const)
      .filter(([name, each]) => isHttpHeader(name, each ?? '')),
  );
}

export function dropNullHeaders(headers: { readonly [name: string]: string | null }): {
  readonly [name: string]: string;
} {
  return Object.fromEntries(Object.entries(headers).filter((each): each is [string, string] => each[1] !== null));
}
