import type { MessageRecord } from '../../model/trace.ts';
import { isValueMap, type Value } from '../../model/value.ts';
import type { Signs } from '../../model/views.ts';
import { mcp2026 } from '../../registry/mcp-2026.ts';
import { isClientMode } from '../../registry/modes.ts';
import { errorText, isNotUnderstood, mayRefuse } from '../json-rpc-errors.ts';

/** Methods by which an agent uses what a server offers. */
const uses = new Set(['tools/call', 'resources/read', 'prompts/get', 'tasks/result']);
/** Since 2026-07-28 the result of a call stands in the task itself. */
const taskUses = new Set(['tasks/get', 'tasks/update']);
/** The prefixes of the protocol's own methods. */
const surfaces = new Set(['tools', 'resources', 'prompts', 'completion', 'logging', 'tasks']);
/** Methods that concern only the connection and show nothing of the agent's behaviour. */
const formalities = new Set(['initialize', 'ping', 'server/discover', 'subscriptions/listen']);

/** The signs of the agent's behaviour in an MCP message. */
export function mcpSigns(record: MessageRecord): Signs {
  const { mode, origin, kind } = record;
  if (origin === 'attacker') return ours(record);
  if (kind === 'response') return isClientMode(mode) ? answerToAction(record) : answerToQuestion(record);
  if (kind === 'request') return isClientMode(mode) ? asked(record) : requested(record);
  return none;
}

const none: Signs = {};
const atWork: Signs = { alive: true, use: true };

/**
 * Since 2026-07-28 a question is part of an answer, and a client that refuses it need not call again. So the question
 * counts as delivered if the client declares that it takes such questions.
 */
function ours({ mode, kind, method, era }: MessageRecord): Signs {
  if (kind === 'response') return isUse(method, era) ? { use: true } : none;
  const [capability = ''] = method.split('/');
  return kind === 'request' && era === mcp2026 && !isClientMode(mode)
    ? { answersIfDeclared: capability }
    : none;
}

function isUse(method: string, era: string | undefined): boolean {
  return uses.has(method) || (era === mcp2026 && taskUses.has(method));
}

function requested({ method, content, era }: MessageRecord): Signs {
  if (method === 'initialize') return { declares: capabilitiesIn(content) };
  if (method === 'server/discover') return { probes: true };
  if (method === 'subscriptions/listen') return none;
  const [surface = '', operation] = method.split('/');
  // A further page belongs to the list that was requested before.
  const isPage = isValueMap(content) && content.cursor !== undefined;
  return {
    ...(isUse(method, era) && atWork),
    surface,
    ...(operation === 'list' && !isPage && { lists: true }),
  };
}

function capabilitiesIn(content: MessageRecord['content']): readonly string[] {
  const capabilities = isValueMap(content) ? content.capabilities : undefined;
  return isValueMap(capabilities) ? Object.keys(capabilities) : [];
}

/** A declined elicitation and a rejected sampling request are answers; "method not found" is not. */
function answerToQuestion(record: MessageRecord): Signs {
  const { method, failed } = record;
  if (formalities.has(method)) return none;
  if (isNotUnderstood(record)) return { refusal: errorText(record) };
  const [surface = ''] = method.split('/');
  return failed === true && !method.startsWith('sampling/') ? { surface } : { ...atWork, surface };
}

function answerToAction(record: MessageRecord): Signs {
  const { method, failed } = record;
  if (failed !== true) {
    if (formalities.has(method)) return none;
    if (!isResult(record))
      return { trouble: `it answered ${method} with nothing`, refusal: 'the answer is empty' };
    if (isUnasking(record)) return { trouble: `it only asks for another round of ${method}` };
    const status = taskStatus(record);
    return status === undefined ? atWork : ofTask(status);
  }
  const trouble = `it answered ${method} with ${errorText(record)}`;
  return {
    trouble,
    ...(mayRefuse(record) && { refuses: true }),
    ...(isNotUnderstood(record) && { refusal: errorText(record) }),
  };
}

/** Methods whose result is empty by definition. */
const emptyResults = new Set([
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
  'tasks/update',
  'tasks/cancel',
]);

/** Fields that any result may have since 2026-07-28. They say nothing about the thing requested. */
const envelope = new Set(['resultType', '_meta', 'ttlMs', 'cacheScope']);

/** Every result is an object. Few of the protocol's results may be empty. */
function isResult({ method, content }: MessageRecord): boolean {
  if (!isValueMap(content)) return false;
  if (emptyResults.has(method) || !surfaces.has(method.split('/')[0] ?? '')) return true;
  // A question or a task counts as content, even with no other field.
  const says = content.resultType ?? 'complete';
  return says !== 'complete' || Object.keys(content).some((key) => !envelope.has(key));
}

/**
 * Since 2026-07-28 a server can ask for the same call again and again without asking any question, so nothing is
 * answered.
 */
function isUnasking({ content }: MessageRecord): boolean {
  if (!isValueMap(content) || content.resultType !== 'input_required') return false;
  const { inputRequests } = content;
  return !isValueMap(inputRequests) || Object.keys(inputRequests).length === 0;
}

/** The status of a task. A call answered with a task has no result yet. */
function taskStatus({ method, content }: MessageRecord): Value | undefined {
  if (!isValueMap(content)) return undefined;
  if (content.resultType === 'task' || method === 'tasks/get') return content.status;
  return method === 'tools/call' && isValueMap(content.task) ? content.task.status : undefined;
}

function ofTask(status: Value): Signs {
  if (status === 'completed' || status === 'input_required') return atWork;
  return status === 'failed' ? { trouble: 'its task failed', refuses: true } : none;
}

/** A request that the agent makes of our client. */
function asked({ method }: MessageRecord): Signs {
  return formalities.has(method) ? none : atWork;
}
