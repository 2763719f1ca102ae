import { isValueMap, type ValueMap } from '../../../format/model/value.ts';

// Messages of a run input or a snapshot.

export function listAgUiMessages({ messages }: ValueMap): readonly ValueMap[] {
  return Array.isArray(messages) ? messages.filter(isValueMap) : [];
}
