import type { IncomingMessage, ServerResponse } from 'node:http';
import { mcp2026, mcp2026Error } from '../../../format/registry/mcp-2026.ts';
import type { HttpRefusal } from '../http-server/refuse.ts';
import type { Frame } from '../json-rpc-frames.ts';
import { readAcceptedTypes } from './accepted-types.ts';
import { findHeaderMismatch, readParamHeaders, saysEra2026 } from './mirrored-headers.ts';
import type { PostContext } from './post.ts';
import { RequestReply } from './request-reply.ts';
import { findMissingMetadata, isOf2026 } from './sessions/request-metadata.ts';
import { type TakenMessage, takeFrames } from './sessions/take-frames.ts';

const invalidParams = -32602;

/** The frame of a POST of 2026-07-28 or later; such a POST has exactly one. */
export function frameOf2026(
  { headers }: IncomingMessage,
  frames: readonly Frame[],
  isBatch: boolean,
): Frame | undefined {
  const [frame] = frames;
  if (frame === undefined || isBatch || frame.kind === 'response') return undefined;
  if (isOf2026(frame)) return frame;
  const isOlder =
    headers['mcp-session-id'] !== undefined || (frame.kind === 'request' && frame.method === 'initialize');
  return !isOlder && saysEra2026(headers) ? frame : undefined;
}

/** Takes a POST that needs no session. If the client closes the response before the answer, the request is cancelled. */
export function takeRequestPost(
  request: IncomingMessage,
  response: ServerResponse,
  message: TakenMessage,
  frame: Frame,
  { peers, limits, clientSession }: PostContext,
): HttpRefusal | undefined {
  const id = frame.kind === 'request' ? { id: frame.id } : {};
  const params = frame.kind === 'request' || frame.kind === 'notification' ? frame.params : undefined;
  const missing = frame.kind === 'request' ? findMissingMetadata(params) : undefined;
  if (missing !== undefined) return { status: 400, code: invalidParams, reason: missing, ...id };
  const mismatch = findHeaderMismatch(request.headers, frame);
  if (mismatch !== undefined) return { status: 400, code: mcp2026Error.headerMismatch, reason: mismatch, ...id };
  if (!peers.hasRoom(1)) return { status: 503, reason: 'too many requests wait for their answers', ...id };
  const session = clientSession(params);
  if ('status' in session) return { ...session, ...id };
  const reply = new RequestReply(response, readAcceptedTypes(request.headers.accept), limits);
  response.on('close', () => {
    if (reply.isComplete) return;
    const exchange = [...session.exchanges].find((each) => each.reply === reply);
    if (exchange === undefined || !peers.cancel(exchange)) return;
    const cancelled = { method: 'notifications/cancelled', params: { requestId: exchange.id } };
    peers.receive({ kind: 'notification', session: session.id, ...cancelled, era: mcp2026 });
  });
  const isCall = frame.kind === 'request' && frame.method === 'tools/call';
  const repeated = isCall ? { repeated: readParamHeaders(request.headers) } : {};
  takeFrames({ ...message, ...repeated }, session, reply, peers);
  if (frame.kind !== 'request') response.writeHead(202, { 'Content-Length': 0 }).end();
  return undefined;
}
