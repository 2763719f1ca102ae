import type { AnswerPlan } from '../../engine/binding.ts';
import { isValueMap, type Value } from '../../model/value.ts';
import {
  deniesCapability,
  errors,
  fail,
  type Handler,
  type HandlerCall,
  succeed,
  withTask,
} from './handler.ts';
import { textIn } from './shapes.ts';
import { addConfig, configsOf, type PushConfig, toValue, withoutConfig } from './tasks.ts';

/** Handlers for the requests by which an agent says where it wants to be notified of its tasks. */
export const pushConfigHandlers: { readonly [method: string]: Handler } = {
  'tasks/pushNotificationConfig/set': (call) => supported(call, setConfig),
  'tasks/pushNotificationConfig/get': (call) => supported(call, getConfig),
  'tasks/pushNotificationConfig/list': (call) =>
    supported(call, () => withTask(call, (_, id) => succeed(configsOf(call.memory, id).map(shown)))),
  'tasks/pushNotificationConfig/delete': (call) => supported(call, deleteConfig),
};

function supported(call: HandlerCall, handle: Handler): AnswerPlan {
  return deniesCapability(call, 'pushNotifications')
    ? fail(errors.pushNotSupported, 'Push Notification is not supported')
    : handle(call);
}

function setConfig(call: HandlerCall): AnswerPlan {
  const { pushNotificationConfig: config } = call.params;
  if (!isValueMap(config)) return fail(errors.invalidParams, '`pushNotificationConfig` is missing');
  return withTask(
    call,
    (_, taskId) => {
      const isNamed = typeof config.id === 'string' && config.id !== '';
      const named = isNamed ? config : { ...config, id: call.context.ids.fresh() };
      const { era } = call.request;
      const added = { taskId, config: named, ...(era !== undefined && { era }) };
      const memory = toValue(addConfig(call.memory, added));
      return { ...succeed(shown({ taskId, config: named })), memory };
    },
    'taskId',
  );
}

function getConfig(call: HandlerCall): AnswerPlan {
  const wanted = textIn(call.params, 'pushNotificationConfigId');
  return withTask(call, (_, taskId) => {
    const configs = configsOf(call.memory, taskId);
    const found = wanted === undefined ? configs[0] : configs.find(({ config }) => config.id === wanted);
    return found === undefined
      ? fail(errors.taskNotFound, `Push notification config not found: ${wanted ?? taskId}`)
      : succeed(shown(found));
  });
}

function deleteConfig(call: HandlerCall): AnswerPlan {
  const { pushNotificationConfigId: id } = call.params;
  if (typeof id !== 'string' || id === '')
    return fail(errors.invalidParams, '`pushNotificationConfigId` is missing');
  return withTask(call, (_, taskId) => ({
    ...succeed(null),
    memory: toValue(withoutConfig(call.memory, taskId, id)),
  }));
}

function shown({ taskId, config }: PushConfig): Value {
  return { taskId, pushNotificationConfig: config };
}
