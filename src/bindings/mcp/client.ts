import type {
  Act,
  Acts,
  AnswerPlan,
  ClientBinding,
  Fill,
  PeerRequest,
  Reader,
} from '../../engine/binding.ts';
import type { Diagnostic } from '../../model/errors.ts';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { responseFor } from '../response-dispatch.ts';
import { mcpViews } from './views.ts';

// Format spec §7.1.5: we are the client. Requests go out as written; the server's requests are answered from the state.

/** MCP, the client’s side: the requests of an `mcp_client` actor, and how it answers the server. */
export const mcpClient: ClientBinding = {
  mode: 'mcp_client',
  protocol: 'mcp',
  views: mcpViews,
  isTimed: true,
  hasIds: true,
  opening: (state) => ({ acts: handshake(isValueMap(state) ? state : {}) }),
  acts: (state) => actionsOf(isValueMap(state) ? state.actions : undefined),
  isNotification,
  plan(request, state, fill) {
    const handler = Object.hasOwn(handlers, request.method) ? handlers[request.method] : undefined;
    return handler?.(isValueMap(state) ? state : {}, request, fill) ?? notFound(request.method);
  },
  reader: () => wholeAnswers,
};

const defaultVersion = '2025-11-25';
const defaultClient = { name: 'oatf-client', version: '1.0.0' };
const defaultCapabilities = { roots: { listChanged: true } };
const methodNotFound = -32601;

/** MCP answers come whole, so there are no parts to read. */
const wholeAnswers: Reader = { read: () => undefined, end: () => 'no answer came' };

function isNotification(method: string): boolean {
  return method.startsWith('notifications/');
}

/** The keys by which a client introduces itself before its first request. */
const introductions = ['protocol_version', 'capabilities', 'client_info'];

function handshake(state: ValueMap): readonly Act[] {
  const params = {
    // OATF 0.1 has no such key for clients, but documents that test downgrades need one.
    protocolVersion: state.protocol_version ?? defaultVersion,
    capabilities: state.capabilities ?? defaultCapabilities,
    clientInfo: state.client_info ?? defaultClient,
  };
  const pieces = introductions.filter((key) => (state[key] ?? null) !== null).map((key) => `/${key}`);
  return [
    { method: 'initialize', content: (fill) => fill(params), pieces },
    { method: 'notifications/initialized', content: () => undefined, isNotification: true },
  ];
}

function actionsOf(list: Value | undefined): Acts {
  const warnings: Diagnostic[] = [];
  const acts = (Array.isArray(list) ? (list as readonly Value[]) : []).flatMap((action, index) => {
    if (isValueMap(action) && typeof action.method === 'string')
      return [actOf(action.method, action, `/actions/${index}`)];
    const message = `\`actions[${index}]\` has no method, so it is skipped`;
    warnings.push({ severity: 'warning', code: 'O-111', message });
    return [];
  });
  return { acts, warnings };
}

/** Templates are filled in when the action is sent: they may refer to the answer to the action before it. */
function actOf(written: string, { params, headers }: ValueMap, piece: string): Act {
  const content = (fill: Fill): Value | undefined => (params === undefined ? undefined : fill(params));
  const named = (method: string): Act => ({
    method,
    content,
    pieces: [piece],
    ...(isNotification(method) && { isNotification: true }),
    // An extension of ours: these headers replace the ones that repeat the body.
    ...(isValueMap(headers) && { manner: (fill: Fill) => ({ headers: fill(headers) }) }),
  });
  return { ...named(written), resolve: (fill) => named(String(fill(written))) };
}

type Handler = (state: ValueMap, request: PeerRequest, fill: Fill) => AnswerPlan | undefined;

/** Requests that a server may make of a client. A handler returns nothing if the state has no answer. */
const handlers: { readonly [method: string]: Handler } = {
  ping: () => succeed({}),
  'roots/list': ({ roots, capabilities }) =>
    roots === undefined && !declaresRoots(capabilities)
      ? undefined
      : succeed({ roots: roots ?? [] }, roots === undefined ? [] : ['/roots']),
  'sampling/createMessage': sample,
  'elicitation/create': elicit,
};

function declaresRoots(capabilities: Value | undefined): boolean {
  return capabilities === undefined || (isValueMap(capabilities) && capabilities.roots !== undefined);
}

function sample(
  { sampling_responses }: ValueMap,
  { params = {} }: PeerRequest,
  fill: Fill,
): AnswerPlan | undefined {
  const { selected, warnings } = responseFor(sampling_responses, params, fill);
  if (selected === undefined) return undefined;
  const { entry, index } = selected;
  return succeed(entry.content ?? emptyMessage, [`/sampling_responses/${index}`], warnings);
}

const emptyMessage = {
  role: 'assistant',
  content: { type: 'text', text: '' },
  model: defaultClient.name,
  stopReason: 'endTurn',
};

/** An elicitation that no entry answers is declined, as a client's user would do. */
function elicit({ elicitation_responses }: ValueMap, { params = {} }: PeerRequest, fill: Fill): AnswerPlan {
  const { selected, warnings } = responseFor(elicitation_responses, params, fill);
  if (selected === undefined) return succeed({ action: 'decline' }, [], warnings);
  const { entry, index } = selected;
  const { action = 'accept', content } = entry;
  const result = { action, ...(content !== undefined && { content }) };
  return succeed(result, [`/elicitation_responses/${index}`], warnings);
}

function succeed(
  result: Value,
  pieces: readonly string[] = [],
  warnings: readonly Diagnostic[] = [],
): AnswerPlan {
  return { steps: [], answer: (fill) => ({ kind: 'result', result: fill(result) }), warnings, pieces };
}

function notFound(method: string): AnswerPlan {
  const error = { code: methodNotFound, message: `Method not found: ${method}` };
  return { steps: [], answer: () => ({ kind: 'error', error }) };
}
