import { isValueMap, toMaps, type Value, type ValueMap } from '../../../format/model/value.ts';
import { mcpTasks, metaKey, questionMethods } from '../../../format/registry/mcp-2026.ts';
import type { AnswerPlan, PeerRequest, PlanContext } from '../../engine/binding.ts';
import type { Interlude } from './interludes.ts';
import { answerForTask, type CallAnswer } from './mcp-tasks.ts';

// Since 2026-07-28 tasks are an extension of the protocol. The server decides that a call becomes a task, and the
// client polls it until it is done. The call's questions stand in the task and are answered with `tasks/update`.

/** A task that the document writes out itself, or one that we keep for a call. */
type Task = WrittenTask | KeptTask;

interface WrittenTask {
  readonly kind: 'written';
  readonly taskId: string;
  readonly content: ValueMap;
  readonly pieces: readonly string[];
}

interface KeptTask {
  readonly kind: 'kept';
  readonly taskId: string;
  /** The document's fields for it: `statusMessage`, `pollIntervalMs`, `ttlMs` and any others. */
  readonly fields: ValueMap;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** The number of further polls that find it working. */
  readonly polls: number;
  readonly isCancelled?: true;
  readonly result: Value;
  readonly questions: readonly Question[];
  readonly pieces: readonly string[];
  /** The call's params, from which templates are filled in. */
  readonly call: Value;
}

interface Question {
  readonly key: string;
  readonly request: ValueMap;
  readonly piece: string;
}

const mostTasks = 100;
const usual: ValueMap = { ttlMs: null, pollIntervalMs: 500 };

/** Whether the client declares in its request that it supports tasks. */
function isTaskCapable({ params }: PeerRequest): boolean {
  const meta = isValueMap(params) && isValueMap(params._meta) ? params._meta : {};
  const capabilities = meta[metaKey.clientCapabilities];
  const extensions = isValueMap(capabilities) ? capabilities.extensions : undefined;
  return isValueMap(extensions) && extensions[mcpTasks] !== undefined;
}

/**
 * The task that a call is answered with. A task that the document writes as the result goes to every client; a `task`
 * beside the result goes only to clients that support tasks.
 */
export function planTaskAnswer(
  request: PeerRequest,
  entry: ValueMap,
  answer: CallAnswer,
  context: PlanContext,
): AnswerPlan | undefined {
  const { result, interludes, warnings, pieces } = answer;
  if (isValueMap(result) && result.resultType === 'task' && typeof result.taskId === 'string') {
    const task: Task = { kind: 'written', taskId: result.taskId, content: result, pieces };
    const written = { steps: [], answer: fillResult(result), pieces, warnings };
    return { ...written, memory: storeExtensionTasks(context, [...readExtensionTasks(context), task]) };
  }
  if (!isValueMap(entry.task) || !isTaskCapable(request)) return undefined;
  const { polls, ...fields } = entry.task;
  const now = context.timestamp();
  const task: KeptTask = {
    kind: 'kept',
    taskId: context.ids.fresh(),
    fields: { ...usual, ...fields },
    createdAt: now,
    lastUpdatedAt: now,
    polls: typeof polls === 'number' ? polls : 0,
    result,
    questions: interludes.flatMap(toQuestion),
    pieces,
    call: request.params ?? {},
  };
  return {
    steps: [],
    answer: fillResult({ resultType: 'task', ...formatTask2026(task, 'working') }, task.call),
    warnings,
    memory: storeExtensionTasks(context, [...readExtensionTasks(context), task]),
  };
}

/** Progress and log messages cannot be sent within a task. */
function toQuestion({ method, params, piece }: Interlude, index: number): readonly Question[] {
  return questionMethods.has(method) ? [{ key: `q${index + 1}`, request: { method, params }, piece }] : [];
}

type Handler = (request: PeerRequest, context: PlanContext) => AnswerPlan;

export const taskHandlers2026: { readonly [method: string]: Handler } = {
  'tasks/get': (request, context) => planForKeptTask(request, context, (task) => planTaskReading(task, context)),
  'tasks/update': (request, context) =>
    planForKeptTask(request, context, (task) =>
      planEmptyResult(replaceExtensionTask(context, addInputResponses(task, request, context))),
    ),
  'tasks/cancel': (request, context) =>
    planForKeptTask(request, context, (task) =>
      planEmptyResult(replaceExtensionTask(context, cancelKeptTask(task, context))),
    ),
};

/** A document may give several tasks the same id; in this era the last of them counts. */
function planForKeptTask(request: PeerRequest, context: PlanContext, plan: (task: Task) => AnswerPlan): AnswerPlan {
  return answerForTask(
    request,
    (taskId) => readExtensionTasks(context).findLast((each) => each.taskId === taskId),
    plan,
  );
}

function planTaskReading(task: Task, context: PlanContext): AnswerPlan {
  if (task.kind === 'written') {
    const { resultType: _, ...content } = task.content;
    return { steps: [], answer: fillResult(content), pieces: task.pieces };
  }
  const { polls, questions, call, result, isCancelled } = task;
  if (isCancelled) return { steps: [], answer: fillResult(formatTask2026(task, 'cancelled'), call) };
  if (polls > 0) {
    const memory = replaceExtensionTask(context, { ...task, polls: polls - 1 });
    return { steps: [], answer: fillResult(formatTask2026(task, 'working'), call), memory };
  }
  if (questions.length > 0) {
    const inputRequests = Object.fromEntries(questions.map(({ key, request }) => [key, request]));
    const asking = { ...formatTask2026(task, 'input_required'), inputRequests };
    return { steps: [], answer: fillResult(asking, call), pieces: questions.map(({ piece }) => piece) };
  }
  const whole = isValueMap(result) && result.resultType === undefined ? { resultType: 'complete', ...result } : result;
  return {
    steps: [],
    answer: fillResult({ ...formatTask2026(task, 'completed'), result: whole }, call),
    pieces: task.pieces,
  };
}

function addInputResponses(task: Task, { params }: PeerRequest, context: PlanContext): Task {
  const responses = isValueMap(params) && isValueMap(params.inputResponses) ? params.inputResponses : {};
  if (task.kind === 'written') return task;
  const questions = task.questions.filter(({ key }) => !Object.hasOwn(responses, key));
  return { ...task, questions, lastUpdatedAt: context.timestamp() };
}

function cancelKeptTask(task: Task, context: PlanContext): Task {
  if (task.kind === 'written') return task;
  return { ...task, isCancelled: true, lastUpdatedAt: context.timestamp() };
}

function formatTask2026({ taskId, fields, createdAt, lastUpdatedAt }: KeptTask, status: string): ValueMap {
  return { taskId, status, createdAt, lastUpdatedAt, ...fields };
}

function planEmptyResult(memory: Value): AnswerPlan {
  return { steps: [], answer: () => ({ kind: 'result', result: {} }), memory };
}

function fillResult(result: Value, call?: Value): AnswerPlan['answer'] {
  return (fill) => ({ kind: 'result', result: fill(result, call) });
}

function readExtensionTasks({ memory }: PlanContext): readonly Task[] {
  const tasks = isValueMap(memory) ? memory.extensionTasks : undefined;
  return Array.isArray(tasks) ? (tasks as unknown as Task[]) : [];
}

function replaceExtensionTask(context: PlanContext, task: Task): Value {
  return storeExtensionTasks(
    context,
    readExtensionTasks(context).map((each) => (each.taskId === task.taskId ? task : each)),
  );
}

function storeExtensionTasks({ memory }: PlanContext, tasks: readonly Task[]): Value {
  const extensionTasks = tasks.slice(-mostTasks);
  return { ...(isValueMap(memory) && memory), extensionTasks } as unknown as Value;
}

/** Whether a server may answer a call with a task. A server declares that beforehand. */
export function hasTaskTools({ tools }: ValueMap): boolean {
  return toMaps(tools).some(({ responses }) =>
    toMaps(responses).some(
      ({ task, content }) => isValueMap(task) || (isValueMap(content) && content.resultType === 'task'),
    ),
  );
}
