import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { isNumeric } from '../../../format/model/written-number.ts';
import { hasTemplate } from '../../../format/primitives/interpolate-template.ts';
import { resolveSimplePath } from '../../../format/primitives/resolve-simple-path.ts';
import { addMeta } from '../../../format/registry/mcp-2026.ts';
import type { AnswerPlan, PeerRequest, PlanContext } from '../../engine/binding.ts';
import { type Interlude, isOneWay, planInterludes } from './interludes.ts';
import { invalidParams, planMcpError, planMcpResult } from './plans.ts';

// Calls that become tasks: the caller gets the task at once and fetches the call's result later. Questions of the call
// are asked when the caller fetches the result.

interface Task extends Omit<CallAnswer, 'warnings'> {
  readonly taskId: string;
  readonly status: 'working' | 'cancelled' | 'completed';
  readonly ttl: Value;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** The call's params, if templates are still to be filled in from them. */
  readonly call?: Value;
}

/** The answer to a call, sent now or later. */
export interface CallAnswer {
  readonly result: Value;
  readonly interludes: readonly Interlude[];
  readonly warnings: NonNullable<AnswerPlan['warnings']>;
  /** The places in the state that the result comes from. */
  readonly pieces: readonly string[];
}

const mostTasks = 100;
const pollInterval = 500;

/** A wish for a task counts only where the server declares tasks for calls; elsewhere the protocol ignores it. */
export function isTaskRequested({ params }: PeerRequest, { capabilities = null }: ValueMap): boolean {
  const isDeclared = resolveSimplePath('tasks.requests.tools.call', capabilities) !== undefined;
  return isDeclared && isValueMap(params) && isValueMap(params.task);
}

export function createTask({ params }: PeerRequest, answer: CallAnswer, context: PlanContext): AnswerPlan {
  const { result, interludes, warnings, pieces } = answer;
  const asked = isValueMap(params) && isValueMap(params.task) ? params.task : {};
  const now = context.timestamp();
  const parts: Value[] = [result, ...interludes.map((interlude) => interlude.params)];
  const task: Task = {
    taskId: context.ids.fresh(),
    status: 'working',
    ttl: isNumeric(asked.ttl) ? asked.ttl : null,
    createdAt: now,
    lastUpdatedAt: now,
    result,
    interludes,
    pieces,
    ...(params !== undefined && parts.some((each) => hasTemplate(each)) && { call: params }),
  };
  const tasks = [...readCallTasks(context), task].slice(-mostTasks);
  return {
    ...planLiteralResult({ task: formatTask(task) }),
    warnings,
    memory: storeCallTasks(context, tasks),
  };
}

type Handler = (request: PeerRequest, context: PlanContext) => AnswerPlan;

export const taskHandlers: { readonly [method: string]: Handler } = {
  'tasks/get': (request, context) =>
    planForCallTask(request, context, (task) => planLiteralResult(formatTask(settleTask(task)))),
  'tasks/list': (_, context) =>
    planLiteralResult({ tasks: readCallTasks(context).map((task) => formatTask(settleTask(task))) }),
  'tasks/result': (request, context) => planForCallTask(request, context, (task) => planTaskResult(task, context)),
  'tasks/cancel': (request, context) => planForCallTask(request, context, (task) => cancelPlan(task, context)),
};

function planForCallTask(request: PeerRequest, context: PlanContext, plan: (task: Task) => AnswerPlan): AnswerPlan {
  return answerForTask(request, (taskId) => readCallTasks(context).find((each) => each.taskId === taskId), plan);
}

/** Answers a request about a task with the plan for it, or with an error if there is no such task. */
export function answerForTask<T>(
  { params }: PeerRequest,
  findTask: (taskId: Value | undefined) => T | undefined,
  plan: (task: T) => AnswerPlan,
): AnswerPlan {
  const task = findTask(isValueMap(params) ? params.taskId : undefined);
  return task === undefined ? planMcpError({ code: invalidParams, message: 'Task not found' }) : plan(task);
}

function planTaskResult(task: Task, context: PlanContext): AnswerPlan {
  const { taskId, status, result, interludes, call, pieces } = task;
  if (status === 'cancelled') return planMcpError({ code: invalidParams, message: 'Task was cancelled' });
  const meta = { 'io.modelcontextprotocol/related-task': { taskId } };
  const withMeta = addMeta(result, meta);
  return {
    steps: planInterludes(interludes, context.ids, { call, meta }),
    pieces,
    answer: (fill) => ({ kind: 'result', result: fill(withMeta, call) }),
    memory: replaceCallTask(context, { ...task, status: 'completed', interludes: [] }),
  };
}

function cancelPlan(task: Task, context: PlanContext): AnswerPlan {
  const { status } = settleTask(task);
  if (status === 'completed' || status === 'cancelled')
    return planMcpError({
      code: invalidParams,
      message: `Cannot cancel task: already in terminal status '${status}'`,
    });
  const cancelled: Task = { ...task, status: 'cancelled', lastUpdatedAt: context.timestamp() };
  return { ...planLiteralResult(formatTask(cancelled)), memory: replaceCallTask(context, cancelled) };
}

/** Nothing takes time here: a client that polls finds the task done, or waiting for the answers to its questions. */
function settleTask(task: Task): ShownTask {
  if (task.status !== 'working') return task;
  const asks = !task.interludes.every(isOneWay);
  return { ...task, status: asks ? 'input_required' : 'completed' };
}

interface ShownTask extends Omit<Task, 'status'> {
  readonly status: Task['status'] | 'input_required';
}

function formatTask({ taskId, status, ttl, createdAt, lastUpdatedAt }: ShownTask): ValueMap {
  return { taskId, status, ttl, createdAt, lastUpdatedAt, pollInterval };
}

/** Fills in nothing: values of ours have no templates, and values of the peer must not be read as templates. */
function planLiteralResult(result: Value): AnswerPlan {
  return { ...planMcpResult(result), answer: () => ({ kind: 'result', result }) };
}

function readCallTasks({ memory }: PlanContext): readonly Task[] {
  return isValueMap(memory) && Array.isArray(memory.tasks) ? (memory.tasks as unknown as Task[]) : [];
}

function replaceCallTask(context: PlanContext, task: Task): Value {
  return storeCallTasks(
    context,
    readCallTasks(context).map((each) => (each.taskId === task.taskId ? task : each)),
  );
}

function storeCallTasks({ memory }: PlanContext, tasks: readonly Task[]): Value {
  return { ...(isValueMap(memory) && memory), tasks } as unknown as Value;
}
