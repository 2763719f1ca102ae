import type { PeerRequest, Plan, PlanStep, ServerBinding } from '../../engine/binding.ts';
import type { Answer } from '../../engine/messages.ts';
import type { MatchPredicate } from '../../model/document.ts';
import type { Diagnostic } from '../../model/errors.ts';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { evaluatePredicate } from '../../primitives/evaluate-predicate.ts';
import { selectResponse } from '../../primitives/select-response.ts';
import { mcpViews } from './views.ts';

// §7.1.4. What stands in the state passes through as it is; only the keys that OATF adds are taken out.

export const mcpServer: ServerBinding = {
  mode: 'mcp_server',
  protocol: 'mcp',
  views: mcpViews,
  isNotification: (method) => method.startsWith('notifications/'),
  plan(request, state) {
    const handler = Object.hasOwn(handlers, request.method) ? handlers[request.method] : undefined;
    return handler === undefined
      ? fail(methodNotFound, `Method not found: ${request.method}`)
      : handler(isValueMap(state) ? state : {}, request);
  },
};

type Handler = (state: ValueMap, request: PeerRequest) => Plan;

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

function callTool(state: ValueMap, request: PeerRequest): Plan {
  const tool = named(state.tools, request.params);
  if (tool === undefined) return fail(invalidParams, `Unknown tool: ${String(nameIn(request.params))}`);
  const entry = responseFor(tool, request);
  const { result, warnings } = toolResult(entry);
  return { steps: stepsFor(state, request), answer: { kind: 'result', result }, warnings };
}

/** An object goes out as it is; a bare list is the result's `content`. */
function toolResult(entry: ValueMap | undefined): { result: Value; warnings: readonly Diagnostic[] } {
  const content = entry?.content;
  if (entry === undefined || content === undefined)
    return { result: { content: [] }, warnings: synthesized(entry) };
  const beside = ['isError', 'structuredContent'].filter((key) => entry[key] !== undefined);
  const base = isValueMap(content) ? content : { content };
  if (beside.length === 0) return { result: base, warnings: synthesized(entry) };
  const carried = Object.fromEntries(beside.map((key) => [key, entry[key] as Value]));
  return {
    result: { ...base, ...carried },
    warnings: [
      ...synthesized(entry),
      {
        severity: 'warning',
        code: 'O-103',
        message: `${beside.join(' and ')} stands beside \`content\`; it is carried into the result, where it belongs`,
      },
    ],
  };
}

function synthesized(entry: ValueMap | undefined): readonly Diagnostic[] {
  if (entry?.synthesize === undefined || entry.synthesize === null) return [];
  return [
    {
      severity: 'warning',
      code: 'W-006',
      message: '`synthesize` is reserved; `content` is used, if there is any',
    },
  ];
}

function getPrompt(state: ValueMap, request: PeerRequest): Plan {
  const prompt = named(state.prompts, request.params);
  if (prompt === undefined) return fail(invalidParams, `Unknown prompt: ${String(nameIn(request.params))}`);
  const entry = responseFor(prompt, request);
  const warnings = synthesized(entry);
  const { when: _when, synthesize: _synthesize, content, messages, ...rest } = entry ?? {};
  // The format's word is `messages`; documents that write a whole result under `content` mean the same.
  const result = isValueMap(content) ? content : { ...rest, messages: messages ?? content ?? [] };
  return { steps: stepsFor(state, request), answer: { kind: 'result', result }, warnings };
}

function readResource(state: ValueMap, request: PeerRequest): Plan {
  const uri = isValueMap(request.params) ? request.params.uri : undefined;
  const resource = mapsOf(state.resources).find((candidate) => candidate.uri === uri);
  if (resource === undefined)
    return failWith({ code: resourceNotFound, message: 'Resource not found', data: { uri: uri ?? null } });
  return succeed({ contents: contentsOf(resource) });
}

/** Wraps what stands in `content` into the wire's list of contents. */
function contentsOf(resource: ValueMap): Value {
  const { content, uri, mimeType } = resource;
  const items: readonly Value[] = Array.isArray(content)
    ? content
    : content === undefined
      ? []
      : [content as Value];
  return items.map((item) => {
    const typed = mimeType === undefined ? {} : { mimeType };
    const fields = isValueMap(item) ? item : { text: String(item) };
    return { uri: uri ?? null, ...typed, ...fields };
  });
}

/** Server-initiated requests and progress during a call: each whose `when` holds for the request. */
function stepsFor(state: ValueMap, request: PeerRequest): readonly PlanStep[] {
  return [
    ...progressSteps(state, request),
    ...samplingSteps(state, request),
    ...elicitationSteps(state, request),
  ];
}

function elicitationSteps(state: ValueMap, request: PeerRequest): readonly PlanStep[] {
  return applicable(state.elicitations, request).map((params) => ({
    kind: 'ask',
    method: 'elicitation/create',
    params:
      params.mode === 'url' && params.elicitationId === undefined
        ? {
            ...params,
            elicitationId: `elicitation-${hash(JSON.stringify([params, request.params ?? null]))}`,
          }
        : params,
  }));
}

/** An extension of ours, shaped like `elicitations`. */
function samplingSteps(state: ValueMap, request: PeerRequest): readonly PlanStep[] {
  return applicable(state.sampling_requests, request).map((params) => ({
    kind: 'ask',
    method: 'sampling/createMessage',
    params,
  }));
}

/** An extension of ours: progress values for the token that the caller gave. */
function progressSteps(state: ValueMap, request: PeerRequest): readonly PlanStep[] {
  const meta = isValueMap(request.params) ? request.params._meta : undefined;
  const token = isValueMap(meta) ? meta.progressToken : undefined;
  if (token === undefined) return [];
  return applicable(state.progress, request).flatMap(({ values }) =>
    mapsOf(values).map((value) => ({
      kind: 'notify' as const,
      method: 'notifications/progress',
      params: { progressToken: token, ...value },
    })),
  );
}

function applicable(entries: Value | undefined, { params }: PeerRequest): readonly ValueMap[] {
  return mapsOf(entries).flatMap(({ when, ...rest }) =>
    when === undefined || when === null || evaluatePredicate(when as MatchPredicate, params ?? {})
      ? [rest]
      : [],
  );
}

function responseFor(owner: ValueMap, { params }: PeerRequest): ValueMap | undefined {
  return selectResponse(
    mapsOf(owner.responses) as readonly (ValueMap & { when?: MatchPredicate })[],
    params ?? {},
  );
}

function named(items: Value | undefined, params: Value | undefined): ValueMap | undefined {
  const name = nameIn(params);
  return mapsOf(items).find((item) => item.name === name);
}

function nameIn(params: Value | undefined): Value | undefined {
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

/** Enough to tell one elicitation from another, and the same in every run of the same attack. */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193) >>> 0;
  return value.toString(16).padStart(8, '0');
}

function succeed(result: Value): Plan {
  return { steps: [], answer: { kind: 'result', result } };
}

function fail(code: number, message: string): Plan {
  return failWith({ code, message });
}

function failWith(error: Value): Plan {
  const answer: Answer = { kind: 'error', error };
  return { steps: [], answer };
}
