import type { Value } from '../../../../format/model/value.ts';
import type { RefusedMessage } from '../../../engine/actor-messages.ts';
import { errorCode, type Frame, readFrame } from '../../json-rpc-frames.ts';
import { hasRepeatedKeys, readJson } from '../../json-text.ts';
import { findOtherKey, readLooseMessages } from '../../loose/loose-messages.ts';
import { readTolerantly } from '../../loose/tolerant-json.ts';
import { isOf2026 } from './request-metadata.ts';

/** The content of a peer's bytes. */
export type MessageText =
  | {
      readonly kind: 'read';
      readonly frames: readonly Frame[];
      /** The value from which each frame was read. */
      readonly messages: readonly Value[];
      readonly isBatch: boolean;
      readonly odd?: MessageOddity;
    }
  | UnreadableMessage;

/** Faults in a message that is still served. */
export interface MessageOddity {
  readonly noted: string;
  /** The parts that are not served: indicators see them as messages of their own. */
  readonly beside: readonly RefusedMessage[];
  /** The reason why some parts are missing even there. */
  readonly unread?: string;
}

/** The reason why bytes are not a message; `code` and `id` are for the error response. */
export interface UnreadableMessage {
  readonly kind: 'unreadable';
  readonly code: number;
  readonly id: Value;
  readonly reason: string;
}

/** Reads a message, or a batch, from any transport. `odd` describes what the frames do not show. */
export function readMessageText(bytes: Buffer, depth: number): MessageText {
  const json = readJson(bytes, depth);
  if (!json.ok) return createUnreadable(errorCode.parseError, null, json.reason);
  const { value } = json;
  const isBatch = Array.isArray(value);
  const messages: readonly Value[] = isBatch ? value : [value];
  const frames = messages.map(readFrame);
  const [first] = frames;
  if (first === undefined) return createUnreadable(errorCode.invalidRequest, null, 'an empty batch');
  if (!isBatch && first.kind === 'invalid') return createUnreadable(errorCode.invalidRequest, first.id, first.reason);
  if (isBatch && frames.some(isSessionOpener))
    return createUnreadable(errorCode.invalidRequest, null, 'initialize within a batch');
  const odd = findOddity(messages, value, bytes, depth);
  return { kind: 'read', frames, messages, isBatch, ...(odd !== undefined && { odd }) };
}

export function isSessionOpener(frame: Frame): boolean {
  return frame.kind === 'request' && frame.method === 'initialize' && !isOf2026(frame);
}

/** The id for the error response when a whole message is refused. */
export function chooseErrorId({
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

/** An item of a batch that is not a message is answered with an error. */
export function countAnswers(frames: readonly Frame[]): number {
  return frames.filter(({ kind }) => kind === 'request' || kind === 'invalid').length;
}

/** Finds the parts of messages that their frames leave out. */
export function findOddity(
  messages: readonly Value[],
  value: Value,
  bytes: Buffer,
  depth: number,
): MessageOddity | undefined {
  const odd = messages.filter((message) => findOtherKey(message) !== undefined);
  const [first] = odd;
  const key = first === undefined ? undefined : findOtherKey(first);
  const repeats = hasRepeatedKeys(bytes, value);
  if (key === undefined && !repeats) return undefined;
  const other = `it has a key beside those of JSON-RPC: ${JSON.stringify((key ?? '').slice(0, 100))}`;
  if (!repeats) return { noted: other, beside: odd.flatMap(readLooseMessages) };
  const { values, problem } = readTolerantly(bytes.toString('utf8'), depth);
  return {
    noted: key === undefined ? twice : `${other}; ${twice}`,
    beside: [...odd, ...values].flatMap(readLooseMessages),
    ...(problem !== undefined && { unread: problem }),
  };
}

export const twice = 'it says a key twice; the last one counts';

function createUnreadable(code: number, id: Value, reason: string): UnreadableMessage {
  return { kind: 'unreadable', code, id, reason };
}
