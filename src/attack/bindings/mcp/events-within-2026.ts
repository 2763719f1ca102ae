import { stringifyJson } from '../../../format/model/json-text-values.ts';
import { isValueMap, toMaps, type Value, type ValueMap } from '../../../format/model/value.ts';
import { isDeepEqual } from '../../../format/primitives/deep-equals.ts';
import { mcp2026, metaKey, questionableMethods } from '../../../format/registry/mcp-2026.ts';
import type { PeerRequest, PlanContext, SaidWithin, WithinEvent } from '../../engine/binding.ts';

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
