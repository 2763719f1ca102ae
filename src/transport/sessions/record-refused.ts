import type { Incoming, RefusedMessage } from '../../engine/messages.ts';
import type { Value } from '../../model/value.ts';
import { looseMessages } from '../loose/loose-messages.ts';
import { readLoosely } from '../loose/read-loosely.ts';
import type { WithoutEchoes } from '../without-echoes.ts';
import { recordMalformed } from './record-malformed.ts';

/** What was not served, and why. */
export interface Refused {
  readonly reason: string;
  readonly bytes: Buffer;
  readonly session?: string | undefined;
  /** The request of ours in answer to which it came. */
  readonly ask?: string | undefined;
  /** Takes out what must not be written down. */
  readonly clean?: WithoutEchoes | undefined;
  readonly contentType?: string | undefined;
  readonly contentEncoding?: string | undefined;
  /** Not all of it came, or was kept. */
  readonly end?: 'cut off' | 'too large';
  /** Says what is meant, where it is not JSON-RPC. */
  messagesIn?(value: Value): readonly RefusedMessage[];
}

export interface Recorder {
  readonly limits: { readonly depth: number; readonly recordedBytes: number };
  receive(message: Incoming): void;
}

/** Compressed bytes may grow to this, and no further. */
const mostBytes = 16 * 1024 * 1024;

/** Lets the record show what can be read of bytes that are not served; the rest of them is told as unread. */
export function recordRefused(recorder: Recorder, refused: Refused): void {
  const { session, ask, clean, contentType, contentEncoding, end } = refused;
  const reason = clean?.text(refused.reason) ?? refused.reason;
  const bytes = clean?.bytes(refused.bytes) ?? refused.bytes;
  const { depth } = recorder.limits;
  const place = { ...(session !== undefined && { session }), ...(ask !== undefined && { ask }) };
  const { values, unread } = readLoosely(bytes, { depth, most: mostBytes, contentType, contentEncoding });
  const messages = values.flatMap(refused.messagesIn ?? looseMessages);
  // What was compressed has not been looked through yet.
  for (const message of messages)
    recorder.receive({ kind: 'refused', message: clean?.json(message) ?? message, reason, ...place });
  const rest =
    end === 'too large'
      ? 'only its beginning was read'
      : (unread ?? (isNamed(messages) ? undefined : noName));
  if (end === 'cut off') recordMalformed(recorder, reason, { ...place, bytes, cause: 'cut_off' });
  else if (rest !== undefined) recordMalformed(recorder, `${reason}; ${rest}`, { ...place, bytes });
}

/** What is no request at all; without bytes, nothing came of it. */
export function recordGarbage(recorder: Recorder, reason: string, bytes: Buffer | undefined): void {
  if (bytes === undefined) recordMalformed(recorder, reason);
  else recordRefused(recorder, { reason, bytes });
}

/** What comes back in answer to a request: an answer, unless it says that it is something else. */
export function looseReply(value: Value): readonly RefusedMessage[] {
  return looseMessages(value).map((message) =>
    message.method === undefined ? { ...message, kind: 'response' } : message,
  );
}

/** What comes in a stream that answers a request: the reader of the answer knows what it is. */
export function looseEvents(value: Value): readonly RefusedMessage[] {
  const each = Array.isArray(value) ? (value as readonly Value[]) : [value];
  return each.map((content) => ({ kind: 'event', content }));
}

const noName = 'it does not say what it is';

/** What names no method may have been meant for anything. */
function isNamed(messages: readonly RefusedMessage[]): boolean {
  return (
    messages.length > 0 &&
    messages.every(({ kind, method }) => kind === 'response' || kind === 'event' || method !== undefined)
  );
}
