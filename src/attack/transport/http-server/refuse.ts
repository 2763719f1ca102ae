import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Value } from '../../../format/model/value.ts';
import type { RefusedMessage } from '../../engine/actor-messages.ts';
import { errorCode, frameError } from '../json-rpc-frames.ts';
import type { McpPeers } from '../mcp-server/sessions/peers.ts';
import { recordMalformed } from '../mcp-server/sessions/record-malformed.ts';
import { type RefusalRecorder, recordRefused } from '../mcp-server/sessions/record-refused.ts';
import type { RequestBody } from './read-body.ts';
import { writeJson } from './response.ts';

export interface HttpRefusal {
  readonly status: number;
  readonly reason: string;
  readonly code?: number;
  readonly id?: Value;
  readonly session?: string;
  readonly body?: RequestBody;
  readonly headers?: Record<string, string>;
  /** True for a message of an earlier run, so its body is not read. */
  readonly isForeign?: true;
  /** Finds the messages in a body that is not JSON-RPC. */
  messagesIn?(value: Value): readonly RefusedMessage[];
}

/** Answers a request that is refused, and records it: it may explain why an agent sees nothing. */
export function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  peers: McpPeers,
  refusal: HttpRefusal,
): void {
  const { status, reason, code = errorCode.refused, id = null, headers = {} } = refusal;
  const named = request.headers['mcp-session-id'];
  const session = refusal.session ?? (typeof named === 'string' ? peers.session(named)?.id : undefined);
  recordRefusal(peers, request, { ...refusal, ...(session !== undefined && { session }) });
  writeJson(response, status, frameError(id, code, reason), headers);
}

/** Records a refused request and its content. */
export function recordRefusal(recorder: RefusalRecorder, request: IncomingMessage, refusal: HttpRefusal): void {
  const { method = '', url = '', headers } = request;
  const { body, session, isForeign, messagesIn } = refusal;
  const reason = `${method} ${url.slice(0, 200)}: ${refusal.reason} (${refusal.status})`;
  const bytes = body?.bytes;
  const isEmpty = body?.kind === 'whole' && bytes?.length === 0;
  if (isForeign && isEmpty) recorder.receive({ kind: 'log', level: 'info', message: reason });
  else if (isForeign || bytes === undefined) recordMalformed(recorder, reason, { bytes, session });
  else if (isEmpty) {
    const message = { kind: 'notification', method, content: { url } } as const;
    recorder.receive({ kind: 'refused', message, reason, ...(session !== undefined && { session }) });
  } else
    recordRefused(recorder, {
      reason,
      bytes,
      session,
      contentType: headers['content-type'],
      contentEncoding: headers['content-encoding'],
      ...ends[body?.kind ?? 'whole'],
      ...(messagesIn !== undefined && { messagesIn }),
    });
}

const ends = {
  whole: {},
  'too large': { end: 'too large' },
  'no room': { end: 'too large' },
  'cut off': { end: 'cut off' },
} as const;
