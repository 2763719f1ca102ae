import type { Incoming } from '../../../engine/actor-messages.ts';

/** The bytes, and the session or request that they belong to. */
export interface MalformedMessage {
  readonly bytes?: Buffer | undefined;
  readonly session?: string | undefined;
  readonly ask?: string | undefined;
  readonly cause?: 'cut_off';
}

interface MalformedRecorder {
  readonly limits: { readonly recordedBytes: number };
  receive(message: Incoming): void;
}

/** Records bytes that could not be read, or not completely. */
export function recordMalformed(
  recorder: MalformedRecorder,
  reason: string,
  { bytes, session, ask, cause }: MalformedMessage = {},
): void {
  const { recordedBytes } = recorder.limits;
  const raw = bytes?.subarray(0, recordedBytes).toString('base64') ?? '';
  const cut = bytes !== undefined && bytes.length > recordedBytes ? `; the first ${recordedBytes} bytes are kept` : '';
  recorder.receive({
    kind: 'malformed',
    raw,
    reason: `${reason}${cut}`,
    ...(session !== undefined && { session }),
    ...(ask !== undefined && { ask }),
    ...(cause !== undefined && { cause }),
  });
}

/** Records that a client cannot have read an answer of ours, so the run cannot tell what it would have done. */
export function recordUnreadAnswer(recorder: MalformedRecorder, session?: string): void {
  const reason = 'the client had closed its end before it read our answer';
  recordMalformed(recorder, reason, { session, cause: 'cut_off' });
}
