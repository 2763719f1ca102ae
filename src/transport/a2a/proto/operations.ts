import { isValueMap, type Value, type ValueMap } from '../../../model/value.ts';
import {
  cardFromProto,
  idsIn,
  itemFromProto,
  pushConfigFromProto,
  sendParamsFromProto,
  taskFromProto,
} from '../../../registry/a2a/from-proto.ts';
import {
  cardToProto,
  itemToProto,
  pushConfigToProto,
  sendParamsToProto,
  taskToProto,
} from '../../../registry/a2a/to-proto.ts';
import { canonical } from './canonical.ts';
import { a2aSchema, rpcOf } from './schema.ts';

/** A method of A2A: its remote procedure, and what it takes and gives in proto's JSON. */
export interface Operation {
  readonly rpc: string;
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
    const { name, ...others } = { ...(isValueMap(config) ? config : {}), ...rest };
    const { taskId } = idsIn(parent ?? name);
    return { ...(taskId !== undefined && { taskId }), ...others };
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
  'message/send': operation('SendMessage', sending, item),
  'message/stream': operation('SendStreamingMessage', sending, item),
  'tasks/get': operation('GetTask', byTask, task),
  'tasks/cancel': operation('CancelTask', byTask, task),
  'tasks/resubscribe': operation('TaskSubscription', byTask, item),
  // Clients differ in which of two messages they send.
  'tasks/pushNotificationConfig/set': operation(
    'CreateTaskPushNotificationConfig',
    setting,
    config,
    'TaskPushNotificationConfig',
  ),
  'tasks/pushNotificationConfig/get': operation('GetTaskPushNotificationConfig', byConfig, config),
  'tasks/pushNotificationConfig/list': operation('ListTaskPushNotificationConfig', ofTask, configs),
  'tasks/pushNotificationConfig/delete': operation('DeleteTaskPushNotificationConfig', byConfig, none),
  'agent/getAuthenticatedExtendedCard': operation('GetAgentCard', nothing, card),
};

/** `alsoTaken` are messages that peers send in place of the request. */
function operation(rpc: string, params: Params, result: Result, ...alsoTaken: readonly string[]): Operation {
  const typesOf = (): { readonly request: string; readonly response: string } =>
    rpcOf(a2aSchema(), rpc) ?? { request: '', response: '' };
  return {
    rpc,
    ...params,
    ...result,
    paramsFromProto: (request) =>
      params.paramsFromProto(
        [typesOf().request, ...alsoTaken].reduce(
          (value, type) => canonical(a2aSchema(), type, value) as ValueMap,
          request,
        ),
      ),
    resultFromProto: (response) =>
      result.resultFromProto(canonical(a2aSchema(), typesOf().response, response)),
  };
}

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
