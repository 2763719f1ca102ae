import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import type { AnswerPlan, Fill, PeerRequest, PlanContext } from '../../engine/binding.ts';
import type { ServedEra } from '../served-era.ts';
import {
  type A2aServerMemory,
  addConfig,
  findPushConfigs,
  findRememberedTask,
  memoryToValue,
  type PushConfig,
  removePushConfig,
} from './a2a-server-memory.ts';
import { readMapText } from './a2a-shapes.ts';
import type { CardUrls } from './card.ts';

export interface HandlerCall {
  readonly params: ValueMap;
  readonly request: PeerRequest;
  readonly state: ValueMap;
  readonly fill: Fill;
  readonly context: PlanContext;
  readonly memory: A2aServerMemory;
  readonly cardUrls: CardUrls;
  readonly served: ServedEra;
}

export type Handler = (call: HandlerCall) => AnswerPlan;

export const errors = {
  methodNotFound: -32601,
  invalidParams: -32602,
  taskNotFound: -32001,
  taskNotCancelable: -32002,
  pushNotSupported: -32003,
  unsupportedOperation: -32004,
} as const;

/** Whether the card itself says that the agent cannot do this. A client that asks for it all the same is refused. */
export function isCapabilityDenied({ state }: HandlerCall, name: string): boolean {
  const { agent_card: card } = state;
  const capabilities = isValueMap(card) ? card.capabilities : undefined;
  return isValueMap(capabilities) && capabilities[name] === false;
}

/** Finds the task that the params name by `id`. */
export function planForTask(
  { params, memory }: Pick<HandlerCall, 'params' | 'memory'>,
  plan: (task: ValueMap, id: string) => AnswerPlan,
  key = 'id',
): AnswerPlan {
  const id = readMapText(params, key);
  if (id === undefined) return planA2aError(errors.invalidParams, `\`${key}\` is missing`);
  const task = findRememberedTask(memory, id);
  return task === undefined ? planA2aError(errors.taskNotFound, `Task not found: ${id}`) : plan(task, id);
}

export function planA2aResult(result: Value): AnswerPlan {
  return { steps: [], answer: () => ({ kind: 'result', result }) };
}

export function planA2aError(code: number, message: string): AnswerPlan {
  const error = { code, message };
  return { steps: [], answer: () => ({ kind: 'error', error }) };
}

/** Handlers for the requests by which an agent says where it wants to be notified of its tasks. */
export const pushConfigHandlers: { readonly [method: string]: Handler } = {
  'tasks/pushNotificationConfig/set': (call) => planIfPushSupported(call, setConfig),
  'tasks/pushNotificationConfig/get': (call) => planIfPushSupported(call, getConfig),
  'tasks/pushNotificationConfig/list': (call) =>
    planIfPushSupported(call, () =>
      planForTask(call, (_, id) => planA2aResult(findPushConfigs(call.memory, id).map(formatPushConfig))),
    ),
  'tasks/pushNotificationConfig/delete': (call) => planIfPushSupported(call, deleteConfig),
};

function planIfPushSupported(call: HandlerCall, handle: Handler): AnswerPlan {
  return isCapabilityDenied(call, 'pushNotifications')
    ? planA2aError(errors.pushNotSupported, 'Push Notification is not supported')
    : handle(call);
}

function setConfig(call: HandlerCall): AnswerPlan {
  const { pushNotificationConfig: config } = call.params;
  if (!isValueMap(config)) return planA2aError(errors.invalidParams, '`pushNotificationConfig` is missing');
  return planForTask(
    call,
    (_, taskId) => {
      const isNamed = typeof config.id === 'string' && config.id !== '';
      const named = isNamed ? config : { ...config, id: call.context.ids.fresh() };
      const { era } = call.request;
      const added = { taskId, config: named, ...(era !== undefined && { era }) };
      const memory = memoryToValue(addConfig(call.memory, added));
      return { ...planA2aResult(formatPushConfig({ taskId, config: named })), memory };
    },
    'taskId',
  );
}

function getConfig(call: HandlerCall): AnswerPlan {
  const wanted = readMapText(call.params, 'pushNotificationConfigId');
  return planForTask(call, (_, taskId) => {
    const configs = findPushConfigs(call.memory, taskId);
    const found = wanted === undefined ? configs[0] : configs.find(({ config }) => config.id === wanted);
    return found === undefined
      ? planA2aError(errors.taskNotFound, `Push notification config not found: ${wanted ?? taskId}`)
      : planA2aResult(formatPushConfig(found));
  });
}

function deleteConfig(call: HandlerCall): AnswerPlan {
  const { pushNotificationConfigId: id } = call.params;
  if (typeof id !== 'string' || id === '')
    return planA2aError(errors.invalidParams, '`pushNotificationConfigId` is missing');
  return planForTask(call, (_, taskId) => ({
    ...planA2aResult(null),
    memory: memoryToValue(removePushConfig(call.memory, taskId, id)),
  }));
}

function formatPushConfig({ taskId, config }: PushConfig): Value {
  return { taskId, pushNotificationConfig: config };
}
