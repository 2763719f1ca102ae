import type { ValueMap } from '../../model/value.ts';
import { convertPushConfigFromProto, sendParamsFromProto } from './from-proto.ts';
import { spelling1 } from './spelling.ts';
import { convertPushConfigToProto, sendParamsToProto } from './to-proto.ts';

// The params of each operation: since 1.0, and before. An operation without a row has the same params in both.

interface ParamsConverter {
  from(params: ValueMap): ValueMap;
  to(params: ValueMap): ValueMap;
}

const sending: ParamsConverter = {
  from: (params) => sendParamsFromProto(spelling1, params),
  to: (params) => sendParamsToProto(spelling1, params),
};

const ofConfig: ParamsConverter = {
  from({ taskId, id, ...rest }) {
    return {
      ...rest,
      ...(taskId !== undefined && { id: taskId }),
      ...(id !== undefined && { [taskId === undefined ? 'id' : 'pushNotificationConfigId']: id }),
    };
  },
  to({ id, pushNotificationConfigId, ...rest }) {
    return {
      ...rest,
      ...(id !== undefined && { taskId: id }),
      ...(pushNotificationConfigId !== undefined && { id: pushNotificationConfigId }),
    };
  },
};

const setting: ParamsConverter = {
  from: (params) => convertPushConfigFromProto(spelling1, params) as ValueMap,
  to: (params) => convertPushConfigToProto(spelling1, params) as ValueMap,
};

const same: ParamsConverter = { from: (params) => params, to: (params) => params };

const rows: { readonly [operation: string]: ParamsConverter } = {
  'message/send': sending,
  'message/stream': sending,
  'tasks/pushNotificationConfig/set': setting,
  'tasks/pushNotificationConfig/get': ofConfig,
  'tasks/pushNotificationConfig/list': ofConfig,
  'tasks/pushNotificationConfig/delete': ofConfig,
};

export function findParams1(operation: string): ParamsConverter {
  return (Object.hasOwn(rows, operation) ? rows[operation] : undefined) ?? same;
}
