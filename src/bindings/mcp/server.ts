import type { Fill, PeerRequest, Plan, PlanContext, ServerBinding } from '../../engine/binding.ts';
import type { Diagnostic } from '../../model/errors.ts';
import { isValueMap, ownValue, type Value, type ValueMap } from '../../model/value.ts';
import { deepEquals } from '../../primitives/deep-equals.ts';
import { responseFor } from '../response-dispatch.ts';
import { entriesOf } from '../state-pieces.ts';
import { interludesFor, stepsOf } from './interludes.ts';
import { fail, invalidParams, resultOf, succeed } from './plans.ts';
import { asksForTask, createTask, taskHandlers } from './tasks.ts';
import { mcpViews } from './views.ts';

// §7.1.4. What stands in the state passes through as it is; only the keys that OATF adds are taken out.

/** MCP, the server’s side: how an `mcp_server` actor answers. */
export const mcpServer: ServerBinding = {
  mode: 'mcp_server',
  protocol: 'mcp',
  views: mcpViews,
  isNotification: (method) => method.startsWith('notifications/'),
  plan(request, state, fill, context) {
    const handler = ownValue(handlers, request.method);
    if (handler !== undefined) return handler(isValueMap(state) ? state : {}, request, fill, context);
    return (
      ownValue(taskHandlers, request.method)?.(request, context) ??
      fail({ code: methodNotFound, message: `Method not found: ${request.method}` })
    );
  },
};

/** `fill` is for what must be known to dispatch the request: names, uris and predicates. */
type Handler = (state: ValueMap, request: PeerRequest, fill: Fill, context: PlanContext) => Plan;

const methodNotFound = -32601;
const resourceNotFound = -32002;

const defaultVersion = '2025-11-25';
const olderVersions: ReadonlySet<Value | undefined> = new Set(['2025-06-18', '2025-03-26', '2024-11-05']);
const defaultServer = { name: 'oatf-server', version: '1.0.0' };
// An omitted key still declares its capability, empty; to declare less, a document writes `capabilities`.
const defaultCapabilities = {
  tools: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  prompts: { listChanged: true },
  logging: {},
  completions: {},
};

/** What a server says of itself before it is asked for anything. */
const introductions = ['protocol_version', 'capabilities', 'server_info', 'instructions'];

const handlers: { readonly [method: string]: Handler } = {
  initialize: (state, request) =>
    succeed(
      {
        protocolVersion: state.protocol_version ?? versionFor(request),
        capabilities: state.capabilities ?? defaultCapabilities,
        serverInfo: state.server_info ?? defaultServer,
        ...(state.instructions !== undefined &&
          state.instructions !== null && { instructions: state.instructions }),
      },
      introductions.filter((key) => (state[key] ?? null) !== null).map((key) => `/${key}`),
    ),
  ping: () => succeed({}),
  'tools/list': (state) => succeed({ tools: without(state.tools, 'responses') }, ['/tools/*']),
  'tools/call': callTool,
  'resources/list': (state) => succeed({ resources: without(state.resources, 'content') }, ['/resources/*']),
  'resources/templates/list': (state) =>
    succeed({ resourceTemplates: without(state.resource_templates) }, ['/resource_templates/*']),
  'resources/read': readResource,
  'resources/subscribe': () => succeed({}),
  'resources/unsubscribe': () => succeed({}),
  'prompts/list': (state) => succeed({ prompts: without(state.prompts, 'responses') }, ['/prompts/*']),
  'prompts/get': getPrompt,
  'completion/complete': () => succeed({ completion: { values: [], total: 0, hasMore: false } }),
  'logging/setLevel': () => succeed({}),
};

/** A document that names no version leaves it to the client, as far as it asks for one that there is. */
function versionFor({ params }: PeerRequest): Value {
  const asked = isValueMap(params) ? params.protocolVersion : undefined;
  return asked !== undefined && olderVersions.has(asked) ? asked : defaultVersion;
}

function callTool(state: ValueMap, request: PeerRequest, fill: Fill, context: PlanContext): Plan {
  const tool = named(state.tools, '/tools', request, fill);
  if (tool === undefined) return fail({ code: invalidParams, message: `Unknown tool: ${nameIn(request)}` });
  const dispatched = responseFor(tool.entry.responses, request.params ?? {}, fill);
  const { selected } = dispatched;
  const { result, warnings: misplaced } = toolResult(selected?.entry);
  const pieces = selected === undefined ? [] : [`${tool.at}/responses/${selected.index}`];
  const { interludes, warnings: late } = interludesFor(state, request, fill);
  const warnings = [...dispatched.warnings, ...misplaced, ...late];
  return asksForTask(request)
    ? createTask(request, { result, interludes, warnings, pieces }, context)
    : { steps: stepsOf(interludes), answer: resultOf(result), warnings, pieces };
}

/** An object goes out as it is; a bare list is the result's `content`. */
function toolResult(entry: ValueMap = {}): { result: Value; warnings: readonly Diagnostic[] } {
  const { content = [] } = entry;
  const beside = ['isError', 'structuredContent'].filter((key) => entry[key] !== undefined);
  const base = isValueMap(content) ? content : { content };
  if (beside.length === 0) return { result: base, warnings: [] };
  const carried = Object.fromEntries(beside.map((key) => [key, entry[key] as Value]));
  const message = `${beside.join(' and ')} beside \`content\` is carried into the result, where it belongs`;
  const misplaced: Diagnostic = { severity: 'warning', code: 'O-103', message };
  return { result: { ...base, ...carried }, warnings: [misplaced] };
}

function getPrompt(state: ValueMap, request: PeerRequest, fill: Fill): Plan {
  const prompt = named(state.prompts, '/prompts', request, fill);
  if (prompt === undefined)
    return fail({ code: invalidParams, message: `Unknown prompt: ${nameIn(request)}` });
  const { selected, warnings } = responseFor(prompt.entry.responses, request.params ?? {}, fill);
  const pieces = selected === undefined ? [] : [`${prompt.at}/responses/${selected.index}`];
  const entry = selected?.entry ?? {};
  const { when: _when, synthesize: _synthesize, content, ...rest } = entry;
  // The format's word is `messages`; documents that write a whole result under `content` mean the same.
  const written = Object.hasOwn(rest, 'messages') ? rest : { ...rest, messages: content ?? [] };
  const result = isValueMap(content) ? content : written;
  const { interludes, warnings: late } = interludesFor(state, request, fill);
  return { steps: stepsOf(interludes), answer: resultOf(result), warnings: [...warnings, ...late], pieces };
}

function readResource(state: ValueMap, { params }: PeerRequest, fill: Fill): Plan {
  const uri = isValueMap(params) ? params.uri : undefined;
  const resource = entriesOf(state.resources, '/resources').find(({ entry }) => isSame(entry.uri, uri, fill));
  if (resource === undefined)
    return fail({ code: resourceNotFound, message: 'Resource not found', data: { uri: uri ?? null } });
  return succeed({ contents: contentsOf(resource.entry) }, [`${resource.at}/content`]);
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

function named(
  items: Value | undefined,
  at: string,
  request: PeerRequest,
  fill: Fill,
): ReturnType<typeof entriesOf>[number] | undefined {
  const name = nameIn(request);
  return entriesOf(items, at).find(({ entry }) => isSame(entry.name, name, fill));
}

/** What is advertised with its templates filled in is asked for that way. */
function isSame(written: Value | undefined, asked: Value | undefined, fill: Fill): boolean {
  return written !== undefined && asked !== undefined && deepEquals(fill(written), asked);
}

function nameIn({ params }: PeerRequest): Value | undefined {
  return isValueMap(params) ? params.name : undefined;
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
