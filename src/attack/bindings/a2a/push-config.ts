import { isValueMap, type Value } from '../../../format/model/value.ts';
import type { AnswerPlan } from '../../engine/binding.ts';
import { addConfig, findPushConfigs, memoryToValue, type PushConfig, removePushConfig } from './a2a-server-memory.ts';
import { readMapText } from './a2a-shapes.ts';
import {
  errors,
  type Handler,
  type HandlerCall,
  isCapabilityDenied,
  planA2aError,
  planA2aResult,
  planForTask,
} from './handler.ts';

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
