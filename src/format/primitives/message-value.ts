import type { Direction } from '../model/enumeration-types.ts';
import type { MessageRecord } from '../model/trace-record.ts';
import { isValueMap, type Value, type ValueMap } from '../model/value.ts';
import { isClientMode } from '../registry/known-modes.ts';

const requestKey = '_request';

/**
 * The value of a message for triggers, extractors and indicators. A response does not say which call it answers. So, for a
 * client actor, the path `_request` gives the params of its request, unless the response has a field of that name. They do
 * not count in the text, the size, the equality or the keys of the value.
 */
export function messageValue(record: Pick<MessageRecord, 'content' | 'request' | 'kind' | 'mode'>): Value {
  const { content, request, kind, mode } = record;
  const answers = kind === 'response' || kind === 'event';
  if (request === undefined || !answers || !isClientMode(mode)) return content;
  if (!isValueMap(content) || Object.hasOwn(content, requestKey)) return content;
  return attachRequest(content, request);
}

/**
 * Copies the content with `_request` as a property that is not enumerable: paths find it, and code that walks the object
 * does not.
 */
function attachRequest(content: ValueMap, request: Value): ValueMap {
  return Object.defineProperty({ ...content }, requestKey, { value: request });
}

/** The params that `messageValue` added to a response; undefined if the response has a field of that name itself. */
export function readAttachedRequest(message: Value): Value | undefined {
  if (!isValueMap(message)) return undefined;
  const property = Object.getOwnPropertyDescriptor(message, requestKey);
  return property === undefined || property.enumerable ? undefined : (property.value as Value);
}

/** Makes another response to the same call. */
export function replaceResponse(message: Value, other: ValueMap): ValueMap {
  const request = readAttachedRequest(message);
  return request === undefined ? other : attachRequest(other, request);
}

/** The direction of a message, as seen from the actor's role (format spec §6.1): a server actor receives requests. */
export function directionOf({ mode, origin }: MessageRecord): Direction {
  return isClientMode(mode) === (origin === 'attacker') ? 'request' : 'response';
}
