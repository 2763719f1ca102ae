import type { Peers } from './peers.ts';

/** Lets the record show what could not be served, or not without losing something of it. */
export function recordMalformed(
  peers: Pick<Peers, 'limits' | 'receive'>,
  reason: string,
  bytes?: Buffer,
  session?: string,
): void {
  const { recordedBytes } = peers.limits;
  const raw = bytes?.subarray(0, recordedBytes).toString('base64') ?? '';
  const cut =
    bytes !== undefined && bytes.length > recordedBytes ? `; the first ${recordedBytes} bytes are kept` : '';
  peers.receive({
    kind: 'malformed',
    raw,
    reason: `${reason}${cut}`,
    ...(session !== undefined && { session }),
  });
}
