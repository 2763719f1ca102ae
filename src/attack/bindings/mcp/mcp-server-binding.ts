import type { Diagnostic } from '../../../format/model/errors.ts';
import { getOwnValue, isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { isDeepEqual } from '../../../format/primitives/deep-equals.ts';
import { mcp2026 } from '../../../format/registry/mcp-2026.ts';
import { isAskedByClients, isGoneInEra } from '../../../format/registry/protocol-operations.ts';
import { listEras } from '../../../format/registry/protocols.ts';
import type { AnswerPlan, Fill, PeerRequest, PlanContext, ServerBinding } from '../../engine/binding.ts';
import { dispatchResponse } from '../response-dispatch.ts';
import type { ServedEra } from '../served-era.ts';
import { listPlacedEntries } from '../state-pieces.ts';
import {
  readEventsWithin2026,
  refuseParamMismatch,
  unheardSince2026,
  warnOfForbiddenSend,
} from './events-within-2026.ts';
import { collectInterludes, planInterludes } from './interludes.ts';
import { chooseVersion, createIntroduction, listIntroductionPieces, readServerInfo } from './introductions.ts';
import { planDiscovery, planSubscription, refuseOtherMcpEra, toEra2026Plan } from './mcp-2026-answers.ts';
import { createTask, isTaskRequested, taskHandlers } from './mcp-tasks.ts';
import { mcpViews } from './mcp-views.ts';
import { answerWithResult, invalidParams, planMcpError, planMcpResult } from './plans.ts';
import { planTaskAnswer, taskHandlers2026 } from './tasks-2026.ts';

// Format spec §7.1.4. Values of the state pass through as they are; only the keys that OATF adds are removed.

/** MCP, the server’s side: how an `mcp_server` actor answers. */
export function createMcpServerBinding(forced: ServedEra): ServerBinding {
  return {
    mode: 'mcp_server',
    protocol: 'mcp',
    views: mcpViews,
    isPeersToo: (method) => isAskedByClients('mcp', method),
    isNotification: (method) => method.startsWith('notifications/'),
    plan(request, written, fill, context) {
      const state = isValueMap(written) ? written : {};
      const refused = refuseOtherMcpEra(request, state, forced);
      if (refused !== undefined) return refused;
      const plan = planMcpAnswer(request, state, fill, context);
      return request.era === mcp2026 ? toEra2026Plan(plan, request, state) : plan;
    },
    pageKeys: { asked: 'cursor', next: 'nextCursor' },
    givesUp: (method, params) =>
      method === 'notifications/cancelled' && isValueMap(params) ? params.requestId : undefined,
    entryAction: (name, value) => warnOfForbiddenSend(name, value),
    isUnheard: (event, era) => era === mcp2026 && unheardSince2026.has(event),
    saidWithin: (request, written, context) =>
      request.era === mcp2026 && refuseOtherMcpEra(request, isValueMap(written) ? written : {}, forced) === undefined
        ? readEventsWithin2026(request, context)
        : undefined,
  };
}

/** The server binding that leaves the era to its peers. */
export const mcpServer: ServerBinding = createMcpServerBinding('both');

function planMcpAnswer(request: PeerRequest, state: ValueMap, fill: Fill, context: PlanContext): AnswerPlan {
  const { method, era = firstEra } = request;
  if (isGoneInEra('mcp', era, method)) return planServerMethodNotFound(method);
  const handler = getOwnValue(handlers, method);
  if (handler !== undefined) return handler(state, request, fill, context);
  const ofTasks = getOwnValue(era === mcp2026 ? taskHandlers2026 : taskHandlers, method);
  return ofTasks?.(request, context) ?? planServerMethodNotFound(method);
}

function planServerMethodNotFound(method: string): AnswerPlan {
  return planMcpError({ code: methodNotFound, message: `Method not found: ${method}` });
}

/** `fill` resolves the values needed for dispatch: names, URIs and predicates. */
type Handler = (state: ValueMap, request: PeerRequest, fill: Fill, context: PlanContext) => AnswerPlan;

const methodNotFound = -32601;
const resourceNotFound = -32002;

const [firstEra = ''] = listEras('mcp');

const handlers: { readonly [method: string]: Handler } = {
  initialize: (state, request) => {
    const { capabilities = {}, ...rest } = createIntroduction(state);
    const protocolVersion = chooseVersion(state, request);
    return planMcpResult(
      { protocolVersion, capabilities, serverInfo: readServerInfo(state), ...rest },
      listIntroductionPieces(state),
    );
  },
  'server/discover': planDiscovery,
  'subscriptions/listen': planSubscription,
  ping: () => planMcpResult({}),
  'tools/list': (state) => planMcpResult({ tools: omitKey(state.tools, 'responses') }, ['/tools/*']),
  'tools/call': callTool,
  'resources/list': (state) => planMcpResult({ resources: omitKey(state.resources, 'content') }, ['/resources/*']),
  'resources/templates/list': (state) =>
    planMcpResult({ resourceTemplates: omitKey(state.resource_templates) }, ['/resource_templates/*']),
  'resources/read': readResource,
  'resources/subscribe': () => planMcpResult({}),
  'resources/unsubscribe': () => planMcpResult({}),
  'prompts/list': (state) => planMcpResult({ prompts: omitKey(state.prompts, 'responses') }, ['/prompts/*']),
  'prompts/get': getPrompt,
  'completion/complete': () => planMcpResult({ completion: { values: [], total: 0, hasMore: false } }),
  'logging/setLevel': () => planMcpResult({}),
};

function callTool(state: ValueMap, request: PeerRequest, fill: Fill, context: PlanContext): AnswerPlan {
  const tool = findNamedEntry(state.tools, '/tools', request, fill);
  if (tool === undefined)
    return planMcpError({ code: invalidParams, message: `Unknown tool: ${readRequestedName(request)}` });
  const mismatch = refuseParamMismatch(tool.entry.inputSchema, request);
  if (mismatch !== undefined) return mismatch;
  const dispatched = dispatchResponse(tool.entry.responses, request.params ?? {}, fill);
  const { selected } = dispatched;
  const { result, warnings: misplaced } = createToolCallResult(selected?.entry);
  const pieces = selected === undefined ? [] : [`${tool.at}/responses/${selected.index}`];
  const { interludes, warnings: late } = collectInterludes(state, request, fill);
  const warnings = [...dispatched.warnings, ...misplaced, ...late];
  const { era } = request;
  const answer = { result, interludes, warnings, pieces };
  const task =
    era === mcp2026
      ? planTaskAnswer(request, selected?.entry ?? {}, answer, context)
      : isTaskRequested(request, state)
        ? createTask(request, answer, context)
        : undefined;
  return (
    task ?? {
      steps: planInterludes(interludes, context.ids, { era }),
      answer: answerWithResult(result),
      warnings,
      pieces,
    }
  );
}

/** `task` is an extension of ours. */
const ownKeys: ReadonlySet<string> = new Set(['when', 'content', 'synthesize', 'task']);

/** Any value is the result as it is; the list form of the format is its `content`. */
function createToolCallResult(entry: ValueMap = {}): { result: Value; warnings: readonly Diagnostic[] } {
  const { content = [] } = entry;
  const beside = Object.keys(entry).filter((key) => !ownKeys.has(key));
  if (beside.length === 0) return { result: Array.isArray(content) ? { content } : content, warnings: [] };
  const base = isValueMap(content) ? content : { content };
  const carried = Object.fromEntries(beside.map((key) => [key, entry[key] as Value]));
  const message = `${beside.join(' and ')} beside \`content\` is moved into the result, where it belongs`;
  const misplaced: Diagnostic = { severity: 'warning', code: 'O-103', message };
  return { result: { ...base, ...carried }, warnings: [misplaced] };
}

function getPrompt(state: ValueMap, request: PeerRequest, fill: Fill, context: PlanContext): AnswerPlan {
  const prompt = findNamedEntry(state.prompts, '/prompts', request, fill);
  if (prompt === undefined)
    return planMcpError({ code: invalidParams, message: `Unknown prompt: ${readRequestedName(request)}` });
  const { selected, warnings } = dispatchResponse(prompt.entry.responses, request.params ?? {}, fill);
  const pieces = selected === undefined ? [] : [`${prompt.at}/responses/${selected.index}`];
  const entry = selected?.entry ?? {};
  const { when: _when, synthesize: _synthesize, content = [], ...rest } = entry;
  // The format's key is `messages`. Documents that write a whole result under `content` mean the same.
  const written = Object.hasOwn(rest, 'messages') ? rest : { ...rest, messages: content };
  const isWhole = isValueMap(content) || (!Array.isArray(content) && Object.keys(rest).length === 0);
  const result = isWhole ? content : written;
  const { interludes, warnings: late } = collectInterludes(state, request, fill);
  const steps = planInterludes(interludes, context.ids, { era: request.era });
  return { steps, answer: answerWithResult(result), warnings: [...warnings, ...late], pieces };
}

function readResource(state: ValueMap, { params, era }: PeerRequest, fill: Fill): AnswerPlan {
  const uri = isValueMap(params) ? params.uri : undefined;
  const resource = listPlacedEntries(state.resources, '/resources').find(({ entry }) => isSame(entry.uri, uri, fill));
  if (resource === undefined)
    return planMcpError({
      code: era === mcp2026 ? invalidParams : resourceNotFound,
      message: 'Resource not found',
      data: { uri: uri ?? null },
    });
  return planMcpResult({ contents: wrapContents(resource.entry) }, [`${resource.at}/content`]);
}

/** Wraps the values of `content` in the wire's list of contents. Those that are not objects stay as they are. */
function wrapContents({ content = [], uri = null, mimeType }: ValueMap): Value {
  const items: readonly Value[] = Array.isArray(content) ? content : [content];
  const typed = mimeType === undefined ? {} : { mimeType };
  return items.map((item) => (isValueMap(item) ? { uri, ...typed, ...item } : item));
}

function findNamedEntry(
  items: Value | undefined,
  at: string,
  request: PeerRequest,
  fill: Fill,
): ReturnType<typeof listPlacedEntries>[number] | undefined {
  const name = readRequestedName(request);
  return listPlacedEntries(items, at).find(({ entry }) => isSame(entry.name, name, fill));
}

/** Clients ask with the advertised value, so the templates are filled in before comparing. */
function isSame(written: Value | undefined, asked: Value | undefined, fill: Fill): boolean {
  return written !== undefined && asked !== undefined && isDeepEqual(fill(written), asked);
}

function readRequestedName({ params }: PeerRequest): Value | undefined {
  return isValueMap(params) ? params.name : undefined;
}

/** The list as it goes onto the wire, without the key that OATF adds. */
function omitKey(items: Value = [], extension?: string): Value {
  if (!Array.isArray(items)) return items;
  return items.map((item: Value) => {
    if (!isValueMap(item) || extension === undefined || !Object.hasOwn(item, extension)) return item;
    const { [extension]: _, ...rest } = item;
    return rest;
  });
}
