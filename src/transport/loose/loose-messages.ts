import type { RefusedMessage } from '../../engine/messages.ts';
import { unfolded } from '../../model/unfolded.ts';
import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';

// What a value means that is no proper JSON-RPC, or not served as such.

/** The messages in a value: a batch has several. */
export function looseMessages(value: Value): readonly RefusedMessage[] {
  const each = Array.isArray(value) ? (value as readonly Value[]) : [value];
  return each.flatMap(looseMessage);
}

function looseMessage(value: Value): readonly RefusedMessage[] {
  if (!isValueMap(value)) return [{ kind: 'notification', content: value }];
  const { jsonrpc: _, id, method, params, ...others } = value;
  const named = id === undefined ? {} : { id };
  if (typeof method === 'string') {
    const kind = id === undefined ? 'notification' : 'request';
    return contentsOf(params, others).map((content) => ({ kind, method, ...named, content }));
  }
  const { result, error } = others;
  const answers: RefusedMessage[] = [];
  if (result !== undefined) answers.push({ kind: 'response', ...named, content: result });
  if (error !== undefined) answers.push({ kind: 'response', ...named, content: error, failed: true });
  return answers.length > 0 ? answers : [{ kind: 'notification', content: value }];
}

/** What stands beside the params is looked at as if it stood among them. */
function contentsOf(params: Value | undefined, others: ValueMap): readonly Value[] {
  const read = params === undefined || params === null ? {} : unfolded(params);
  if (Object.keys(others).length === 0) return [read];
  if (!isValueMap(read)) return [{ params: read, ...others }];
  const isHidden = Object.keys(others).some((key) => Object.hasOwn(read, key));
  const together = { ...read, ...others };
  return isHidden ? [read, together] : [together];
}

const ownKeys: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

/** A key of a message that JSON-RPC has no meaning for. */
export function otherKeyIn(message: Value): string | undefined {
  if (isValueMap(message)) for (const key in message) if (!ownKeys.has(key)) return key;
  return undefined;
}
