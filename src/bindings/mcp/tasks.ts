import type { AnswerPlan, PeerRequest, PlanContext } from '../../engine/binding.ts';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { isNumeric } from '../../model/written-number.ts';
import { hasTemplate } from '../../primitives/interpolate-value.ts';
import { expectsNoAnswer, type Interlude, stepsOf, withMeta } from './interludes.ts';
import { fail, invalidParams, succeed } from './plans.ts';

// Calls that become tasks: the caller gets the task at once and fetches the call's result later. Questions of the call
// are asked when the caller fetches the result.

interface Task {
  readonly taskId: string;
  readonly status: 'working' | 'cancelled' | 'completed';
  readonly ttl: Value;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly result: Value;
  readonly interludes: readonly Interlude[];
  readonly pieces: readonly string[];
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

export function asksForTask({ params }: PeerRequest): boolean {
  return isValueMap(params) && isValueMap(params.task);
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
  const tasks = [...tasksIn(context), task].slice(-mostTasks);
  return { ...literal({ task: shown(task) }), warnings, memory: toMemory(context, tasks) };
}

type Handler = (request: PeerRequest, context: PlanContext) => AnswerPlan;

export const taskHandlers: { readonly [method: string]: Handler } = {
  'tasks/get': (request, context) => withTask(request, context, (task) => literal(shown(settled(task)))),
  'tasks/list': (_, context) => literal({ tasks: tasksIn(context).map((task) => shown(settled(task))) }),
  'tasks/result': (request, context) => withTask(request, context, (task) => resultPlan(task, context)),
  'tasks/cancel': (request, context) => withTask(request, context, (task) => cancelPlan(task, context)),
};

function withTask(
  { params }: PeerRequest,
  context: PlanContext,
  plan: (task: Task) => AnswerPlan,
): AnswerPlan {
  const taskId = isValueMap(params) ? params.taskId : undefined;
  const task = tasksIn(context).find((each) => each.taskId === taskId);
  return task === undefined ? fail({ code: invalidParams, message: 'Task not found' }) : plan(task);
}

function resultPlan(task: Task, context: PlanContext): AnswerPlan {
  const { taskId, status, result, interludes, call, pieces } = task;
  if (status === 'cancelled') return fail({ code: invalidParams, message: 'Task was cancelled' });
  const meta = { 'io.modelcontextprotocol/related-task': { taskId } };
  const told = isValueMap(result) ? withMeta(result, meta) : result;
  return {
    steps: stepsOf(interludes, { call, meta }),
    pieces,
    answer: (fill) => ({ kind: 'result', result: fill(told, call) }),
    memory: changed(context, { ...task, status: 'completed', interludes: [] }),
  };
}

function cancelPlan(task: Task, context: PlanContext): AnswerPlan {
  const { status } = settled(task);
  if (status === 'completed' || status === 'cancelled')
    return fail({
      code: invalidParams,
      message: `Cannot cancel task: already in terminal status '${status}'`,
    });
  const cancelled: Task = { ...task, status: 'cancelled', lastUpdatedAt: context.timestamp() };
  return { ...literal(shown(cancelled)), memory: changed(context, cancelled) };
}

/** Nothing takes time here: a client that polls finds the task done, or waiting for the answers to its questions. */
function settled(task: Task): ShownTask {
  if (task.status !== 'working') return task;
  const asks = !task.interludes.every(expectsNoAnswer);
  return { ...task, status: asks ? 'input_required' : 'completed' };
}

interface ShownTask extends Omit<Task, 'status'> {
  readonly status: Task['status'] | 'input_required';
}

function shown({ taskId, status, ttl, createdAt, lastUpdatedAt }: ShownTask): ValueMap {
  return { taskId, status, ttl, createdAt, lastUpdatedAt, pollInterval };
}

/** Fills in nothing: values of ours have no templates, and values of the peer must not be read as templates. */
function literal(result: Value): AnswerPlan {
  return { ...succeed(result), answer: () => ({ kind: 'result', result }) };
}

function tasksIn({ memory }: PlanContext): readonly Task[] {
  return isValueMap(memory) && Array.isArray(memory.tasks) ? (memory.tasks as unknown as Task[]) : [];
}

function changed(context: PlanContext, task: Task): Value {
  return toMemory(
    context,
    tasksIn(context).map((each) => (each.taskId === task.taskId ? task : each)),
  );
}

function toMemory({ memory }: PlanContext, tasks: readonly Task[]): Value {
  return { ...(isValueMap(memory) && memory), tasks } as unknown as Value;
}
