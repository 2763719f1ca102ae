import type { MessageRecord } from '../model/trace.ts';
import { isValueMap, type Value } from '../model/value.ts';
import { isClientMode } from '../registry/modes.ts';

/**
 * What evaluation sees of a message. A response does not say which call it answers, so on the client's side
 * it carries the originating params under `_request`, unless it has a field of that name itself.
 */
export function messageValue(record: Pick<MessageRecord, 'content' | 'request' | 'kind' | 'mode'>): Value {
  const { content, request, kind, mode } = record;
  const answers = kind === 'response' || kind === 'event';
  if (request === undefined || !answers || !isClientMode(mode)) return content;
  if (!isValueMap(content) || Object.hasOwn(content, '_request')) return content;
  return { ...content, _request: request };
}
