import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Value } from '../../model/value.ts';
import { errorCode, frameError } from '../json-rpc.ts';
import type { Peers } from './peers.ts';
import { writeJson } from './response.ts';

export interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly code?: number;
  readonly id?: Value;
  readonly session?: string;
  readonly bytes?: Buffer;
  readonly headers?: Record<string, string>;
}

/** Answers a request that gets no further, and lets the record show it: it may be why an agent sees nothing. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  peers: Peers,
  refusal: Refusal,
): void {
  const { status, reason, code = errorCode.refused, id = null, session, bytes, headers = {} } = refusal;
  const { method = '', url = '' } = request;
  recordMalformed(peers, `${method} ${url.slice(0, 200)}: ${reason} (${status})`, bytes, session);
  writeJson(response, status, frameError(id, code, reason), headers);
}

export function recordMalformed(peers: Peers, reason: string, bytes?: Buffer, session?: string): void {
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
