import { isValueMap, type Value, type ValueMap } from '../../../model/value.ts';
import { a2a1, namesIn1 } from '../../../registry/a2a/era.ts';
import {
  cardFromProto,
  itemFromProto,
  pushConfigFromProto,
  sendParamsFromProto,
  taskFromProto,
} from '../../../registry/a2a/from-proto.ts';
import { params1 } from '../../../registry/a2a/params-1.ts';
import { idsIn, type Spelling, spelling1, spelling03 } from '../../../registry/a2a/spelling.ts';
import {
  cardToProto,
  itemToProto,
  pushConfigToProto,
  sendParamsToProto,
  taskToProto,
} from '../../../registry/a2a/to-proto.ts';
import type { Schema } from '../../proto/read-proto.ts';
import { canonical } from './canonical.ts';
import { a2aSchema, a2aSchema1, rpcOf } from './schema.ts';

/** A method of A2A: its remote procedure, its request and its response in proto JSON. */
export interface Operation {
  readonly rpc: string;
  paramsFromProto(request: ValueMap): ValueMap;
  paramsToProto(params: ValueMap): ValueMap;
  resultFromProto(response: Value): Value;
  resultToProto(result: Value): Value;
}

/** The spelling of an era of A2A. */
export interface Dialect {
  /** Undefined for the first era. */
  readonly era?: string;
  readonly spelling: Spelling;
  /** Methods that proto has, under OATF's names. */
  readonly operations: { readonly [method: string]: Operation };
  schema(): Schema;
}

type Params = Pick<Operation, 'paramsFromProto' | 'paramsToProto'>;
type Result = Pick<Operation, 'resultFromProto' | 'resultToProto'>;

const nothing: Params = { paramsFromProto: () => ({}), paramsToProto: () => ({}) };

// 0.3 puts ids into resource names.
const byTask03: Params = {
  paramsFromProto: ({ name, ...rest }) => ({ ...idOf(name), ...rest }),
  paramsToProto: ({ id, ...rest }) => ({ ...rest, name: `tasks/${textOf(id)}` }),
};
const byConfig03: Params = {
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
const ofTask03: Params = {
  paramsFromProto: ({ parent, ...rest }) => ({ ...idOf(parent), ...rest }),
  paramsToProto: ({ id, ...rest }) => ({ ...rest, parent: `tasks/${textOf(id)}` }),
};
const setting03: Params = {
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
      config: pushConfigToProto(spelling03, params),
    };
  },
};

const sending03: Params = {
  paramsFromProto: (request) => sendParamsFromProto(spelling03, request),
  paramsToProto: (params) => sendParamsToProto(spelling03, params),
};

interface Results {
  readonly item: Result;
  readonly task: Result;
  readonly tasks: Result;
  readonly config: Result;
  readonly configs: Result;
}

function resultsOf(spelling: Spelling): Results {
  return {
    item: {
      resultFromProto: (response) => itemFromProto(spelling, response),
      resultToProto: (result) => itemToProto(spelling, result),
    },
    task: {
      resultFromProto: (response) => taskFromProto(spelling, response),
      resultToProto: (result) => taskToProto(spelling, result),
    },
    tasks: {
      resultFromProto: (response) => withTasks(response, (task) => taskFromProto(spelling, task)),
      resultToProto: (result) => withTasks(result, (task) => taskToProto(spelling, task)),
    },
    config: {
      resultFromProto: (response) => pushConfigFromProto(spelling, response),
      resultToProto: (result) => pushConfigToProto(spelling, result),
    },
    configs: {
      resultFromProto(response) {
        const list = isValueMap(response) ? (response.configs ?? []) : response;
        return Array.isArray(list)
          ? (list as readonly Value[]).map((config) => pushConfigFromProto(spelling, config))
          : list;
      },
      resultToProto: (result) =>
        Array.isArray(result)
          ? { configs: (result as readonly Value[]).map((config) => pushConfigToProto(spelling, config)) }
          : result,
    },
  };
}

const none: Result = { resultFromProto: () => null, resultToProto: () => ({}) };
const card03: Result = { resultFromProto: cardFromProto, resultToProto: (card) => cardToProto(card) };
/** A card passes through unchanged, because the binding has already written it for the era. */
const card1: Result = { resultFromProto: (card) => card, resultToProto: (card) => card };

const given03 = resultsOf(spelling03);
const given1 = resultsOf(spelling1);

export const dialect03: Dialect = {
  spelling: spelling03,
  schema: a2aSchema,
  operations: {
    'message/send': operation(a2aSchema, 'SendMessage', sending03, given03.item),
    'message/stream': operation(a2aSchema, 'SendStreamingMessage', sending03, given03.item),
    'tasks/get': operation(a2aSchema, 'GetTask', byTask03, given03.task),
    'tasks/cancel': operation(a2aSchema, 'CancelTask', byTask03, given03.task),
    'tasks/resubscribe': operation(a2aSchema, 'TaskSubscription', byTask03, given03.item),
    // Clients differ in which of two messages they send.
    'tasks/pushNotificationConfig/set': operation(
      a2aSchema,
      'CreateTaskPushNotificationConfig',
      setting03,
      given03.config,
      'TaskPushNotificationConfig',
    ),
    'tasks/pushNotificationConfig/get': operation(
      a2aSchema,
      'GetTaskPushNotificationConfig',
      byConfig03,
      given03.config,
    ),
    'tasks/pushNotificationConfig/list': operation(
      a2aSchema,
      'ListTaskPushNotificationConfig',
      ofTask03,
      given03.configs,
    ),
    'tasks/pushNotificationConfig/delete': operation(
      a2aSchema,
      'DeleteTaskPushNotificationConfig',
      byConfig03,
      none,
    ),
    'agent/getAuthenticatedExtendedCard': operation(a2aSchema, 'GetAgentCard', nothing, card03),
  },
};

const results1: { readonly [method: string]: Result } = {
  'message/send': given1.item,
  'message/stream': given1.item,
  'tasks/get': given1.task,
  'tasks/list': given1.tasks,
  'tasks/cancel': given1.task,
  'tasks/resubscribe': given1.item,
  'tasks/pushNotificationConfig/set': given1.config,
  'tasks/pushNotificationConfig/get': given1.config,
  'tasks/pushNotificationConfig/list': given1.configs,
  'tasks/pushNotificationConfig/delete': none,
  'agent/getAuthenticatedExtendedCard': card1,
};

export const dialect1: Dialect = {
  era: a2a1,
  spelling: spelling1,
  schema: a2aSchema1,
  operations: Object.fromEntries(
    Object.entries(results1).map(([method, result]) => {
      const { from, to } = params1(method);
      const params: Params = { paramsFromProto: from, paramsToProto: to };
      return [method, operation(a2aSchema1, namesIn1[method] ?? '', params, result)];
    }),
  ),
};

export const dialects: readonly Dialect[] = [dialect03, dialect1];

/** `alsoTaken` are messages that peers send instead of the request. */
function operation(
  schema: () => Schema,
  rpc: string,
  params: Params,
  result: Result,
  ...alsoTaken: readonly string[]
): Operation {
  const typesOf = (): { readonly request: string; readonly response: string } =>
    rpcOf(schema(), rpc) ?? { request: '', response: '' };
  return {
    rpc,
    ...params,
    ...result,
    paramsFromProto: (request) =>
      params.paramsFromProto(
        [typesOf().request, ...alsoTaken].reduce(
          (value, type) => canonical(schema(), type, value) as ValueMap,
          request,
        ),
      ),
    resultFromProto: (response) => result.resultFromProto(canonical(schema(), typesOf().response, response)),
  };
}

/** The operation of a method; undefined for a method that only JSON-RPC carries. */
export function operationOf({ operations }: Dialect, method: string): Operation | undefined {
  return Object.hasOwn(operations, method) ? operations[method] : undefined;
}

const streaming: ReadonlySet<string> = new Set(['message/stream', 'tasks/resubscribe']);

/** Tells whether a method is answered by a stream. */
export function isStreaming(method: string): boolean {
  return streaming.has(method);
}

function withTasks(response: Value, change: (task: Value) => Value): Value {
  if (!isValueMap(response) || !Array.isArray(response.tasks)) return response;
  return { ...response, tasks: (response.tasks as readonly Value[]).map(change) };
}

function idOf(name: Value | undefined): ValueMap {
  const { taskId } = idsIn(name);
  return taskId === undefined ? {} : { id: taskId };
}

function textOf(id: Value | undefined): string {
  return typeof id === 'string' ? id : '';
}
