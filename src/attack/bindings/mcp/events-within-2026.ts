import { stringifyJson } from '../../../format/model/json-text-values.ts';
import { isValueMap, toMaps, type Value, type ValueMap } from '../../../format/model/value.ts';
import { isDeepEqual } from '../../../format/primitives/deep-equals.ts';
import {
  inAnyResult,
  listHeaderParams,
  mcp2026,
  mcp2026Error,
  metaKey,
  questionableMethods,
  withinResponse,
} from '../../../format/registry/mcp-2026.ts';
import type { AnswerPlan, EntryAsk, PeerRequest, PlanContext, SaidWithin, WithinEvent } from '../../engine/binding.ts';
import { planMcpError } from './plans.ts';

// Since 2026-07-28 a client puts into its requests what it once sent as separate messages. Documents know those
// messages by name, so they are reported under that name.

/** Messages that were removed without a replacement. */
export const unheardSince2026: ReadonlySet<string> = new Set([
  'ping',
  'tasks/list',
  'tasks/result',
  'notifications/progress',
  'notifications/roots/list_changed',
  'notifications/tasks/status',
]);

const mostRemembered = 1_000;

export function readEventsWithin2026(request: PeerRequest, context: PlanContext): SaidWithin | undefined {
  if (request.era !== mcp2026) return undefined;
  const params = isValueMap(request.params) ? request.params : {};
  const before = isValueMap(context.memory) ? context.memory : {};
  if (request.method === 'notifications/cancelled') return readUnsubscription(params, before);
  if (request.method.startsWith('notifications/')) return undefined;
  const greeting = readGreeting(request, params, before);
  const level = readLevelChange(params, greeting.memory);
  const listening = readSubscription(request, params, level.memory);
  const answers = readInputResponses(params);
  const events = [...greeting.events, ...level.events, ...answers, ...listening.events];
  if (events.length === 0) return undefined;
  const isRepeated = answers.length > 0 && questionableMethods.has(request.method);
  return { events, memory: listening.memory, ...(isRepeated && { isRepeated: true }) };
}

interface EventsWithMemory {
  readonly events: readonly WithinEvent[];
  readonly memory: ValueMap;
}

/** There is no session any more: the first request of a client name counts as the handshake. */
function readGreeting({ method }: PeerRequest, params: ValueMap, memory: ValueMap): EventsWithMemory {
  const { meta, client } = readClientMeta(params);
  const clients = readMemoryList(memory, 'clients');
  if (clients.includes(client)) return { events: [], memory };
  const content = {
    protocolVersion: meta[metaKey.protocolVersion] ?? null,
    capabilities: meta[metaKey.clientCapabilities] ?? {},
    clientInfo: meta[metaKey.clientInfo] ?? {},
  };
  const counts = method === 'server/discover' ? { isAnsweredToo: true as const } : {};
  return {
    events: [
      { kind: 'request', method: 'initialize', content, ...counts },
      { kind: 'notification', method: 'notifications/initialized', content: {}, ...counts },
    ],
    memory: { ...memory, clients: [...clients, client].slice(-mostRemembered) },
  };
}

/** A log level that appears in a request for the first time counts as set. */
function readLevelChange(params: ValueMap, memory: ValueMap): EventsWithMemory {
  const { meta, client } = readClientMeta(params);
  const level = meta[metaKey.logLevel];
  const entry = level === undefined ? '' : `${client} ${stringifyJson(level)}`;
  const levels = readMemoryList(memory, 'levels');
  if (level === undefined || levels.includes(entry)) return { events: [], memory };
  const others = levels.filter((each) => !String(each).startsWith(`${client} `));
  return {
    events: [{ kind: 'request', method: 'logging/setLevel', content: { level } }],
    memory: { ...memory, levels: [...others, entry].slice(-mostRemembered) },
  };
}

function readSubscription({ method, id = null }: PeerRequest, params: ValueMap, memory: ValueMap): EventsWithMemory {
  if (method !== 'subscriptions/listen') return { events: [], memory };
  const filter = isValueMap(params.notifications) ? params.notifications : {};
  const uris: readonly Value[] = Array.isArray(filter.resourceSubscriptions) ? filter.resourceSubscriptions : [];
  const streams = [...readMemoryList(memory, 'streams'), { id, uris }].slice(-mostRemembered);
  return {
    events: uris.map((uri) => ({
      kind: 'request',
      method: 'resources/subscribe',
      content: { uri },
      isAnsweredToo: true,
    })),
    memory: { ...memory, streams },
  };
}

function readUnsubscription({ requestId }: ValueMap, memory: ValueMap): SaidWithin | undefined {
  const streams = toMaps(readMemoryList(memory, 'streams'));
  const ended = streams.find(({ id }) => requestId !== undefined && isDeepEqual(id ?? null, requestId));
  if (ended === undefined) return undefined;
  const uris: readonly Value[] = Array.isArray(ended.uris) ? ended.uris : [];
  return {
    events: uris.map((uri) => ({ kind: 'request', method: 'resources/unsubscribe', content: { uri } })),
    memory: { ...memory, streams: streams.filter((stream) => stream !== ended) },
  };
}

/** Answers to questions that the document itself put into a result. Their shape shows what was asked. */
function readInputResponses({ inputResponses }: ValueMap): readonly WithinEvent[] {
  if (!isValueMap(inputResponses)) return [];
  return Object.values(inputResponses).map((content) => ({
    kind: 'response',
    method: guessQuestionMethod(content),
    content,
  }));
}

function guessQuestionMethod(answer: Value): string {
  if (isValueMap(answer) && answer.roots !== undefined) return 'roots/list';
  return isValueMap(answer) && answer.role !== undefined ? 'sampling/createMessage' : 'elicitation/create';
}

function readClientMeta({ _meta }: ValueMap): { readonly meta: ValueMap; readonly client: string } {
  const meta = isValueMap(_meta) ? _meta : {};
  return { meta, client: stringifyJson(meta[metaKey.clientInfo] ?? null) };
}

function readMemoryList(memory: ValueMap, key: string): readonly Value[] {
  const list = memory[key];
  return Array.isArray(list) ? list : [];
}

// Rules of MCP since 2026-07-28: clients must send headers that agree with their arguments, and servers must not send
// certain messages. A document may make a server send them all the same.

/**
 * Entry actions that send a message in a way the protocol forbids to servers. Before 2026-07-28 they are sent like any
 * other.
 */
const manners: { readonly [action: string]: string } = {
  send_within_response: withinResponse,
  ask_in_any_result: inAnyResult,
};

export function warnOfForbiddenSend(name: string, value: Value): EntryAsk | undefined {
  const manner = Object.hasOwn(manners, name) ? manners[name] : undefined;
  if (manner === undefined) return undefined;
  const { method, params } = isValueMap(value) ? value : {};
  if (typeof method !== 'string') {
    const message = `\`${name}\` has no method, so it is skipped`;
    return { warnings: [{ severity: 'warning', code: 'O-101', message }] };
  }
  return { method, ...(params !== undefined && { params }), manner };
}

/** The reason why a call is refused: `Mcp-Param-…` must agree with the arguments. Without headers nothing is checked. */
export function refuseParamMismatch(
  schema: Value | undefined,
  { params, repeated }: PeerRequest,
): AnswerPlan | undefined {
  if (repeated === undefined) return undefined;
  const args = isValueMap(params) && isValueMap(params.arguments) ? params.arguments : {};
  for (const { header, readValue: valueIn } of listHeaderParams(schema)) {
    const headerValue = repeated[header.toLowerCase()];
    if (valueIn(args) === headerValue) continue;
    const what = headerValue === undefined ? 'is missing' : 'is not what the arguments say';
    return planMcpError({
      code: mcp2026Error.headerMismatch,
      message: `the header Mcp-Param-${header} ${what}`,
    });
  }
  return undefined;
}
