import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Value } from '../../../format/model/value.ts';
import { mcp2026, mcp2026Error } from '../../../format/registry/mcp-2026.ts';
import type { Limits } from '../http-server/http-server-options.ts';
import type { RequestBody } from '../http-server/read-body.ts';
import type { HttpRefusal } from '../http-server/refuse.ts';
import { errorCode, type Frame } from '../json-rpc-frames.ts';
import { isJsonContentType, readAcceptedTypes } from './accepted-types.ts';
import { HttpSession } from './http-session.ts';
import { findHeaderMismatch, readParamHeaders, saysEra2026 } from './mirrored-headers.ts';
import { PostReply } from './post-reply.ts';
import { EventStream } from './resumable-stream.ts';
import type { ClientSession } from './sessions/client-session.ts';
import type { McpPeers } from './sessions/peers.ts';
import {
  chooseErrorId,
  countAnswers,
  countRequests,
  isSessionOpener,
  readMessageText,
} from './sessions/read-message.ts';
import { findMissingMetadata, isOf2026 } from './sessions/request-metadata.ts';
import { type TakenMessage, takeFrames } from './sessions/take-frames.ts';

/** The context for every POST of an endpoint. */
export interface PostContext {
  readonly peers: McpPeers;
  readonly limits: Limits;
  /** The prefix of every path of the server. */
  readonly base: string;
  /** Whether an earlier run at this address issued this session id. */
  isOfEarlierRun(sessionId: string): boolean;
  openSession(): HttpSession;
  /** Since 2026-07-28: the client that sent these params. */
  clientSession(params: Value | undefined): ClientSession | HttpRefusal;
}

/** Takes a POST whose body has been read. Everything in it is handled before this returns. */
export function takePost(
  request: IncomingMessage,
  response: ServerResponse,
  body: RequestBody,
  context: PostContext,
): HttpRefusal | undefined {
  const unread = refuseUnreadableBody(request, body, context.limits) ?? refuseUnacceptable(request);
  if (unread !== undefined) return unread;
  const message = readMessageText(body.bytes, context.limits.depth);
  if (message.kind === 'unreadable') {
    const { code, id, reason } = message;
    return { status: 400, code, id, reason };
  }
  const { frames, messages, isBatch, odd } = message;
  const alone = frameOf2026(request, frames, isBatch);
  if (alone !== undefined)
    return takeRequestPost(request, response, { frames, messages, bytes: body.bytes, odd }, alone, context);
  const opens = frames.some(isSessionOpener);
  const session = findPostSession(request, opens, countRequests(frames), context);
  if ('status' in session) return { ...session, id: chooseErrorId(message) };
  servePost(request, response, { frames, messages, bytes: body.bytes, odd }, { session, isBatch, opens, context });
  return undefined;
}

/** The reason why a body is not read. */
export function refuseUnreadableBody(
  { headers }: IncomingMessage,
  body: RequestBody,
  limits: Limits,
): HttpRefusal | undefined {
  // The rest of an unread body is still on its way, so the connection cannot be reused.
  const close = { Connection: 'close' };
  switch (body.kind) {
    case 'too large':
      return { status: 413, reason: `the body is larger than ${limits.bodyBytes} bytes`, headers: close };
    case 'no room':
      return { status: 503, reason: 'too much is being sent at once', headers: close };
    case 'cut off':
      return { status: 400, reason: 'the connection ended before the body did', headers: close };
    case 'whole':
      break;
  }
  if (!isJsonContentType(headers['content-type']))
    return { status: 415, reason: 'the content type is not application/json' };
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    return { status: 415, reason: 'the body is compressed' };
  return undefined;
}

function refuseUnacceptable({ headers }: IncomingMessage): HttpRefusal | undefined {
  const { json, events } = readAcceptedTypes(headers.accept);
  return json || events
    ? undefined
    : { status: 406, reason: 'neither application/json nor text/event-stream is accepted' };
}

/** The session that a POST belongs to. Only `initialize` opens one. */
function findPostSession(
  { headers }: IncomingMessage,
  opens: boolean,
  requests: number,
  { peers, limits, openSession, isOfEarlierRun }: PostContext,
): HttpSession | HttpRefusal {
  const id = headers['mcp-session-id'] as string | undefined;
  const found = id === undefined ? undefined : peers.session(id);
  const session = found instanceof HttpSession ? found : undefined;
  if (id !== undefined && session === undefined) return refuseUnknownSession(id, peers, isOfEarlierRun);
  if (session === undefined && !opens) return { status: 400, reason: 'no Mcp-Session-Id header' };
  if (!peers.hasRoom(requests)) return { status: 503, reason: 'too many requests wait for their answers' };
  if (!peers.hasRoom(requests, session))
    return { status: 429, reason: 'too many requests of this session wait for their answers' };
  if (session === undefined && !peers.hasRoomForSession(limits.sessions))
    return { status: 503, reason: 'too many sessions' };
  return session ?? openSession();
}

/** Refuses an unknown session. An agent that continues an earlier run says nothing about this one. */
export function refuseUnknownSession(
  id: string,
  peers: McpPeers,
  isOfEarlierRun: PostContext['isOfEarlierRun'],
): HttpRefusal {
  const refusal = { status: 404, code: errorCode.sessionNotFound };
  if (peers.hasEnded(id)) return { ...refusal, reason: 'the session has ended' };
  return isOfEarlierRun(id)
    ? { ...refusal, reason: 'the session is of an earlier run', isForeign: true }
    : { ...refusal, reason: 'no such session' };
}

interface PostRequest {
  readonly session: HttpSession;
  readonly isBatch: boolean;
  /** Whether the POST opens a session. A peer gets no other message before the answer to it. */
  readonly opens: boolean;
  readonly context: PostContext;
}

function servePost(
  request: IncomingMessage,
  response: ServerResponse,
  message: TakenMessage,
  { session, isBatch, opens, context }: PostRequest,
): void {
  const answers = countAnswers(message.frames);
  const reply = new PostReply(response, {
    accepts: readAcceptedTypes(request.headers.accept),
    openStream: () => session.openStream(),
    within: {
      answers,
      isBatch,
      carriesOthers: !opens,
      headers: opens ? { 'Mcp-Session-Id': session.id } : {},
    },
  });
  takeFrames(message, session, reply, context.peers);
  if (answers === 0) response.writeHead(202, { 'Content-Length': 0 }).end();
}

const invalidParams = -32602;

/** The frame of a POST of 2026-07-28 or later; such a POST has exactly one. */
function frameOf2026({ headers }: IncomingMessage, frames: readonly Frame[], isBatch: boolean): Frame | undefined {
  const [frame] = frames;
  if (frame === undefined || isBatch || frame.kind === 'response') return undefined;
  if (isOf2026(frame)) return frame;
  const isOlder =
    headers['mcp-session-id'] !== undefined || (frame.kind === 'request' && frame.method === 'initialize');
  return !isOlder && saysEra2026(headers) ? frame : undefined;
}

/** Takes a POST that needs no session. If the client closes the response before the answer, the request is cancelled. */
function takeRequestPost(
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
  const reply = new PostReply(response, {
    accepts: readAcceptedTypes(request.headers.accept),
    openStream: () => new EventStream(undefined, limits),
  });
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
