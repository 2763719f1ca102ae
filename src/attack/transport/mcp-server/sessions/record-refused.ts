import type { Value } from '../../../../format/model/value.ts';
import type { Incoming, RefusedMessage } from '../../../engine/actor-messages.ts';
import type { EchoRemover } from '../../echo-remover.ts';
import { isSuccessStatus } from '../../http-failure.ts';
import { readLooseMessages } from '../../loose/loose-messages.ts';
import { readLoosely } from '../../loose/read-loosely.ts';
import { recordMalformed } from './record-malformed.ts';

/** Bytes that were not served, and the reason. */
export interface RefusedBytes {
  readonly reason: string;
  readonly bytes: Buffer;
  readonly session?: string | undefined;
  /** The key of our request that they came in answer to. */
  readonly ask?: string | undefined;
  /** Removes values that must not be recorded. */
  readonly clean?: EchoRemover | undefined;
  readonly contentType?: string | undefined;
  readonly contentEncoding?: string | undefined;
  /** Set when some of the bytes did not come, or were not kept. */
  readonly end?: 'cut off' | 'too large' | undefined;
  /** The HTTP status that they came with. Whatever comes with a failure need not be a message to count as read. */
  readonly status?: number | undefined;
  /** Finds the messages in a value that is not JSON-RPC. */
  messagesIn?(value: Value): readonly RefusedMessage[];
}

export interface RefusalRecorder {
  readonly limits: { readonly depth: number; readonly recordedBytes: number };
  receive(message: Incoming): void;
}

/** The most bytes after decompression. */
const mostBytes = 16 * 1024 * 1024;

/** Records the readable messages in bytes that are not served; the rest is recorded as unread. */
export function recordRefused(recorder: RefusalRecorder, refused: RefusedBytes): void {
  const { session, ask, clean, contentType, contentEncoding, end } = refused;
  const failure = refused.status === undefined || isSuccessStatus(refused.status) ? {} : { status: refused.status };
  const reason = clean?.text(refused.reason) ?? refused.reason;
  const bytes = clean?.bytes(refused.bytes) ?? refused.bytes;
  const { depth } = recorder.limits;
  const place = { ...(session !== undefined && { session }), ...(ask !== undefined && { ask }) };
  const { values, unread, isText } = readLoosely(bytes, { depth, most: mostBytes, contentType, contentEncoding });
  const messages = values.flatMap(refused.messagesIn ?? readLooseMessages);
  // Compressed content has not been cleaned yet.
  for (const message of messages)
    recorder.receive({ kind: 'refused', message: clean?.json(message) ?? message, reason, ...place, ...failure });
  const isFailure = failure.status !== undefined;
  const doubt = isFailure ? undefined : isText ? 'it is not JSON' : isNamed(messages) ? undefined : noName;
  const rest = end === 'too large' ? 'only its beginning was read' : (unread ?? doubt);
  if (end === 'cut off') recordMalformed(recorder, reason, { ...place, bytes, cause: 'cut_off' });
  else if (rest !== undefined) recordMalformed(recorder, `${reason}; ${rest}`, { ...place, bytes });
}

/** Records bytes that are not a request; without bytes, only the reason. */
export function recordGarbage(recorder: RefusalRecorder, reason: string, bytes: Buffer | undefined): void {
  if (bytes === undefined) recordMalformed(recorder, reason);
  else recordRefused(recorder, { reason, bytes });
}

/** Reads a value that came in answer to a request: it is a response, unless it names a method. */
export function readLooseReply(value: Value): readonly RefusedMessage[] {
  return readLooseMessages(value).map((message) =>
    message.method === undefined ? { ...message, kind: 'response' } : message,
  );
}

/** Reads a value in a stream that answers a request: the reader of the answer knows what it is. */
export function readLooseEvents(value: Value): readonly RefusedMessage[] {
  const each = Array.isArray(value) ? (value as readonly Value[]) : [value];
  return each.map((content) => ({ kind: 'event', content }));
}

const noName = 'it does not say what it is';

/** A message without a method may have been meant for anything. */
function isNamed(messages: readonly RefusedMessage[]): boolean {
  return (
    messages.length > 0 &&
    messages.every(({ kind, method }) => kind === 'response' || kind === 'event' || method !== undefined)
  );
}
