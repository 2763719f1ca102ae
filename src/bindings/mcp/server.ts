import type { Fill, PeerRequest, Plan, PlanStep, ServerBinding } from '../../engine/binding.ts';
import type { Diagnostic } from '../../model/errors.ts';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { deepEquals } from '../../primitives/deep-equals.ts';
import { evaluatePredicate } from '../../primitives/evaluate-predicate.ts';
import { responseFor, synthesized } from '../response-dispatch.ts';
import { mcpViews } from './views.ts';

// §7.1.4. What stands in the state passes through as it is; only the keys that OATF adds are taken out.

export const mcpServer: ServerBinding = {
  mode: 'mcp_server',
  protocol: 'mcp',
  views: mcpViews,
  isNotification: (method) => method.startsWith('notifications/'),
  plan(request, state, fill) {
    const handler = Object.hasOwn(handlers, request.method) ? handlers[request.method] : undefined;
    return handler === undefined
      ? fail({ code: methodNotFound, message: `Method not found: ${request.method}` })
      : handler(isValueMap(state) ? state : {}, request, fill);
  },
};

/** `fill` is for what must be known to dispatch the request: names, uris and predicates. */
type Handler = (state: ValueMap, request: PeerRequest, fill: Fill) => Plan;

const invalidParams = -32602;
const methodNotFound = -32601;
const resourceNotFound = -32002;

const defaultVersion = '2025-11-25';
const defaultServer = { name: 'oatf-server', version: '1.0.0' };
// An omitted key still declares its capability, empty; to declare less, a document writes `capabilities`.
const defaultCapabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
};

const handlers: { readonly [method: string]: Handler } = {
  initialize: (state) =>
    succeed({
      protocolVersion: state.protocol_version ?? defaultVersion,
      capabilities: state.capabilities ?? defaultCapabilities,
      serverInfo: state.server_info ?? defaultServer,
      ...(state.instructions !== undefined &&
        state.instructions !== null && { instructions: state.instructions }),
    }),
  ping: () => succeed({}),
  'tools/list': (state) => succeed({ tools: without(state.tools, 'responses') }),
  'tools/call': callTool,
  'resources/list': (state) => succeed({ resources: without(state.resources, 'content') }),
  'resources/templates/list': (state) => succeed({ resourceTemplates: without(state.resource_templates) }),
  'resources/read': readResource,
  'resources/subscribe': () => succeed({}),
  'resources/unsubscribe': () => succeed({}),
  'prompts/list': (state) => succeed({ prompts: without(state.prompts, 'responses') }),
  'prompts/get': getPrompt,
  'completion/complete': () => succeed({ completion: { values: [], total: 0, hasMore: false } }),
  'logging/setLevel': () => succeed({}),
};

function callTool(state: ValueMap, request: PeerRequest, fill: Fill): Plan {
  const tool = named(state.tools, request, fill);
  if (tool === undefined) return fail({ code: invalidParams, message: `Unknown tool: ${nameIn(request)}` });
  const entry = responseFor(tool.responses, request.params ?? {}, fill);
  const { result, warnings } = toolResult(entry);
  return { steps: stepsFor(state, request, fill), answer: resultOf(result), warnings };
}

/** An object goes out as it is; a bare list is the result's `content`. */
function toolResult(entry: ValueMap = {}): { result: Value; warnings: readonly Diagnostic[] } {
  const { content = [] } = entry;
  const beside = ['isError', 'structuredContent'].filter((key) => entry[key] !== undefined);
  const base = isValueMap(content) ? content : { content };
  if (beside.length === 0) return { result: base, warnings: synthesized(entry) };
  const carried = Object.fromEntries(beside.map((key) => [key, entry[key] as Value]));
  const message = `${beside.join(' and ')} beside \`content\` is carried into the result, where it belongs`;
  const misplaced: Diagnostic = { severity: 'warning', code: 'O-103', message };
  return { result: { ...base, ...carried }, warnings: [...synthesized(entry), misplaced] };
}

function getPrompt(state: ValueMap, request: PeerRequest, fill: Fill): Plan {
  const prompt = named(state.prompts, request, fill);
  if (prompt === undefined)
    return fail({ code: invalidParams, message: `Unknown prompt: ${nameIn(request)}` });
  const entry = responseFor(prompt.responses, request.params ?? {}, fill) ?? {};
  const { when: _when, synthesize: _synthesize, content, ...rest } = entry;
  // The format's word is `messages`; documents that write a whole result under `content` mean the same.
  const written = Object.hasOwn(rest, 'messages') ? rest : { ...rest, messages: content ?? [] };
  const result = isValueMap(content) ? content : written;
  return { steps: stepsFor(state, request, fill), answer: resultOf(result), warnings: synthesized(entry) };
}

function readResource(state: ValueMap, { params }: PeerRequest, fill: Fill): Plan {
  const uri = isValueMap(params) ? params.uri : undefined;
  const resource = mapsOf(state.resources).find((candidate) => isSame(candidate.uri, uri, fill));
  if (resource === undefined)
    return fail({ code: resourceNotFound, message: 'Resource not found', data: { uri: uri ?? null } });
  return succeed({ contents: contentsOf(resource) });
}

/** Wraps what stands in `content` into the wire's list of contents. */
function contentsOf({ content = null, uri = null, mimeType }: ValueMap): Value {
  const items: readonly Value[] = Array.isArray(content) ? content : content === null ? [] : [content];
  return items.map((item) => {
    const typed = mimeType === undefined ? {} : { mimeType };
    const fields = isValueMap(item) ? item : { text: String(item) };
    return { uri, ...typed, ...fields };
  });
}

/** Server-initiated requests and progress during a call: each whose `when` holds for the request. */
function stepsFor(state: ValueMap, request: PeerRequest, fill: Fill): readonly PlanStep[] {
  const { elicitations, sampling_requests, progress } = state;
  if (elicitations === undefined && sampling_requests === undefined && progress === undefined) return noSteps;
  return [
    ...progressSteps(state, request, fill),
    ...samplingSteps(state, request, fill),
    ...elicitationSteps(state, request, fill),
  ];
}

function elicitationSteps(state: ValueMap, request: PeerRequest, fill: Fill): readonly PlanStep[] {
  return applicable(state.elicitations, request, fill).map((entry) => ({
    kind: 'ask',
    method: 'elicitation/create',
    params(fillNow, ask) {
      const needsId = entry.mode === 'url' && (entry.elicitationId ?? null) === null;
      return fillNow(needsId ? { ...entry, elicitationId: ask } : entry);
    },
  }));
}

/** An extension of ours, shaped like `elicitations`. */
function samplingSteps(state: ValueMap, request: PeerRequest, fill: Fill): readonly PlanStep[] {
  return applicable(state.sampling_requests, request, fill).map((entry) => ({
    kind: 'ask',
    method: 'sampling/createMessage',
    params: (fillNow) => fillNow(entry),
  }));
}

/** An extension of ours: progress values for the token that the caller gave. */
function progressSteps(state: ValueMap, request: PeerRequest, fill: Fill): readonly PlanStep[] {
  const meta = isValueMap(request.params) ? request.params._meta : undefined;
  const token = isValueMap(meta) ? meta.progressToken : undefined;
  if (token === undefined) return [];
  return applicable(state.progress, request, fill).flatMap(({ values }) =>
    mapsOf(values).map(
      (value): PlanStep => ({
        kind: 'notify',
        method: 'notifications/progress',
        params: (fillNow) => ({ progressToken: token, ...(fillNow(value) as ValueMap) }),
      }),
    ),
  );
}

function applicable(entries: Value | undefined, { params }: PeerRequest, fill: Fill): readonly ValueMap[] {
  return mapsOf(entries).flatMap(({ when, ...rest }) => {
    if (when === undefined || when === null) return [rest];
    const predicate = fill(when);
    return isValueMap(predicate) && evaluatePredicate(predicate, params ?? {}) ? [rest] : [];
  });
}

function named(items: Value | undefined, request: PeerRequest, fill: Fill): ValueMap | undefined {
  const name = nameIn(request);
  if (!Array.isArray(items)) return undefined;
  return items.find((item: Value) => isValueMap(item) && isSame(item.name, name, fill));
}

/** What is advertised with its templates filled in is asked for that way. */
function isSame(written: Value | undefined, asked: Value | undefined, fill: Fill): boolean {
  return written !== undefined && asked !== undefined && deepEquals(fill(written), asked);
}

function nameIn({ params }: PeerRequest): Value | undefined {
  return isValueMap(params) ? params.name : undefined;
}

function mapsOf(items: Value | undefined): readonly ValueMap[] {
  return Array.isArray(items) ? items.filter(isValueMap) : [];
}

/** The list as it goes onto the wire: everything but the key that OATF adds. */
function without(items: Value | undefined, extension?: string): Value {
  if (!Array.isArray(items)) return items ?? [];
  return items.map((item: Value) => {
    if (!isValueMap(item) || extension === undefined || !Object.hasOwn(item, extension)) return item;
    const { [extension]: _, ...rest } = item;
    return rest;
  });
}

const noSteps: readonly PlanStep[] = [];

function succeed(result: Value): Plan {
  return { steps: noSteps, answer: resultOf(result) };
}

function resultOf(result: Value): Plan['answer'] {
  return (fill) => ({ kind: 'result', result: fill(result) });
}

/** Errors quote the peer, so they go out as they are. */
function fail(error: Value): Plan {
  return { steps: [], answer: () => ({ kind: 'error', error }) };
}
