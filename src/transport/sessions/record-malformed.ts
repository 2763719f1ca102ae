import type { Incoming } from '../../engine/messages.ts';

/** The bytes, and the session or request that they belong to. */
export interface Malformed {
  readonly bytes?: Buffer | undefined;
  readonly session?: string | undefined;
  readonly ask?: string | undefined;
  readonly cause?: 'cut_off';
}

/** Records bytes that could not be read, or not completely. */
export function recordMalformed(
  recorder: { readonly limits: { readonly recordedBytes: number }; receive(message: Incoming): void },
  reason: string,
  { bytes, session, ask, cause }: Malformed = {},
): void {
  const { recordedBytes } = recorder.limits;
  const raw = bytes?.subarray(0, recordedBytes).toString('base64') ?? '';
  const cut =
    bytes !== undefined && bytes.length > recordedBytes ? `; the first ${recordedBytes} bytes are kept` : '';
  recorder.receive({
    kind: 'malformed',
    raw,
    reason: `${reason}${cut}`,
    ...(session !== undefined && { session }),
    ...(ask !== undefined && { ask }),
    ...(cause !== undefined && { cause }),
  });
}
