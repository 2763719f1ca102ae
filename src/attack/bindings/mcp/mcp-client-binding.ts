import type { Diagnostic } from '../../../format/model/errors.ts';
import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import type { Act, Acts, AnswerPlan, ClientBinding, Fill, PeerRequest, Reader } from '../../engine/binding.ts';
import { dispatchResponse } from '../response-dispatch.ts';
import { mcpViews } from './mcp-views.ts';

// Format spec §7.1.5: we are the client. Requests go out as written; the server's requests are answered from the state.

/** MCP, the client’s side: the requests of an `mcp_client` actor, and how it answers the server. */
export const mcpClient: ClientBinding = {
  mode: 'mcp_client',
  protocol: 'mcp',
  views: mcpViews,
  isTimed: true,
  hasIds: true,
  opening: (state) => ({ acts: planHandshake(isValueMap(state) ? state : {}) }),
  acts: (state) => compileMcpActions(isValueMap(state) ? state.actions : undefined),
  isNotification,
  plan(request, state, fill) {
    const handler = Object.hasOwn(handlers, request.method) ? handlers[request.method] : undefined;
    return handler?.(isValueMap(state) ? state : {}, request, fill) ?? planClientMethodNotFound(request.method);
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

function planHandshake(state: ValueMap): readonly Act[] {
  const { protocol_version = defaultVersion, capabilities = defaultCapabilities, client_info = defaultClient } = state;
  const params = {
    // OATF 0.1 has no such key for clients, but documents that test downgrades need one.
    protocolVersion: protocol_version,
    capabilities,
    clientInfo: client_info,
  };
  const pieces = introductions.filter((key) => state[key] !== undefined).map((key) => `/${key}`);
  return [
    { method: 'initialize', content: (fill) => fill(params), pieces },
    { method: 'notifications/initialized', content: () => undefined, isNotification: true },
  ];
}

function compileMcpActions(list: Value | undefined): Acts {
  const warnings: Diagnostic[] = [];
  const acts = (Array.isArray(list) ? (list as readonly Value[]) : []).flatMap((action, index) => {
    if (isValueMap(action) && typeof action.method === 'string')
      return [compileMcpAct(action.method, action, `/actions/${index}`)];
    const message = `\`actions[${index}]\` has no method, so it is skipped`;
    warnings.push({ severity: 'warning', code: 'O-111', message });
    return [];
  });
  return { acts, warnings };
}

/** Templates are filled in when the action is sent: they may refer to the answer to the action before it. */
function compileMcpAct(written: string, { params, headers }: ValueMap, piece: string): Act {
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
  ping: () => planClientResult({}),
  'roots/list': ({ roots, capabilities }) => {
    if (roots !== undefined) return planClientResult({ roots }, ['/roots']);
    return isRootsDeclared(capabilities) ? planClientResult({ roots: [] }) : undefined;
  },
  'sampling/createMessage': planSampling,
  'elicitation/create': planElicitation,
};

function isRootsDeclared(capabilities: Value | undefined): boolean {
  return capabilities === undefined || (isValueMap(capabilities) && capabilities.roots !== undefined);
}

function planSampling(
  { sampling_responses }: ValueMap,
  { params = {} }: PeerRequest,
  fill: Fill,
): AnswerPlan | undefined {
  const { selected, warnings } = dispatchResponse(sampling_responses, params, fill);
  if (selected === undefined) return undefined;
  const { index } = selected;
  const { content = emptyMessage } = selected.entry;
  return planClientResult(content, [`/sampling_responses/${index}`], warnings);
}

const emptyMessage = {
  role: 'assistant',
  content: { type: 'text', text: '' },
  model: defaultClient.name,
  stopReason: 'endTurn',
};

/** An elicitation that no entry answers is declined, as a client's user would do. */
function planElicitation({ elicitation_responses }: ValueMap, { params = {} }: PeerRequest, fill: Fill): AnswerPlan {
  const { selected, warnings } = dispatchResponse(elicitation_responses, params, fill);
  if (selected === undefined) return planClientResult({ action: 'decline' }, [], warnings);
  const { entry, index } = selected;
  const { action = 'accept', content } = entry;
  const result = { action, ...(content !== undefined && { content }) };
  return planClientResult(result, [`/elicitation_responses/${index}`], warnings);
}

function planClientResult(
  result: Value,
  pieces: readonly string[] = [],
  warnings: readonly Diagnostic[] = [],
): AnswerPlan {
  return { steps: [], answer: (fill) => ({ kind: 'result', result: fill(result) }), warnings, pieces };
}

function planClientMethodNotFound(method: string): AnswerPlan {
  const error = { code: methodNotFound, message: `Method not found: ${method}` };
  return { steps: [], answer: () => ({ kind: 'error', error }) };
}
