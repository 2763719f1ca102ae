import { isValueMap, type ValueMap } from '../../model/value.ts';

// Messages of a run input or a snapshot.

export function messagesIn({ messages }: ValueMap): readonly ValueMap[] {
  return Array.isArray(messages) ? messages.filter(isValueMap) : [];
}

/** What a message is known by: its id, or else what it says. */
export function nameOf({ id, role, content }: ValueMap): string {
  return JSON.stringify(typeof id === 'string' ? id : [role, content]);
}
