import { isValueMap, type Value, type ValueMap } from '../../model/value.ts';
import { errorCode, type Frame, readFrame } from '../json-rpc.ts';
import { readJson, repeatsKeys } from '../json-text.ts';

/** What a peer's bytes say. */
export type MessageText =
  | {
      readonly kind: 'read';
      readonly frames: readonly Frame[];
      readonly isBatch: boolean;
      readonly odd?: string;
    }
  | Unreadable;

/** Why bytes are no message; `code` and `id` are for the error that goes back. */
export interface Unreadable {
  readonly kind: 'unreadable';
  readonly code: number;
  readonly id: Value;
  readonly reason: string;
}

/** A message, or a batch, whatever it came over. `odd` says what of it only its bytes still show. */
export function readMessage(bytes: Buffer, depth: number): MessageText {
  const json = readJson(bytes, depth);
  if (!json.ok) return unreadable(errorCode.parseError, null, json.reason);
  const { value } = json;
  const isBatch = Array.isArray(value);
  const messages: readonly Value[] = isBatch ? value : [value];
  const frames = messages.map(readFrame);
  const [first] = frames;
  if (first === undefined) return unreadable(errorCode.invalidRequest, null, 'an empty batch');
  if (!isBatch && first.kind === 'invalid')
    return unreadable(errorCode.invalidRequest, first.id, first.reason);
  if (isBatch && frames.some(opensSession))
    return unreadable(errorCode.invalidRequest, null, 'initialize within a batch');
  const odd = oddityOf(messages, value, bytes);
  return { kind: 'read', frames, isBatch, ...(odd !== undefined && { odd }) };
}

export function opensSession(frame: Frame): boolean {
  return frame.kind === 'request' && frame.method === 'initialize';
}

/** The id that an error goes back with, where a whole message is refused. */
export function idOf({
  frames,
  isBatch,
}: {
  readonly frames: readonly Frame[];
  readonly isBatch: boolean;
}): Value {
  const [first] = frames;
  return !isBatch && first?.kind === 'request' ? first.id : null;
}

export function countRequests(frames: readonly Frame[]): number {
  return frames.filter(({ kind }) => kind === 'request').length;
}

/** What is in a batch and no message is answered with an error. */
export function countAnswers(frames: readonly Frame[]): number {
  return frames.filter(({ kind }) => kind === 'request' || kind === 'invalid').length;
}

const ownKeys: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);

function oddityOf(messages: readonly Value[], value: Value, bytes: Buffer): string | undefined {
  for (const message of messages) {
    const other = isValueMap(message) ? otherKeyIn(message) : undefined;
    if (other !== undefined)
      return `served, but it has a key beside those of JSON-RPC: ${JSON.stringify(other.slice(0, 100))}`;
  }
  return repeatsKeys(bytes, value) ? 'served, but it says a key twice; the last one counts' : undefined;
}

function otherKeyIn(message: ValueMap): string | undefined {
  for (const key in message) if (!ownKeys.has(key)) return key;
  return undefined;
}

function unreadable(code: number, id: Value, reason: string): Unreadable {
  return { kind: 'unreadable', code, id, reason };
}
