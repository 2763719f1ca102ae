import { stringifyJson } from '../../format/model/json-text-values.ts';
import { isCollection, isValueMap, type Value } from '../../format/model/value.ts';
import type { Answer } from '../engine/actor-messages.ts';

// JSON-RPC 2.0 framing, both ways. The binding knows what a method means.

export const errorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  // From the range that JSON-RPC leaves to servers; the numbers that MCP servers use.
  refused: -32000,
  sessionNotFound: -32001,
} as const;

export type Frame =
  | {
      readonly kind: 'request';
      readonly method: string;
      readonly id: Value;
      readonly params: Value | undefined;
    }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Value | undefined }
  | { readonly kind: 'response'; readonly id: Value; readonly answer: Answer }
  /** `id` is the id for the error response. */
  | { readonly kind: 'invalid'; readonly id: Value; readonly reason: string };

/**
 * Classifies a parsed message. A message with an `id` of any type is a request and is answered under that very value.
 * `null`, fractions and objects are invalid ids in MCP, but a peer that sends them is still served. Only a message
 * without `id` can be a notification.
 */
export function readFrame(message: Value): Frame {
  if (!isValueMap(message)) return createInvalidFrame(null, 'a message is an object');
  const { jsonrpc, id, method, params, result, error } = message;
  if (jsonrpc !== '2.0') return createInvalidFrame(id, '`jsonrpc` is not "2.0"');
  const isResponse = result !== undefined || error !== undefined;
  if (method !== undefined) {
    if (isResponse) return createInvalidFrame(id, 'both a request and a response');
    if (typeof method !== 'string') return createInvalidFrame(id, '`method` is not a string');
    // Some clients write `null` for missing params.
    if (params !== undefined && params !== null && !isCollection(params))
      return createInvalidFrame(id, '`params` is neither an object nor a list');
    return id === undefined ? { kind: 'notification', method, params } : { kind: 'request', method, id, params };
  }
  if (!isResponse) return createInvalidFrame(id, 'neither `method` nor `result` nor `error`');
  if (id === undefined) return createInvalidFrame(null, 'a response without `id`');
  if (error === undefined && result !== undefined) return { kind: 'response', id, answer: { kind: 'result', result } };
  if (error !== undefined && result === undefined) return { kind: 'response', id, answer: { kind: 'error', error } };
  return createInvalidFrame(id, 'both `result` and `error`');
}

function createInvalidFrame(id: Value | undefined, reason: string): Frame {
  return { kind: 'invalid', id: id ?? null, reason };
}

export function frameAnswer(id: Value, answer: Answer): string {
  const content = answer.kind === 'result' ? answer.result : answer.error;
  return frameAnswerText(id, answer.kind, stringifyJson(content));
}

/** Frames an answer whose content is already written. */
export function frameAnswerText(id: Value, kind: Answer['kind'], content: string): string {
  // Most ids are numbers, and a number is written as JavaScript writes it.
  const named = typeof id === 'number' && Number.isFinite(id) ? String(id) : stringifyJson(id);
  return `{"jsonrpc":"2.0","id":${named},"${kind}":${content}}`;
}

export function frameError(id: Value, code: number, message: string): string {
  return frameAnswer(id, { kind: 'error', error: { code, message } });
}

export function frameNotification(method: string, params: Value | undefined): string {
  return stringifyJson({ jsonrpc: '2.0', method, params });
}

export function frameRequest(id: string, method: string, params: Value | undefined): string {
  return stringifyJson({ jsonrpc: '2.0', id, method, params });
}
