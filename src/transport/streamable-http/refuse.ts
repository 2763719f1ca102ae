import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Value } from '../../model/value.ts';
import { errorCode, frameError } from '../json-rpc.ts';
import type { Peers } from '../sessions/peers.ts';
import { recordMalformed } from '../sessions/record-malformed.ts';
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
  const { status, reason, code = errorCode.refused, id = null, bytes, headers = {} } = refusal;
  const { method = '', url = '' } = request;
  const named = request.headers['mcp-session-id'];
  const session = refusal.session ?? (typeof named === 'string' ? peers.session(named)?.id : undefined);
  recordMalformed(peers, `${method} ${url.slice(0, 200)}: ${reason} (${status})`, bytes, session);
  writeJson(response, status, frameError(id, code, reason), headers);
}
