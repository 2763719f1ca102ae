import type { AnswerPlan, Fill, PeerRequest, PlanContext, ServerBinding } from '../../engine/binding.ts';
import type { Diagnostic } from '../../model/errors.ts';
import { GeneratedValue } from '../../model/generated-value.ts';
import { isValueMap, ownValue, type Value, type ValueMap } from '../../model/value.ts';
import { deepEquals } from '../../primitives/deep-equals.ts';
import { mcp2026 } from '../../registry/mcp-2026.ts';
import { isAskedByClients, isGoneIn } from '../../registry/operations.ts';
import { erasOf } from '../../registry/protocols.ts';
import { responseFor } from '../response-dispatch.ts';
import type { ServedEra } from '../served-era.ts';
import { entriesOf } from '../state-pieces.ts';
import { discover, eraRefusal, inEra2026, listen } from './era-2026.ts';
import { forbiddenSend, paramMismatch } from './forbidden-2026.ts';
import { interludesFor, stepsOf } from './interludes.ts';
import { introduction, introductionPieces, serverInfo } from './introductions.ts';
import { fail, invalidParams, resultOf, succeed } from './plans.ts';
import { saidWithin2026, unheardSince2026 } from './said-within-2026.ts';
import { asksForTask, createTask, taskHandlers } from './tasks.ts';
import { taskFor, taskHandlers2026 } from './tasks-2026.ts';
import { agreedVersion } from './versions.ts';
import { mcpViews } from './views.ts';

// Format spec §7.1.4. Values of the state pass through as they are; only the keys that OATF adds are removed.

/** MCP, the server’s side: how an `mcp_server` actor answers. */
export function mcpServerOf(forced: ServedEra): ServerBinding {
  return {
    mode: 'mcp_server',
    protocol: 'mcp',
    views: mcpViews,
    isPeersToo: (method) => isAskedByClients('mcp', method),
    isNotification: (method) => method.startsWith('notifications/'),
    plan(request, written, fill, context) {
      const state = isValueMap(written) ? written : {};
      const refused = eraRefusal(request, state, forced);
      if (refused !== undefined) return refused;
      const plan = planFor(request, state, fill, context);
      return request.era === mcp2026 ? inEra2026(plan, request, state) : plan;
    },
    pageKeys: { asked: 'cursor', next: 'nextCursor' },
    givesUp: (method, params) =>
      method === 'notifications/cancelled' && isValueMap(params) ? params.requestId : undefined,
    entryAction: (name, value) => forbiddenSend(name, value),
    isUnheard: (event, era) => era === mcp2026 && unheardSince2026.has(event),
    saidWithin: (request, written, context) =>
      request.era === mcp2026 && eraRefusal(request, isValueMap(written) ? written : {}, forced) === undefined
        ? saidWithin2026(request, context)
        : undefined,
  };
}

/** The server binding that leaves the era to its peers. */
export const mcpServer: ServerBinding = mcpServerOf('both');

function planFor(request: PeerRequest, state: ValueMap, fill: Fill, context: PlanContext): AnswerPlan {
  const { method, era = firstEra } = request;
  if (isGoneIn('mcp', era, method)) return notFound(method);
  const handler = ownValue(handlers, method);
  if (handler !== undefined) return handler(state, request, fill, context);
  const ofTasks = ownValue(era === mcp2026 ? taskHandlers2026 : taskHandlers, method);
  return ofTasks?.(request, context) ?? notFound(method);
}

function notFound(method: string): AnswerPlan {
  return fail({ code: methodNotFound, message: `Method not found: ${method}` });
}

/** `fill` resolves the values needed for dispatch: names, URIs and predicates. */
type Handler = (state: ValueMap, request: PeerRequest, fill: Fill, context: PlanContext) => AnswerPlan;

const methodNotFound = -32601;
const resourceNotFound = -32002;

const [firstEra = ''] = erasOf('mcp');

const handlers: { readonly [method: string]: Handler } = {
  initialize: (state, request) => {
    const { capabilities, ...rest } = introduction(state);
    const protocolVersion = agreedVersion(state, request);
    return succeed(
      { protocolVersion, capabilities: capabilities ?? {}, serverInfo: serverInfo(state), ...rest },
      introductionPieces(state),
    );
  },
  'server/discover': discover,
  'subscriptions/listen': listen,
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

function callTool(state: ValueMap, request: PeerRequest, fill: Fill, context: PlanContext): AnswerPlan {
  const tool = named(state.tools, '/tools', request, fill);
  if (tool === undefined) return fail({ code: invalidParams, message: `Unknown tool: ${nameIn(request)}` });
  const mismatch = paramMismatch(tool.entry.inputSchema, request);
  if (mismatch !== undefined) return mismatch;
  const dispatched = responseFor(tool.entry.responses, request.params ?? {}, fill);
  const { selected } = dispatched;
  const { result, warnings: misplaced } = toolResult(selected?.entry);
  const pieces = selected === undefined ? [] : [`${tool.at}/responses/${selected.index}`];
  const { interludes, warnings: late } = interludesFor(state, request, fill);
  const warnings = [...dispatched.warnings, ...misplaced, ...late];
  const { era } = request;
  const answer = { result, interludes, warnings, pieces };
  const task =
    era === mcp2026
      ? taskFor(request, selected?.entry ?? {}, answer, context)
      : asksForTask(request)
        ? createTask(request, answer, context)
        : undefined;
  return task ?? { steps: stepsOf(interludes, { era }), answer: resultOf(result), warnings, pieces };
}

/** `task` is an extension of ours. */
const ownKeys: ReadonlySet<string> = new Set(['when', 'content', 'synthesize', 'task']);

/** An object is sent as it is; a bare list becomes the result's `content`. */
function toolResult(entry: ValueMap = {}): { result: Value; warnings: readonly Diagnostic[] } {
  const { content = [] } = entry;
  const beside = Object.keys(entry).filter((key) => !ownKeys.has(key));
  const base = isValueMap(content) ? content : { content };
  if (beside.length === 0) return { result: base, warnings: [] };
  const carried = Object.fromEntries(beside.map((key) => [key, entry[key] as Value]));
  const message = `${beside.join(' and ')} beside \`content\` is moved into the result, where it belongs`;
  const misplaced: Diagnostic = { severity: 'warning', code: 'O-103', message };
  return { result: { ...base, ...carried }, warnings: [misplaced] };
}

function getPrompt(state: ValueMap, request: PeerRequest, fill: Fill): AnswerPlan {
  const prompt = named(state.prompts, '/prompts', request, fill);
  if (prompt === undefined)
    return fail({ code: invalidParams, message: `Unknown prompt: ${nameIn(request)}` });
  const { selected, warnings } = responseFor(prompt.entry.responses, request.params ?? {}, fill);
  const pieces = selected === undefined ? [] : [`${prompt.at}/responses/${selected.index}`];
  const entry = selected?.entry ?? {};
  const { when: _when, synthesize: _synthesize, content, ...rest } = entry;
  // The format's key is `messages`. Documents that write a whole result under `content` mean the same.
  const written = Object.hasOwn(rest, 'messages') ? rest : { ...rest, messages: content ?? [] };
  const result = isValueMap(content) ? content : written;
  const { interludes, warnings: late } = interludesFor(state, request, fill);
  const steps = stepsOf(interludes, { era: request.era });
  return { steps, answer: resultOf(result), warnings: [...warnings, ...late], pieces };
}

function readResource(state: ValueMap, { params, era }: PeerRequest, fill: Fill): AnswerPlan {
  const uri = isValueMap(params) ? params.uri : undefined;
  const resource = entriesOf(state.resources, '/resources').find(({ entry }) => isSame(entry.uri, uri, fill));
  if (resource === undefined)
    return fail({
      code: era === mcp2026 ? invalidParams : resourceNotFound,
      message: 'Resource not found',
      data: { uri: uri ?? null },
    });
  return succeed({ contents: contentsOf(resource.entry) }, [`${resource.at}/content`]);
}

/** Wraps the values of `content` in the wire's list of contents. */
function contentsOf({ content = null, uri = null, mimeType }: ValueMap): Value {
  const items: readonly Value[] = Array.isArray(content) ? content : content === null ? [] : [content];
  return items.map((item) => {
    const typed = mimeType === undefined ? {} : { mimeType };
    // A generated value is kept as a generator until it is written to the wire.
    const text = (item as unknown) instanceof GeneratedValue ? item : String(item);
    const fields = isValueMap(item) ? item : { text };
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

/** Clients ask with the advertised value, so the templates are filled in before comparing. */
function isSame(written: Value | undefined, asked: Value | undefined, fill: Fill): boolean {
  return written !== undefined && asked !== undefined && deepEquals(fill(written), asked);
}

function nameIn({ params }: PeerRequest): Value | undefined {
  return isValueMap(params) ? params.name : undefined;
}

/** The list as it goes onto the wire, without the key that OATF adds. */
function without(items: Value | undefined, extension?: string): Value {
  if (!Array.isArray(items)) return items ?? [];
  return items.map((item: Value) => {
    if (!isValueMap(item) || extension === undefined || !Object.hasOwn(item, extension)) return item;
    const { [extension]: _, ...rest } = item;
    return rest;
  });
}
