import type { Diagnostic } from '../../../format/model/errors.ts';
import { isValueMap, toList, type Value, type ValueMap } from '../../../format/model/value.ts';
import { isNumeric } from '../../../format/model/written-number.ts';
import {
  a2a1,
  extensionSupportRequired,
  extensionsHeader,
  listRequiredExtensions,
  namesIn1,
  sendPush,
  splitUris,
  versionNotSupported,
} from '../../../format/registry/a2a/a2a-era.ts';
import { toOwnOperationName } from '../../../format/registry/protocol-operations.ts';
import type { Answer } from '../../engine/actor-messages.ts';
import type { AnswerPlan, PeerRequest, PlanStep, ServerBinding } from '../../engine/binding.ts';
import { dispatchResponse } from '../response-dispatch.ts';
import type { ServedEra } from '../served-era.ts';
import {
  type A2aServerMemory,
  addConfig,
  findRememberedTask,
  memoryToValue,
  readServerMemory,
  rememberTask,
} from './a2a-server-memory.ts';
import { findMessageFault, hasEnded, isTask, readMapText } from './a2a-shapes.ts';
import { filterTaskList1, findListFault, toOwnSpelling } from './a2a-spelling-1.ts';
import { a2aViews } from './a2a-views.ts';
import { type CardUrls, makeCard } from './card.ts';
import {
  errors,
  type Handler,
  type HandlerCall,
  isCapabilityDenied,
  planA2aError,
  planA2aResult,
  planForTask,
  pushConfigHandlers,
} from './handler.ts';
import { planPush } from './plan-push.ts';

// Format spec §7.2.4. Values of the state pass through as they are. Templates are filled in when the request is
// planned: the agent is asked nothing in between, and remembered values must not be filled in twice.

/** Options of an `a2a_server` actor that its document does not set. */
export interface A2aServerOptions {
  readonly cardUrls?: CardUrls | undefined;
  /** Hosts to which the operator lets documents send. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Whether agents on other machines can reach the server. If so, a loopback address that they name is not this machine. */
  readonly isExposed?: boolean | undefined;
  /** The eras that the server speaks. Default: the era of each peer. */
  readonly era?: ServedEra | undefined;
}

/** A2A, the server’s side: how an `a2a_server` actor answers. */
export function a2aServer({
  cardUrls = 'keep',
  allowedHosts = [],
  isExposed = false,
  era: served = 'both',
}: A2aServerOptions = {}): ServerBinding {
  return {
    mode: 'a2a_server',
    protocol: 'a2a',
    views: a2aViews,
    operationName: (name) => toOwnOperationName('a2a', name),
    // A server's own messages get no answer. The transport reports those that it cannot send.
    isNotification: (method) => method !== sendPush,
    entryAction: (name, value, { memory }) =>
      name === sendPush ? planPush(value, readServerMemory(memory), { allowedHosts, isExposed }) : undefined,
    plan(request, state, fill, context) {
      const handler = Object.hasOwn(handlers, request.method) ? handlers[request.method] : undefined;
      const refused = refuseOtherA2aEra(request, served);
      if (refused !== undefined) return refused;
      if (handler === undefined) return planA2aError(errors.methodNotFound, `Method not found: ${request.method}`);
      const unknown = refuseMissingExtension(request, state);
      if (unknown !== undefined) return unknown;
      const { params } = request;
      return handler({
        params: isValueMap(params) ? params : {},
        request,
        state: isValueMap(state) ? state : {},
        fill,
        context,
        memory: readServerMemory(context.memory),
        cardUrls,
        served,
      });
    },
  };
}

/** A server of one era refuses requests of the other. Its card is served to clients of both. */
function refuseOtherA2aEra({ method, era }: PeerRequest, served: ServedEra): AnswerPlan | undefined {
  const isModern = era === a2a1;
  if (served === 'both' || (served === 'modern') === isModern || method === 'agent_card/get') return undefined;
  return isModern
    ? planA2aError(errors.methodNotFound, `Method not found: ${namesIn1[method] ?? method}`)
    : planA2aError(versionNotSupported, 'A2A version 0.3 is not supported: 1.0 is');
}

/** Since 1.0 a client must support the extensions that the card requires. Before 1.0 no client is refused for that. */
function refuseMissingExtension(
  { method, era, repeated }: PeerRequest,
  state: Value | undefined,
): AnswerPlan | undefined {
  if (era !== a2a1 || method === 'agent_card/get' || !isValueMap(state)) return undefined;
  const required = listRequiredExtensions(state.agent_card);
  const known = splitUris(repeated?.[extensionsHeader] ?? '');
  const missing = required.flatMap(({ uri }) => (typeof uri === 'string' && !known.includes(uri) ? [uri] : []));
  if (missing.length === 0) return undefined;
  const list = missing.join(', ');
  const message = `${method} is refused, as A2A 1.0 requires: the card requires ${list}, and the agent does not list it in A2A-Extensions`;
  return {
    ...planA2aError(extensionSupportRequired, `Extension support required: ${list}`),
    warnings: [{ severity: 'warning', code: 'O-126', message }],
  };
}

const handlers: { readonly [method: string]: Handler } = {
  'agent_card/get': getCard,
  'agent/getAuthenticatedExtendedCard': (call) => (isExtendedCardDenied(call) ? noExtendedCard : getCard(call)),
  'message/send': (call) => respond(call, itemizeWhole),
  'message/stream': (call) => respond(call, itemizeParts),
  'tasks/get': (call) => planForTask(call, (task) => planA2aResult(cutHistory(task, call.params.historyLength))),
  'tasks/resubscribe': (call) => planForTask(call, (task) => subscribe(call, task)),
  'tasks/list': listTasks,
  'tasks/cancel': cancelTask,
  ...pushConfigHandlers,
};

/** Since 1.0 a client cannot subscribe to a task that has ended. */
function subscribe(call: HandlerCall, task: ValueMap): AnswerPlan {
  if (isCapabilityDenied(call, 'streaming')) return notStreamed;
  if (call.request.era === a2a1 && hasEnded(task))
    return planA2aError(errors.unsupportedOperation, `Task has ended: ${String(task.id)}`);
  return planStream(listStreamItems(task, () => chooseTaskIds(call)));
}

/**
 * Since 1.0 an agent has an extended card only if its card announces one. Format spec §7.2.4: before 1.0 the card is
 * served here too, unless it says that there is none.
 */
function isExtendedCardDenied({ state, request }: HandlerCall): boolean {
  const { agent_card: card = null } = state;
  if (card !== null && !isValueMap(card)) return false;
  const { capabilities, supportsAuthenticatedExtendedCard: before } = card ?? {};
  const announced = isValueMap(capabilities) ? (capabilities.extendedAgentCard ?? before) : before;
  return request.era === a2a1 ? announced !== true : announced === false;
}

const noExtendedCard = planA2aError(errors.unsupportedOperation, 'The card announces no extended card');

function getCard({ request, state, fill, context, cardUrls, served }: HandlerCall): AnswerPlan {
  const { agent_card } = state;
  const filled = agent_card === undefined || agent_card === null ? undefined : fill(agent_card);
  const eras = { wanted: request.era, served };
  const { card, warnings } = makeCard(filled, context.endpoint?.url ?? '', cardUrls, eras);
  return { ...planA2aResult(card), warnings, pieces: filled === undefined ? [] : ['/agent_card'] };
}

/** The items sent for an entry, and their place in the entry. */
interface Items {
  readonly items: readonly [Value, ...Value[]];
  readonly at: '' | '/stream';
}
type Itemize = (content: Value, written: readonly Value[], ids: () => TaskIds) => Items;

const itemizeWhole: Itemize = (content) => ({ items: [content], at: '' });

/** The stream items that the document gives, or those derived from its content. */
const itemizeParts: Itemize = (content, [first, ...others], ids) =>
  first === undefined ? { items: listStreamItems(content, ids), at: '' } : { items: [first, ...others], at: '/stream' };

function respond(call: HandlerCall, itemize: Itemize): AnswerPlan {
  const { request, state, fill, memory } = call;
  const { selected, warnings } = dispatchResponse(state.task_responses, request.params ?? {}, fill);
  const refused = selected === undefined ? refuseByDefault(call, itemize === itemizeParts) : undefined;
  if (refused !== undefined) return { ...refused, warnings };
  const ids = (): TaskIds => chooseTaskIds(call);
  const { content: whole, stream: parts } = selected?.entry ?? {};
  const written = toList(parts).map((item) => toOwnSpelling(fill(item)));
  // A document that writes the items of a stream streams them, whatever its card says.
  if (itemize === itemizeParts && written.length === 0 && isCapabilityDenied(call, 'streaming')) return notStreamed;
  const content =
    whole === undefined || whole === null
      ? (written.find(isTask) ?? createEmptyTask(ids()))
      : toOwnSpelling(fill(whole));
  const known = rememberTask(memory, content);
  const { items, at } = itemize(content, written, ids);
  const plan = planStream(items, memoryToValue(rememberPushConfig(known, content, call)), warnings);
  // A streamed answer is delivered when its last item is sent.
  return { ...plan, pieces: selected === undefined ? [] : [`/task_responses/${selected.index}${at}`] };
}

/** What A2A says of a message that no entry of the document answers; undefined if a task answers it. */
function refuseByDefault(call: HandlerCall, isStreamed: boolean): AnswerPlan | undefined {
  const { message } = call.params;
  if (isStreamed && isCapabilityDenied(call, 'streaming')) return notStreamed;
  const fault = findMessageFault(message);
  if (fault !== undefined) return planA2aError(errors.invalidParams, fault);
  const id = readMapText(message, 'taskId');
  if (id === undefined || id === '') return undefined;
  const task = findRememberedTask(call.memory, id);
  if (task === undefined) return planA2aError(errors.taskNotFound, `Task not found: ${id}`);
  return hasEnded(task) ? planA2aError(errors.unsupportedOperation, `Task has ended: ${id}`) : undefined;
}

const notStreamed = planA2aError(errors.unsupportedOperation, 'Streaming is not supported');

function createEmptyTask({ taskId, contextId }: TaskIds): ValueMap {
  return { kind: 'task', id: taskId, contextId, status: { state: 'completed' } };
}

/** A message that continues a task or a conversation keeps its ids. */
function chooseTaskIds({ params, context, memory }: HandlerCall): TaskIds {
  const known = findRememberedTask(memory, readMapText(params.message, 'taskId'));
  return {
    taskId: readMapText(known, 'id') ?? context.ids.fresh(),
    contextId: readMapText(params.message, 'contextId') ?? readMapText(known, 'contextId') ?? context.ids.fresh(),
  };
}

/** An agent may name its push address in the message that starts the task. */
function rememberPushConfig(
  memory: A2aServerMemory,
  content: Value,
  { params, request }: HandlerCall,
): A2aServerMemory {
  const { configuration } = params;
  const config = isValueMap(configuration) ? configuration.pushNotificationConfig : undefined;
  const id = readMapText(content, 'id');
  return isValueMap(config) && id !== undefined
    ? addConfig(memory, { taskId: id, config, ...(request.era !== undefined && { era: request.era }) })
    : memory;
}

function cutHistory(task: ValueMap, length: Value | undefined): ValueMap {
  const most = isNumeric(length) ? Number(length) : -1;
  if (most < 0 || !Array.isArray(task.history)) return task;
  return { ...task, history: most === 0 ? [] : (task.history as readonly Value[]).slice(-most) };
}

function listTasks({ params, memory, request }: HandlerCall): AnswerPlan {
  const { contextId } = params;
  const tasks = memory.tasks.filter((task) => contextId === undefined || task.contextId === contextId);
  if (request.era === a2a1) {
    const fault = findListFault(params);
    if (fault !== undefined) return planA2aError(errors.invalidParams, fault);
    const cut = tasks.map((task) => cutHistory(task, params.historyLength));
    return planA2aResult(filterTaskList1(cut, params));
  }
  return planA2aResult({ tasks, totalSize: tasks.length, pageSize: tasks.length, nextPageToken: '' });
}

function cancelTask(call: HandlerCall): AnswerPlan {
  return planForTask(call, (task) => {
    if (hasEnded(task)) return planA2aError(errors.taskNotCancelable, `Task not cancelable: ${String(task.id)}`);
    const status = isValueMap(task.status) ? { ...task.status, state: 'canceled' } : { state: 'canceled' };
    const canceled = { ...task, status };
    return { ...planA2aResult(canceled), memory: memoryToValue(rememberTask(call.memory, canceled)) };
  });
}

/** Every item but the last is sent as a part; the last is the answer. */
function planStream(
  items: readonly [Value, ...Value[]],
  memory?: Value,
  warnings: readonly Diagnostic[] = noWarnings,
): AnswerPlan {
  const result = items.at(-1) ?? null;
  const steps =
    items.length === 1 ? noSteps : items.slice(0, -1).map((item): PlanStep => ({ kind: 'part', content: () => item }));
  const answer = (): Answer => ({ kind: 'result', result });
  return memory === undefined ? { steps, answer, warnings } : { steps, answer, warnings, memory };
}

const noSteps: readonly PlanStep[] = [];
const noWarnings: readonly Diagnostic[] = [];

/** The ids for updates of a task that has none of its own. */
interface TaskIds {
  readonly taskId: string;
  readonly contextId: string;
}

/**
 * Format spec §7.2.4: a Task goes out as the first item; its status, its artifacts and the final status follow. A
 * Message, and any other content, is one item.
 */
export function listStreamItems(content: Value, ids: () => TaskIds): readonly [Value, ...Value[]] {
  if (!isTask(content)) return [content];
  const { id, contextId } = content;
  const made = typeof id === 'string' && typeof contextId === 'string' ? undefined : ids();
  const place = {
    taskId: readMapText(content, 'id') ?? made?.taskId ?? '',
    contextId: readMapText(content, 'contextId') ?? made?.contextId ?? '',
  };
  const updates = toList(content.artifacts)
    .filter(isValueMap)
    .map((artifact) => createArtifactUpdateEvent(place, artifact));
  const status: ValueMap = { kind: 'status-update', ...place, status: content.status ?? {} };
  return [
    content,
    // A client may stop reading at the final status, so after artifacts it is sent again, as the final one.
    ...(updates.length === 0 ? [] : [{ ...status, final: false }, ...updates]),
    { ...status, final: true },
  ];
}

function createArtifactUpdateEvent(place: TaskIds, artifact: ValueMap): ValueMap {
  return { kind: 'artifact-update', ...place, artifact, append: false, lastChunk: true };
}
