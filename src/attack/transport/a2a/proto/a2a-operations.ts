import { isValueMap, type Value, type ValueMap } from '../../../../format/model/value.ts';
import { a2a1, namesIn1 } from '../../../../format/registry/a2a/a2a-era.ts';
import {
  convertCardFromProto,
  convertItemFromProto,
  convertPushConfigFromProto,
  convertTaskFromProto,
  sendParamsFromProto,
} from '../../../../format/registry/a2a/from-proto.ts';
import { findParams1 } from '../../../../format/registry/a2a/params-1.ts';
import {
  type A2aSpelling,
  parseResourceName,
  spelling1,
  spelling03,
} from '../../../../format/registry/a2a/spelling.ts';
import {
  convertCardToProto,
  convertItemToProto,
  convertPushConfigToProto,
  convertTaskToProto,
  sendParamsToProto,
} from '../../../../format/registry/a2a/to-proto.ts';
import { type ProtoSchema, type Rpc, readPackagedSchema } from '../../proto/read-proto.ts';
import { canonicalizeProtoJson } from './canonical-proto-json.ts';

export const a2aSchema03 = readPackagedSchema('a2a-shared.proto', 'a2a-0.3.proto');
const a2aSchema1 = readPackagedSchema('a2a-shared.proto', 'a2a-1.0.proto');

export function findRpc({ rpcs }: ProtoSchema, name: string): Rpc | undefined {
  return rpcs.find((rpc) => rpc.name === name);
}

/** A method of A2A: its remote procedure, its request and its response in proto JSON. */
export interface A2aOperation {
  readonly rpc: string;
  paramsFromProto(request: ValueMap): ValueMap;
  paramsToProto(params: ValueMap): ValueMap;
  resultFromProto(response: Value): Value;
  resultToProto(result: Value): Value;
}

/** The spelling of an era of A2A. */
export interface A2aDialect {
  /** Undefined for the first era. */
  readonly era?: string;
  readonly spelling: A2aSpelling;
  /** Methods that proto has, under OATF's names. */
  readonly operations: { readonly [method: string]: A2aOperation };
  schema(): ProtoSchema;
}

type Params = Pick<A2aOperation, 'paramsFromProto' | 'paramsToProto'>;
type Result = Pick<A2aOperation, 'resultFromProto' | 'resultToProto'>;

const nothing: Params = { paramsFromProto: () => ({}), paramsToProto: () => ({}) };

// 0.3 puts ids into resource names.
const byTask03: Params = {
  paramsFromProto: ({ name, ...rest }) => ({ ...readTaskIdField(name), ...rest }),
  paramsToProto: ({ id, ...rest }) => ({ ...rest, name: `tasks/${readIdText(id)}` }),
};
const byConfig03: Params = {
  paramsFromProto({ name, ...rest }) {
    const { configId } = parseResourceName(name);
    return {
      ...readTaskIdField(name),
      ...(configId !== undefined && { pushNotificationConfigId: configId }),
      ...rest,
    };
  },
  paramsToProto: ({ id, pushNotificationConfigId, ...rest }) => ({
    ...rest,
    name: `tasks/${readIdText(id)}/pushNotificationConfigs/${readIdText(pushNotificationConfigId)}`,
  }),
};
const ofTask03: Params = {
  paramsFromProto: ({ parent, ...rest }) => ({ ...readTaskIdField(parent), ...rest }),
  paramsToProto: ({ id, ...rest }) => ({ ...rest, parent: `tasks/${readIdText(id)}` }),
};
const setting03: Params = {
  paramsFromProto({ parent, configId: _, config, ...rest }) {
    const { name, ...others } = { ...(isValueMap(config) ? config : {}), ...rest };
    const { taskId } = parseResourceName(parent ?? name);
    return { ...(taskId !== undefined && { taskId }), ...others };
  },
  paramsToProto(params) {
    const { taskId, pushNotificationConfig } = params;
    const id = isValueMap(pushNotificationConfig) ? pushNotificationConfig.id : undefined;
    return {
      parent: `tasks/${readIdText(taskId)}`,
      ...(typeof id === 'string' && { configId: id }),
      config: convertPushConfigToProto(spelling03, params),
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

function createResultConverters(spelling: A2aSpelling): Results {
  return {
    item: {
      resultFromProto: (response) => convertItemFromProto(spelling, response),
      resultToProto: (result) => convertItemToProto(spelling, result),
    },
    task: {
      resultFromProto: (response) => convertTaskFromProto(spelling, response),
      resultToProto: (result) => convertTaskToProto(spelling, result),
    },
    tasks: {
      resultFromProto: (response) => mapTasks(response, (task) => convertTaskFromProto(spelling, task)),
      resultToProto: (result) => mapTasks(result, (task) => convertTaskToProto(spelling, task)),
    },
    config: {
      resultFromProto: (response) => convertPushConfigFromProto(spelling, response),
      resultToProto: (result) => convertPushConfigToProto(spelling, result),
    },
    configs: {
      resultFromProto(response) {
        const list = isValueMap(response) ? (response.configs ?? []) : response;
        return Array.isArray(list)
          ? (list as readonly Value[]).map((config) => convertPushConfigFromProto(spelling, config))
          : list;
      },
      resultToProto: (result) =>
        Array.isArray(result)
          ? {
              configs: (result as readonly Value[]).map((config) => convertPushConfigToProto(spelling, config)),
            }
          : result,
    },
  };
}

const none: Result = { resultFromProto: () => null, resultToProto: () => ({}) };
const card03: Result = {
  resultFromProto: convertCardFromProto,
  resultToProto: (card) => convertCardToProto(card),
};
/** A card passes through unchanged, because the binding has already written it for the era. */
const card1: Result = { resultFromProto: (card) => card, resultToProto: (card) => card };

const given03 = createResultConverters(spelling03);
const given1 = createResultConverters(spelling1);

/** A row is a procedure, its params and its result, and the message that some clients send in place of the request. */
const rows03: { readonly [method: string]: readonly [rpc: string, Params, Result, alsoTaken?: string] } = {
  'message/send': ['SendMessage', sending03, given03.item],
  'message/stream': ['SendStreamingMessage', sending03, given03.item],
  'tasks/get': ['GetTask', byTask03, given03.task],
  'tasks/cancel': ['CancelTask', byTask03, given03.task],
  'tasks/resubscribe': ['TaskSubscription', byTask03, given03.item],
  'tasks/pushNotificationConfig/set': [
    'CreateTaskPushNotificationConfig',
    setting03,
    given03.config,
    'TaskPushNotificationConfig',
  ],
  'tasks/pushNotificationConfig/get': ['GetTaskPushNotificationConfig', byConfig03, given03.config],
  'tasks/pushNotificationConfig/list': ['ListTaskPushNotificationConfig', ofTask03, given03.configs],
  'tasks/pushNotificationConfig/delete': ['DeleteTaskPushNotificationConfig', byConfig03, none],
  'agent/getAuthenticatedExtendedCard': ['GetAgentCard', nothing, card03],
};

export const dialect03: A2aDialect = {
  spelling: spelling03,
  schema: a2aSchema03,
  operations: Object.fromEntries(
    Object.entries(rows03).map(([method, row]) => [method, defineOperation(a2aSchema03, ...row)]),
  ),
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

export const dialect1: A2aDialect = {
  era: a2a1,
  spelling: spelling1,
  schema: a2aSchema1,
  operations: Object.fromEntries(
    Object.entries(results1).map(([method, result]) => {
      const { from, to } = findParams1(method);
      const params: Params = { paramsFromProto: from, paramsToProto: to };
      return [method, defineOperation(a2aSchema1, namesIn1[method] ?? '', params, result)];
    }),
  ),
};

export const dialects: readonly A2aDialect[] = [dialect03, dialect1];

function defineOperation(
  schema: () => ProtoSchema,
  rpc: string,
  params: Params,
  result: Result,
  alsoTaken = '',
): A2aOperation {
  const nameTypes = (): { readonly request: string; readonly response: string } =>
    findRpc(schema(), rpc) ?? { request: '', response: '' };
  return {
    rpc,
    ...params,
    ...result,
    paramsFromProto: (request) =>
      params.paramsFromProto(
        [nameTypes().request, alsoTaken].reduce(
          (value, type) => canonicalizeProtoJson(schema(), type, value) as ValueMap,
          request,
        ),
      ),
    resultFromProto: (response) =>
      result.resultFromProto(canonicalizeProtoJson(schema(), nameTypes().response, response)),
  };
}

/** The operation of a method; undefined for a method that only JSON-RPC carries. */
export function findOperation({ operations }: A2aDialect, method: string): A2aOperation | undefined {
  return Object.hasOwn(operations, method) ? operations[method] : undefined;
}

const streaming: ReadonlySet<string> = new Set(['message/stream', 'tasks/resubscribe']);

/** Tells whether a method is answered by a stream. */
export function isStreaming(method: string): boolean {
  return streaming.has(method);
}

function mapTasks(response: Value, change: (task: Value) => Value): Value {
  if (!isValueMap(response) || !Array.isArray(response.tasks)) return response;
  return { ...response, tasks: (response.tasks as readonly Value[]).map(change) };
}

function readTaskIdField(name: Value | undefined): ValueMap {
  const { taskId } = parseResourceName(name);
  return taskId === undefined ? {} : { id: taskId };
}

function readIdText(id: Value | undefined): string {
  return typeof id === 'string' ? id : '';
}
