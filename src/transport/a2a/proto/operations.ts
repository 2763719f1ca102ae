import { isValueMap, type Value, type ValueMap } from '../../../model/value.ts';
import {
  cardFromProto,
  idsIn,
  itemFromProto,
  pushConfigFromProto,
  sendParamsFromProto,
  taskFromProto,
} from './from-proto.ts';
import { cardToProto, itemToProto, pushConfigToProto, sendParamsToProto, taskToProto } from './to-proto.ts';

/** A method of A2A: its remote procedure, and what it takes and gives in proto's JSON. */
export interface Operation {
  readonly rpc: string;
  readonly isStream: boolean;
  paramsFromProto(request: ValueMap): ValueMap;
  paramsToProto(params: ValueMap): ValueMap;
  resultFromProto(response: Value): Value;
  resultToProto(result: Value): Value;
}

type Params = Pick<Operation, 'paramsFromProto' | 'paramsToProto'>;
type Result = Pick<Operation, 'resultFromProto' | 'resultToProto'>;

const sending: Params = { paramsFromProto: sendParamsFromProto, paramsToProto: sendParamsToProto };
const byTask: Params = {
  paramsFromProto: ({ name, ...rest }) => ({ ...idOf(name), ...rest }),
  paramsToProto: ({ id, ...rest }) => ({ ...rest, name: `tasks/${textOf(id)}` }),
};
const byConfig: Params = {
  paramsFromProto({ name, ...rest }) {
    const { configId } = idsIn(name);
    return {
      ...idOf(name),
      ...(configId !== undefined && { pushNotificationConfigId: configId }),
      ...rest,
    };
  },
  paramsToProto: ({ id, pushNotificationConfigId, ...rest }) => ({
    ...rest,
    name: `tasks/${textOf(id)}/pushNotificationConfigs/${textOf(pushNotificationConfigId)}`,
  }),
};
const ofTask: Params = {
  paramsFromProto: ({ parent, ...rest }) => ({ ...idOf(parent), ...rest }),
  paramsToProto: ({ id, ...rest }) => ({ ...rest, parent: `tasks/${textOf(id)}` }),
};
const setting: Params = {
  paramsFromProto({ parent, configId: _, config, ...rest }) {
    const { taskId } = idsIn(parent);
    const inner = isValueMap(config) ? config : {};
    const { name: _name, ...others } = inner;
    return { ...(taskId !== undefined && { taskId }), ...others, ...rest };
  },
  paramsToProto(params) {
    const { taskId, pushNotificationConfig } = params;
    const id = isValueMap(pushNotificationConfig) ? pushNotificationConfig.id : undefined;
    return {
      parent: `tasks/${textOf(taskId)}`,
      ...(typeof id === 'string' && { configId: id }),
      config: pushConfigToProto(params),
    };
  },
};
const nothing: Params = { paramsFromProto: () => ({}), paramsToProto: () => ({}) };

const item: Result = { resultFromProto: itemFromProto, resultToProto: itemToProto };
const task: Result = { resultFromProto: taskFromProto, resultToProto: taskToProto };
const config: Result = { resultFromProto: pushConfigFromProto, resultToProto: pushConfigToProto };
const card: Result = { resultFromProto: cardFromProto, resultToProto: cardToProto };
const configs: Result = {
  resultFromProto(response) {
    const list = isValueMap(response) ? (response.configs ?? []) : response;
    return Array.isArray(list) ? (list as readonly Value[]).map(pushConfigFromProto) : list;
  },
  resultToProto: (result) =>
    Array.isArray(result) ? { configs: (result as readonly Value[]).map(pushConfigToProto) } : result,
};
const none: Result = { resultFromProto: () => null, resultToProto: () => ({}) };

/** Methods that proto has; the others go over JSON-RPC only. */
export const operations: { readonly [method: string]: Operation } = {
  'message/send': { rpc: 'SendMessage', isStream: false, ...sending, ...item },
  'message/stream': { rpc: 'SendStreamingMessage', isStream: true, ...sending, ...item },
  'tasks/get': { rpc: 'GetTask', isStream: false, ...byTask, ...task },
  'tasks/cancel': { rpc: 'CancelTask', isStream: false, ...byTask, ...task },
  'tasks/resubscribe': { rpc: 'TaskSubscription', isStream: true, ...byTask, ...item },
  'tasks/pushNotificationConfig/set': {
    rpc: 'CreateTaskPushNotificationConfig',
    isStream: false,
    ...setting,
    ...config,
  },
  'tasks/pushNotificationConfig/get': {
    rpc: 'GetTaskPushNotificationConfig',
    isStream: false,
    ...byConfig,
    ...config,
  },
  'tasks/pushNotificationConfig/list': {
    rpc: 'ListTaskPushNotificationConfig',
    isStream: false,
    ...ofTask,
    ...configs,
  },
  'tasks/pushNotificationConfig/delete': {
    rpc: 'DeleteTaskPushNotificationConfig',
    isStream: false,
    ...byConfig,
    ...none,
  },
  'agent/getAuthenticatedExtendedCard': { rpc: 'GetAgentCard', isStream: false, ...nothing, ...card },
};

export function operationOf(method: string): Operation | undefined {
  return Object.hasOwn(operations, method) ? operations[method] : undefined;
}

const streaming: ReadonlySet<string> = new Set(['message/stream', 'tasks/resubscribe']);

/** Whether a method is answered by a stream. */
export function isStreaming(method: string): boolean {
  return streaming.has(method);
}

function idOf(name: Value | undefined): ValueMap {
  const { taskId } = idsIn(name);
  return taskId === undefined ? {} : { id: taskId };
}

function textOf(id: Value | undefined): string {
  return typeof id === 'string' ? id : '';
}
