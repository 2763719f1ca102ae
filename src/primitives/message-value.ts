import type { MessageRecord } from '../model/trace.ts';
import { isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { isClientMode } from '../registry/modes.ts';

const requestKey = '_request';

/**
 * What triggers, extractors and indicators see of a message. A response does not say which call it answers, so on the
 * client's side the originating params answer to the path `_request`, unless the response has a field of that name
 * itself. They are no part of the value: its text, its size, equality and enumeration do not have them.
 */
export function messageValue(record: Pick<MessageRecord, 'content' | 'request' | 'kind' | 'mode'>): Value {
  const { content, request, kind, mode } = record;
  const answers = kind === 'response' || kind === 'event';
  if (request === undefined || !answers || !isClientMode(mode)) return content;
  if (!isValueMap(content) || Object.hasOwn(content, requestKey)) return content;
  return withRequest(content, request);
}

/** A copy with the key as an own property that is not enumerable: paths find it, and whoever walks the map does not. */
function withRequest(content: ValueMap, request: Value): ValueMap {
  return Object.defineProperty({ ...content }, requestKey, { value: request });
}

/** The params that `messageValue` put beside a response; nothing where the response has such a field itself. */
export function requestBeside(message: Value): Value | undefined {
  if (!isValueMap(message)) return undefined;
  const property = Object.getOwnPropertyDescriptor(message, requestKey);
  return property === undefined || property.enumerable ? undefined : (property.value as Value);
}

/** Another response to the same call. */
export function inPlaceOf(message: Value, other: ValueMap): ValueMap {
  const request = requestBeside(message);
  return request === undefined ? other : withRequest(other, request);
}
