import type { AgentActivity } from '../../../format/model/binding-views.ts';
import type { MessageRecord } from '../../../format/model/trace-record.ts';
import { isCollection, isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { isClientMode } from '../../../format/registry/known-modes.ts';
import { mcp2026 } from '../../../format/registry/mcp-2026.ts';
import { formatAnswerError, isNotUnderstood, mayRefuse } from '../json-rpc-errors.ts';
import { readListChange, readMcpInventory, readNamedThing } from './mcp-inventory.ts';

/** Methods by which an agent uses what a server offers. */
const uses = new Set(['tools/call', 'resources/read', 'prompts/get', 'tasks/result']);
/** Since 2026-07-28 the result of a call stands in the task itself. */
const taskUses = new Set(['tasks/get', 'tasks/update']);
/** Methods that concern only the connection and show nothing of the agent's behaviour. */
const formalities = new Set(['initialize', 'ping', 'server/discover', 'subscriptions/listen']);

/** Reads what an MCP message shows of the agent. */
export function readMcpActivity(record: MessageRecord): AgentActivity {
  const { mode, origin, kind } = record;
  if (origin === 'attacker') return readOwnMessageActivity(record);
  if (kind === 'response')
    return isClientMode(mode)
      ? { ...readActionAnswerActivity(record), ...readMcpInventory(record) }
      : readQuestionAnswerActivity(record);
  if (kind === 'request') return isClientMode(mode) ? readAgentRequestActivity(record) : readRequestActivity(record);
  return isClientMode(mode) ? readListChange(record) : readCancellation(record);
}

const none: AgentActivity = {};
const used: AgentActivity = { use: true };
const atWork: AgentActivity = { alive: true, use: true };

/**
 * Since 2026-07-28 a question is part of an answer, and a client that refuses it need not call again. So the question
 * counts as delivered if the client declares that it takes such questions.
 */
function readOwnMessageActivity({ mode, kind, method, era }: MessageRecord): AgentActivity {
  if (kind === 'response') return isUse(method, era) ? used : none;
  const [capability = ''] = method.split('/');
  return kind === 'request' && era === mcp2026 && !isClientMode(mode) ? { answersIfDeclared: capability } : none;
}

function isUse(method: string, era: string | undefined): boolean {
  return uses.has(method) || (era === mcp2026 && taskUses.has(method));
}

function readRequestActivity({ method, content, era }: MessageRecord): AgentActivity {
  if (method === 'initialize') return { declares: listCapabilities(content) };
  if (method === 'server/discover') return { probes: true };
  if (method === 'subscriptions/listen') return none;
  const slash = method.indexOf('/');
  const surface = slash < 0 ? method : method.slice(0, slash);
  if (isUse(method, era)) return { alive: true, use: true, surface };
  // A further page belongs to the list that was requested before.
  const isPage = isValueMap(content) && content.cursor !== undefined;
  const [operation] = method.slice(surface.length + 1).split('/', 1);
  return operation === 'list' && !isPage ? { surface, lists: true } : { surface };
}

function listCapabilities(content: MessageRecord['content']): readonly string[] {
  const capabilities = isValueMap(content) ? content.capabilities : undefined;
  return isValueMap(capabilities) ? Object.keys(capabilities) : [];
}

/** A client that has cancelled a request reads no answer to it. */
function readCancellation({ method, content }: MessageRecord): AgentActivity {
  const id = method === 'notifications/cancelled' && isValueMap(content) ? content.requestId : undefined;
  return id === undefined ? none : { cancels: id };
}

/** MCP's code for a question that the user rejects. */
const rejected = -1;

/** A declined elicitation and a rejected sampling request are answers. Another error, or an answer to nothing, is not. */
function readQuestionAnswerActivity(record: MessageRecord): AgentActivity {
  const { method, failed, content } = record;
  if (formalities.has(method)) return none;
  if (isNotUnderstood(record)) return { refusal: formatAnswerError(record) };
  const [surface = ''] = method.split('/');
  const isRejected = isValueMap(content) && content.code === rejected;
  if (failed === true) return { surface, ...(isRejected ? atWork : readErrorActivity(record)) };
  return { surface, ...(isResult(record) ? atWork : describeEmptyAnswer(method)) };
}

function readActionAnswerActivity(record: MessageRecord): AgentActivity {
  const { method, failed } = record;
  if (failed === true) return readErrorActivity(record);
  if (formalities.has(method)) return none;
  if (!isResult(record)) return describeEmptyAnswer(method);
  if (isUnknownTool(record)) return describeUnknownTool(record);
  if (isUnasking(record)) return { trouble: `it only asks for another round of ${method}` };
  const status = readTaskStatus(record);
  return status === undefined ? atWork : readTaskActivity(status, record);
}

function readErrorActivity(record: MessageRecord): AgentActivity {
  return {
    trouble: `it answered ${record.method} with ${formatAnswerError(record)}`,
    ...(mayRefuse(record) && { refuses: true }),
    ...(isNotUnderstood(record) && { refusal: formatAnswerError(record) }),
  };
}

function describeEmptyAnswer(method: string): AgentActivity {
  const trouble = `it answered ${method} with nothing that answers it`;
  return { trouble, refusal: 'the answer has nothing that answers it' };
}

/** The words in which servers say within a result that they have no such tool. */
const unknownTool =
  /\b(?:unknown|no such|unrecognized) tool\b|\btool\b.{0,80}\b(?:not found|unknown|does not exist|is not (?:available|registered))\b/i;

/** Whether a result says that there is no tool with the name that was called. Many servers do not use an error for that. */
function isUnknownTool({ method, content, request }: MessageRecord): boolean {
  if (!isValueMap(content) || content.isError !== true || !Array.isArray(content.content)) return false;
  const name = readNamedThing(method, request)?.name;
  const [first] = content.content as readonly Value[];
  const text = isValueMap(first) && typeof first.text === 'string' ? first.text.slice(0, 500) : '';
  return name !== undefined && text.includes(name) && unknownTool.test(text.replaceAll(name, ''));
}

function describeUnknownTool({ method }: MessageRecord): AgentActivity {
  const trouble = `it answered ${method} with a result that says that there is no such tool`;
  return { trouble, refuses: true, refusal: 'the answer says that there is no such tool' };
}

/** The fields of which a result has at least one. A result without them answers nothing, whatever else it has. */
const called = ['content', 'structuredContent', 'toolResult'];
const fieldsOf: { readonly [method: string]: readonly string[] } = {
  'tools/call': called,
  'tasks/result': called,
  'tools/list': ['tools'],
  'resources/list': ['resources'],
  'resources/templates/list': ['resourceTemplates'],
  'resources/read': ['contents'],
  'prompts/list': ['prompts'],
  'prompts/get': ['messages'],
  'completion/complete': ['completion'],
  'tasks/list': ['tasks'],
  'tasks/get': ['status'],
  'roots/list': ['roots'],
  'sampling/createMessage': ['content'],
  'elicitation/create': ['action'],
};

/** The answers that a user can give to an elicitation. */
const actions: ReadonlySet<unknown> = new Set(['accept', 'decline', 'cancel']);

/** Fields that are no list and no object. */
const isFilled: { readonly [field: string]: (value: Value) => boolean } = {
  action: (value) => actions.has(value),
  status: (value) => typeof value === 'string',
  structuredContent: (value) => value !== null,
};

function has(content: ValueMap, field: string): boolean {
  const value = content[field];
  return value !== undefined && (isFilled[field] ?? isCollection)(value);
}

/** Since 2026-07-28, a question or a task may take the place of a result. Clients must not accept other types. */
function isResult({ method, content, era }: MessageRecord): boolean {
  if (!isValueMap(content)) return false;
  const type = era === mcp2026 ? (content.resultType ?? 'complete') : 'complete';
  if (type === 'task') return has(content, 'status');
  if (type !== 'complete') return type === 'input_required';
  // Before 2026-07-28, the task of a call stood in a field of its own.
  if (method === 'tools/call' && isValueMap(content.task)) return has(content.task, 'status');
  const fields = Object.hasOwn(fieldsOf, method) ? fieldsOf[method] : undefined;
  return fields === undefined || fields.some((field) => has(content, field));
}

/**
 * Since 2026-07-28 a server can ask for the same call again and again without asking any question, so nothing is
 * answered.
 */
function isUnasking({ content, era }: MessageRecord): boolean {
  if (era !== mcp2026 || !isValueMap(content) || content.resultType !== 'input_required') return false;
  const { inputRequests } = content;
  const asked = isValueMap(inputRequests) ? Object.values(inputRequests) : [];
  return !asked.some((each) => isValueMap(each) && typeof each.method === 'string');
}

/** The status of a task. A call answered with a task has no result yet. */
function readTaskStatus({ method, content, era }: MessageRecord): Value | undefined {
  if (!isValueMap(content)) return undefined;
  if (method === 'tasks/get' || (era === mcp2026 && content.resultType === 'task')) return content.status;
  return method === 'tools/call' && isValueMap(content.task) ? content.task.status : undefined;
}

/** A completed task shows nothing of the agent until the result of its call is fetched. */
function readTaskActivity(status: Value, { method, content }: MessageRecord): AgentActivity {
  if (status === 'failed') return { trouble: 'its task failed', refuses: true };
  const hasResult = method === 'tasks/get' || (isValueMap(content) && content.result !== undefined);
  return status === 'input_required' || (status === 'completed' && hasResult) ? atWork : none;
}

/** A request that the agent makes of our client. */
function readAgentRequestActivity({ method }: MessageRecord): AgentActivity {
  return formalities.has(method) ? none : atWork;
}
