import type { ValueMap } from '../../model/value.ts';
import { pushConfigFromProto, sendParamsFromProto } from './from-proto.ts';
import { spelling1 } from './spelling.ts';
import { pushConfigToProto, sendParamsToProto } from './to-proto.ts';

// The params of each operation: since 1.0, and before. An operation without a row has the same params in both.

interface Row {
  from(params: ValueMap): ValueMap;
  to(params: ValueMap): ValueMap;
}

const sending: Row = {
  from: (params) => sendParamsFromProto(spelling1, params),
  to: (params) => sendParamsToProto(spelling1, params),
};

const ofConfig: Row = {
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

const setting: Row = {
  from: (params) => pushConfigFromProto(spelling1, params) as ValueMap,
  to: (params) => pushConfigToProto(spelling1, params) as ValueMap,
};

const same: Row = { from: (params) => params, to: (params) => params };

const rows: { readonly [operation: string]: Row } = {
  'message/send': sending,
  'message/stream': sending,
  'tasks/pushNotificationConfig/set': setting,
  'tasks/pushNotificationConfig/get': ofConfig,
  'tasks/pushNotificationConfig/list': ofConfig,
  'tasks/pushNotificationConfig/delete': ofConfig,
};

export function params1(operation: string): Row {
  return (Object.hasOwn(rows, operation) ? rows[operation] : undefined) ?? same;
}
