import { readJson } from '../../attack/transport/json-text.ts';
import { mirrorRequest } from '../../attack/transport/mcp-server/mirrored-headers.ts';
import { stringifyJson } from '../../format/model/json-text-values.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';

// Reads the facts that a bridge needs from the messages it forwards. Unreadable messages are forwarded too.

const depth = 512;

/** The ids of the requests in a message or batch. */
export function listRequestIds(bytes: Buffer): Set<string> {
  return new Set(parseMessages(bytes).flatMap(({ id, method }) => (method === undefined ? [] : toIdKeys(id))));
}

/** The ids of the answers in a message or batch. */
export function listAnswerIds(bytes: Buffer): readonly string[] {
  return parseMessages(bytes).flatMap(({ id, method }) => (method === undefined ? toIdKeys(id) : []));
}

export function isSessionOpening(bytes: Buffer): boolean {
  return parseMessages(bytes).some(({ method }) => method === 'initialize');
}

/** The version that an answer to `initialize` names, if it can be sent in a header. */
export function readNegotiatedVersion(bytes: Buffer): string | undefined {
  const [{ result } = {}] = parseMessages(bytes);
  const version = isValueMap(result) ? result.protocolVersion : undefined;
  return typeof version === 'string' && /^[\x21-\x7e]{1,100}$/.test(version) ? version : undefined;
}

/** The headers for a message: since 2026-07-28 they repeat parts of it. */
export function createMirroredHeaders(bytes: Buffer): Record<string, string> {
  const [message, ...others] = parseMessages(bytes);
  if (typeof message?.method !== 'string' || others.length > 0) return {};
  return mirrorRequest(message.method, message.params);
}

function parseMessages(bytes: Buffer): readonly ValueMap[] {
  const read = readJson(bytes, depth);
  if (!read.ok) return [];
  const { value } = read;
  return (Array.isArray(value) ? value : [value]).filter(isValueMap);
}

function toIdKeys(id: Value | undefined): readonly string[] {
  return id === undefined ? [] : [stringifyJson(id)];
}
