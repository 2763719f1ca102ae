import type { AgentActivity, ListPage, NamedThing } from '../../../format/model/binding-views.ts';
import { isBlank } from '../../../format/model/escape-invisible.ts';
import type { MessageRecord } from '../../../format/model/trace-record.ts';
import { isCollection, isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { sendPush } from '../../../format/registry/a2a/a2a-era.ts';
import { isClientMode } from '../../../format/registry/known-modes.ts';
import { formatAnswerError, isNotUnderstood, mayRefuse } from '../json-rpc-errors.ts';
import { isA2aMessage, isOpenTask, readStateOfTask, readTaskId } from './a2a-shapes.ts';

const messages = new Set(['message/send', 'message/stream']);

/** Reads what an A2A message shows of the agent. */
export function readA2aActivity(record: MessageRecord): AgentActivity {
  // A client fetches the card before it chooses an era.
  const activity = readRecordActivity(record);
  return record.method === 'agent_card/get' ? { ...activity, probes: true } : activity;
}

function readRecordActivity(record: MessageRecord): AgentActivity {
  const { mode, origin, method, content } = record;
  if (!isClientMode(mode)) return readServerActivity(record);
  if (origin !== 'agent') return none;
  if (record.failed === true) {
    const trouble = `it answered ${method} with ${formatAnswerError(record)}`;
    const capability = Object.entries(capabilityOf).find(([operation]) => method.startsWith(operation))?.[1];
    return {
      trouble,
      ...(capability !== undefined && { denies: nameCapability(capability) }),
      ...(mayRefuse(record) && !isOfOtherEra(record) && { refuses: true }),
      ...((isNotUnderstood(record) || isOfOtherEra(record)) && { refusal: formatAnswerError(record) }),
    };
  }
  // That a notification was taken does not show that the agent has read it.
  if (method === sendPush) return none;
  if (isLost(record)) return { trouble: 'its task is still open and has no id to poll' };
  if (isOfTask(method)) return readAnswerActivity(record.content);
  if (!isResult(record)) return { trouble: `it answered ${method} with nothing that answers it`, ...empty };
  return method === 'agent_card/get' ? { ...atWork, pages: [listCapabilities(content)] } : atWork;
}

const kind = 'capability';

/** What an agent's card must declare so that the agent has an operation, by the beginning of its name. */
const capabilityOf: { readonly [operation: string]: string } = {
  'message/stream': 'streaming',
  'tasks/resubscribe': 'streaming',
  'tasks/pushNotificationConfig/': 'pushNotifications',
  'agent/getAuthenticatedExtendedCard': 'extendedAgentCard',
};

function nameCapability(name: string): NamedThing {
  return { kinds: [kind], name, label: `the capability "${name}"` };
}

/** Before 1.0, the extended card was announced outside the capabilities. */
function listCapabilities(card: Value): ListPage {
  const { capabilities = {}, supportsAuthenticatedExtendedCard = false } = isValueMap(card) ? card : {};
  const declared: ValueMap = {
    extendedAgentCard: supportsAuthenticatedExtendedCard,
    ...(isValueMap(capabilities) && capabilities),
  };
  return { kind, names: Object.keys(declared).filter((name) => declared[name] === true) };
}

/** The field that the result of each operation must have. Any other result only has to be an object. */
const fieldOf: { readonly [method: string]: string } = {
  'tasks/cancel': 'status',
  'agent_card/get': 'name',
  'agent/getAuthenticatedExtendedCard': 'name',
};

/** Before 1.0, a list was a bare array. A removal has no result. */
function isResult({ method, content }: MessageRecord): boolean {
  if (method === 'tasks/pushNotificationConfig/delete') return true;
  const field = Object.hasOwn(fieldOf, method) ? fieldOf[method] : undefined;
  if (field === undefined) return isCollection(content);
  return isValueMap(content) && (content[field] ?? null) !== null;
}

/** The request was refused for its version or a missing extension before its content was read. */
function isOfOtherEra({ content }: MessageRecord): boolean {
  return isValueMap(content) && (content.code === -32008 || content.code === -32009);
}

const none: AgentActivity = {};
const empty: AgentActivity = { refusal: 'the answer is empty' };
const atWork: AgentActivity = { alive: true, use: true };

/** Reads the activity in the agent's requests to our server, and in our answers. */
function readServerActivity({ origin, kind, method, content }: MessageRecord): AgentActivity {
  if (origin !== 'agent') return kind === 'response' && messages.has(method) ? { use: true } : none;
  if (kind !== 'request') return none;
  const wantsPush = method === 'tasks/pushNotificationConfig/set' || hasPushConfig(content);
  return { ...(messages.has(method) && atWork), ...(wantsPush && { surface: 'push' }) };
}

function hasPushConfig(content: Value): boolean {
  const configuration = isValueMap(content) ? content.configuration : undefined;
  return isValueMap(configuration) && configuration.pushNotificationConfig !== undefined;
}

/** A task that is still open and has no id cannot be followed, so its result is lost. */
function isLost({ kind, method, content }: MessageRecord): boolean {
  return kind === 'response' && messages.has(method) && isOpenTask(content) && readTaskId(content) === undefined;
}

function isOfTask(method: string): boolean {
  return messages.has(method) || method.startsWith('task/') || method === 'tasks/get' || method === 'tasks/resubscribe';
}

/** States in which the agent has answered: the task is done, rejected, or waits for the user. */
const answered: ReadonlySet<Value | undefined> = new Set(['completed', 'input-required', 'rejected']);
const troubled: ReadonlySet<Value | undefined> = new Set(['failed', 'canceled', 'auth-required', 'unknown']);

function readAnswerActivity(content: Value): AgentActivity {
  if (!isValueMap(content)) return { trouble: 'it answered with nothing', ...empty };
  const state = readStateOfTask(content);
  if (answered.has(state)) return atWork;
  if (troubled.has(state))
    return { trouble: `its task is ${String(state)}`, ...(state === 'failed' && { refuses: true }) };
  if (state !== undefined) return none;
  const { artifact } = content;
  if (isA2aMessage(content)) return saysSomething(content) ? atWork : { trouble: 'it answered with a blank message' };
  if (isValueMap(artifact)) return saysSomething(artifact) ? atWork : none;
  return {
    trouble: 'its answer is neither a task nor a message',
    refusal: 'the answer is neither a task nor a message',
  };
}

/** Text that is not blank, or a non-text part that is not empty. */
function saysSomething({ parts }: { readonly parts?: Value }): boolean {
  return Array.isArray(parts) && (parts as readonly Value[]).some(holdsSomething);
}

/** Fields of a part that are not its content. */
const labels = new Set(['kind', 'type', 'metadata', 'filename', 'mediaType']);

function holdsSomething(part: Value): boolean {
  return isValueMap(part) && Object.entries(part).some(([key, value]) => !labels.has(key) && !isEmpty(value));
}

function isEmpty(value: Value): boolean {
  if (typeof value === 'string') return isBlank(value);
  return value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}
