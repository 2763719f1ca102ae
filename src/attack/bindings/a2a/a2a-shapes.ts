import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';

// These tests recognise a document's content by its shape, because authors often leave `kind` out.

/** Format spec §7.2.4: a Task has a structured status. Content whose status is a bare string is passed on as it is. */
export function isTask(content: Value): content is ValueMap {
  if (!isValueMap(content) || (content.kind !== undefined && content.kind !== 'task')) return false;
  return isValueMap(content.status) && typeof content.status.state === 'string';
}

export function isA2aMessage(content: Value): content is ValueMap {
  if (!isValueMap(content) || content.status !== undefined) return false;
  if (content.kind !== undefined) return content.kind === 'message';
  return typeof content.role === 'string' && Array.isArray(content.parts);
}

/** What is wrong with a message that a client sends; undefined for a message that A2A allows. */
export function findMessageFault(message: Value | undefined): string | undefined {
  if (!isValueMap(message)) return '`message` is missing';
  const { messageId, role, parts } = message;
  if (typeof messageId !== 'string' || messageId === '') return '`message.messageId` is missing';
  if (role !== 'user' && role !== 'agent') return '`message.role` is neither "user" nor "agent"';
  if (!Array.isArray(parts) || parts.length === 0) return '`message.parts` is empty';
  const isWhole = (parts as readonly Value[]).every(
    (part) => isValueMap(part) && (typeof part.text === 'string' || isValueMap(part.file) || part.data !== undefined),
  );
  return isWhole ? undefined : '`message.parts` has a part without text, file or data';
}

const openStates: ReadonlySet<Value | undefined> = new Set(['submitted', 'working']);
const endStates: ReadonlySet<Value | undefined> = new Set(['completed', 'canceled', 'failed', 'rejected']);
const pauseStates: ReadonlySet<Value | undefined> = new Set(['input-required', 'auth-required']);

/** The state of a task, from a structured status or a bare string. */
export function readStateOfTask(task: Value): Value | undefined {
  if (!isValueMap(task)) return undefined;
  return isValueMap(task.status) ? task.status.state : task.status;
}

export function isKnownState(state: Value): boolean {
  return state === 'unknown' || [openStates, endStates, pauseStates].some((states) => states.has(state));
}

export function hasEnded(task: Value): boolean {
  return endStates.has(readStateOfTask(task));
}

/** Whether the agent is still working on the task. */
export function isOpenTask(task: Value): boolean {
  return openStates.has(readStateOfTask(task));
}

/** The task that an answer or an update is about. */
export function readTaskId(content: Value): string | undefined {
  return readMapText(content, 'id') ?? readMapText(content, 'taskId');
}

/** Whether the task stays as it is until the client sends something. */
export function isAtRest(task: Value): boolean {
  return hasEnded(task) || pauseStates.has(readStateOfTask(task));
}

export function readMapText(map: Value | undefined, key: string): string | undefined {
  const value = isValueMap(map) ? map[key] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** The texts of a message or an artifact. */
export function joinTextsOfParts(message: Value | undefined, between: string): string {
  if (!isValueMap(message) || !Array.isArray(message.parts)) return '';
  return message.parts.flatMap((part: Value) => readMapText(part, 'text') ?? []).join(between);
}
