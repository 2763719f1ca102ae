import { parseJsonString } from '../../../format/model/json-text-values.ts';
import { isValueMap, type Value, type ValueMap } from '../../../format/model/value.ts';
import { mcp2026, metaKey, readRequestMeta } from '../../../format/registry/mcp-2026.ts';
import type { RefusedMessage } from '../../engine/actor-messages.ts';

// Finds messages in a value that is not valid JSON-RPC, or is not served as such.

/** The messages in a value: a batch has several. */
export function readLooseMessages(value: Value): readonly RefusedMessage[] {
  const each = Array.isArray(value) ? (value as readonly Value[]) : [value];
  return each.flatMap(readLooseMessage);
}

function readLooseMessage(value: Value): readonly RefusedMessage[] {
  if (!isValueMap(value)) return [{ kind: 'notification', content: value }];
  const { jsonrpc: _, id, method, params, ...others } = value;
  const named = id === undefined ? {} : { id };
  if (typeof method === 'string') {
    const kind = id === undefined ? 'notification' : 'request';
    const era = readRequestMeta(params)[metaKey.protocolVersion] === undefined ? {} : { era: mcp2026 };
    return listContents('params', params, others).map((content) => ({
      kind,
      method,
      ...named,
      content,
      ...era,
    }));
  }
  const { result, error, ...rest } = others;
  const answers: RefusedMessage[] = [];
  const kind = 'response';
  if (result !== undefined)
    for (const content of listContents('result', result, rest)) answers.push({ kind, ...named, content });
  if (error !== undefined)
    for (const content of listContents('error', error, rest)) answers.push({ kind, ...named, content, failed: true });
  return answers.length > 0 ? answers : [{ kind: 'notification', content: value }];
}

/** Keys beside the params, or beside a result, are read as if they stood inside. */
function listContents(name: string, content: Value | undefined, others: ValueMap): readonly Value[] {
  const read = content === undefined || (content === null && name === 'params') ? {} : parseJsonString(content);
  if (Object.keys(others).length === 0) return [read];
  if (!isValueMap(read)) return [{ ...others, [name]: read }];
  const isHidden = Object.keys(others).some((key) => Object.hasOwn(read, key));
  const together = { ...read, ...others };
  return isHidden ? [read, together] : [together];
}

const ownKeys: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

/** Finds a key of a message that has no meaning in JSON-RPC. */
export function findOtherKey(message: Value): string | undefined {
  if (isValueMap(message)) for (const key in message) if (!ownKeys.has(key)) return key;
  return undefined;
}
