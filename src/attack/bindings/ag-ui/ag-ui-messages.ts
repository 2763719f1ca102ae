import { isValueMap, type ValueMap } from '../../../format/model/value.ts';

// Messages of a run input or a snapshot.

export function listAgUiMessages({ messages }: ValueMap): readonly ValueMap[] {
  return Array.isArray(messages) ? messages.filter(isValueMap) : [];
}

/** The key that identifies a message: its id, or else its role and content. */
export function readMessageKey({ id, role, content }: ValueMap): string {
  return JSON.stringify(typeof id === 'string' ? id : [role, content]);
}
