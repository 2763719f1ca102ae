import { stringifyJson } from '../../model/json.ts';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { readJson } from '../../transport/json-text.ts';
import { mirroredHeaders } from '../../transport/streamable-http/mirrored-headers.ts';

// Reads the facts that a bridge needs from the messages it forwards. Unreadable messages are forwarded too.

const depth = 512;

/** The ids of the requests in a message or batch. */
export function requestsIn(bytes: Buffer): Set<string> {
  return new Set(messagesIn(bytes).flatMap(({ id, method }) => (method === undefined ? [] : keyOf(id))));
}

/** The ids of the answers in a message or batch. */
export function answersIn(bytes: Buffer): readonly string[] {
  return messagesIn(bytes).flatMap(({ id, method }) => (method === undefined ? keyOf(id) : []));
}

export function opensSession(bytes: Buffer): boolean {
  return messagesIn(bytes).some(({ method }) => method === 'initialize');
}

/** The version that an answer to `initialize` settles, if it can be sent in a header. */
export function versionIn(bytes: Buffer): string | undefined {
  const [{ result } = {}] = messagesIn(bytes);
  const version = isValueMap(result) ? result.protocolVersion : undefined;
  return typeof version === 'string' && /^[\x21-\x7e]{1,100}$/.test(version) ? version : undefined;
}

/** The headers for a message: since 2026-07-28 they repeat parts of it. */
export function headersFor(bytes: Buffer): Record<string, string> {
  const [message, ...others] = messagesIn(bytes);
  if (typeof message?.method !== 'string' || others.length > 0) return {};
  return mirroredHeaders(message.method, message.params);
}

function messagesIn(bytes: Buffer): readonly ValueMap[] {
  const read = readJson(bytes, depth);
  if (!read.ok) return [];
  const { value } = read;
  return (Array.isArray(value) ? value : [value]).filter(isValueMap);
}

function keyOf(id: Value | undefined): readonly string[] {
  return id === undefined ? [] : [stringifyJson(id)];
}
