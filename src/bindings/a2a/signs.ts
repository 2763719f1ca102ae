import type { MessageRecord } from '../../model/trace.ts';
import { isCollection, isValueMap, type Value } from '../../model/value.ts';
import type { Signs } from '../../model/views.ts';
import { isBlank } from '../../primitives/is-blank.ts';
import { isClientMode } from '../../registry/modes.ts';
import { errorText, isNotUnderstood, mayRefuse } from '../json-rpc-errors.ts';
import { isMessage, isOpen, stateOf, taskIdIn } from './shapes.ts';

const messages = new Set(['message/send', 'message/stream']);

/** The signs of the agent's behaviour in an A2A message. */
export function a2aSigns(record: MessageRecord): Signs {
  // A client fetches the card before it chooses an era.
  const signs = signsOf(record);
  return record.method === 'agent_card/get' ? { ...signs, probes: true } : signs;
}

function signsOf(record: MessageRecord): Signs {
  const { mode, origin, method } = record;
  if (!isClientMode(mode)) return asServer(record);
  if (origin !== 'agent') return none;
  if (record.failed === true) {
    const trouble = `it answered ${method} with ${errorText(record)}`;
    return {
      trouble,
      ...(mayRefuse(record) && !isOfOtherEra(record) && { refuses: true }),
      ...((isNotUnderstood(record) || isOfOtherEra(record)) && { refusal: errorText(record) }),
    };
  }
  if (isLost(record)) return { trouble: 'its task is still open and has no id to poll' };
  if (isOfTask(method)) return ofAnswer(record.content);
  return isResult(record)
    ? atWork
    : { trouble: `it answered ${method} with nothing that answers it`, ...empty };
}

/** What the results of other operations have in common is that they are objects; those with a field must have it. */
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

const none: Signs = {};
const empty: Signs = { refusal: 'the answer is empty' };
const atWork: Signs = { alive: true, use: true };

/** Signs in the agent's requests to our server, and in our answers. */
function asServer({ origin, kind, method, content }: MessageRecord): Signs {
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
  return kind === 'response' && messages.has(method) && isOpen(content) && taskIdIn(content) === undefined;
}

function isOfTask(method: string): boolean {
  return (
    messages.has(method) ||
    method.startsWith('task/') ||
    method === 'tasks/get' ||
    method === 'tasks/resubscribe'
  );
}

/** States in which the agent has answered: the task is done, rejected, or waits for the user. */
const answered: ReadonlySet<Value | undefined> = new Set(['completed', 'input-required', 'rejected']);
const troubled: ReadonlySet<Value | undefined> = new Set(['failed', 'canceled', 'auth-required', 'unknown']);

function ofAnswer(content: Value): Signs {
  if (!isValueMap(content)) return { trouble: 'it answered with nothing', ...empty };
  const state = stateOf(content);
  if (answered.has(state)) return atWork;
  if (troubled.has(state))
    return { trouble: `its task is ${String(state)}`, ...(state === 'failed' && { refuses: true }) };
  if (state !== undefined) return none;
  const { artifact } = content;
  if (isMessage(content))
    return saysSomething(content) ? atWork : { trouble: 'it answered with a blank message' };
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
