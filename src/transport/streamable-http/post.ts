import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Value } from '../../model/value.ts';
import { errorCode } from '../json-rpc.ts';
import type { ClientSession } from '../sessions/client-session.ts';
import type { Peers } from '../sessions/peers.ts';
import { countAnswers, countRequests, idOf, opensSession, readMessage } from '../sessions/read-message.ts';
import { type TakenMessage, takeFrames } from '../sessions/take-frames.ts';
import { acceptedTypes, isJson } from './accepted-types.ts';
import type { Limits } from './options.ts';
import { PostReply } from './post-reply.ts';
import type { Body } from './read-body.ts';
import type { Refusal } from './refuse.ts';
import { Session } from './session.ts';
import { frameOf2026, takeRequestPost } from './take-request-post.ts';

/** The context for every POST of an endpoint. */
export interface PostContext {
  readonly peers: Peers;
  readonly limits: Limits;
  /** The prefix of every path of the server. */
  readonly base: string;
  /** Whether an earlier run at this address issued this session id. */
  isOfEarlierRun(sessionId: string): boolean;
  openSession(): Session;
  /** Since 2026-07-28: the client that sent these params. */
  clientSession(params: Value | undefined): ClientSession | Refusal;
}

/** Takes a POST whose body has been read. Everything in it is handled before this returns. */
export function takePost(
  request: IncomingMessage,
  response: ServerResponse,
  body: Body,
  context: PostContext,
): Refusal | undefined {
  const unread = unreadable(request, body, context.limits) ?? unacceptable(request);
  if (unread !== undefined) return unread;
  const message = readMessage(body.bytes, context.limits.depth);
  if (message.kind === 'unreadable') {
    const { code, id, reason } = message;
    return { status: 400, code, id, reason };
  }
  const { frames, messages, isBatch, odd } = message;
  const alone = frameOf2026(request, frames, isBatch);
  if (alone !== undefined)
    return takeRequestPost(request, response, { frames, messages, bytes: body.bytes, odd }, alone, context);
  const opens = frames.some(opensSession);
  const session = sessionFor(request, opens, countRequests(frames), context);
  if ('status' in session) return { ...session, id: idOf(message) };
  serve(
    request,
    response,
    { frames, messages, bytes: body.bytes, odd },
    { session, isBatch, opens, context },
  );
  return undefined;
}

/** The reason why a body is not read. */
export function unreadable({ headers }: IncomingMessage, body: Body, limits: Limits): Refusal | undefined {
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
  if (!isJson(headers['content-type']))
    return { status: 415, reason: 'the content type is not application/json' };
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    return { status: 415, reason: 'the body is compressed' };
  return undefined;
}

function unacceptable({ headers }: IncomingMessage): Refusal | undefined {
  const { json, events } = acceptedTypes(headers.accept);
  return json || events
    ? undefined
    : { status: 406, reason: 'neither application/json nor text/event-stream is accepted' };
}

/** The session that a POST belongs to. Only `initialize` opens one. */
function sessionFor(
  { headers }: IncomingMessage,
  opens: boolean,
  requests: number,
  { peers, limits, openSession, isOfEarlierRun }: PostContext,
): Session | Refusal {
  const id = headers['mcp-session-id'] as string | undefined;
  const found = id === undefined ? undefined : peers.session(id);
  const session = found instanceof Session ? found : undefined;
  if (id !== undefined && session === undefined) return unknownSession(id, peers, isOfEarlierRun);
  if (session === undefined && !opens) return { status: 400, reason: 'no Mcp-Session-Id header' };
  if (!peers.hasRoom(requests)) return { status: 503, reason: 'too many requests wait for their answers' };
  if (!peers.hasRoom(requests, session))
    return { status: 429, reason: 'too many requests of this session wait for their answers' };
  if (session === undefined && peers.sessionCount >= limits.sessions)
    return { status: 503, reason: 'too many sessions' };
  return session ?? openSession();
}

/** Refuses an unknown session. An agent that continues an earlier run says nothing about this one. */
export function unknownSession(
  id: string,
  peers: Peers,
  isOfEarlierRun: PostContext['isOfEarlierRun'],
): Refusal {
  const refusal = { status: 404, code: errorCode.sessionNotFound };
  if (peers.hasEnded(id)) return { ...refusal, reason: 'the session has ended' };
  return isOfEarlierRun(id)
    ? { ...refusal, reason: 'the session is of an earlier run', isForeign: true }
    : { ...refusal, reason: 'no such session' };
}

interface Post {
  readonly session: Session;
  readonly isBatch: boolean;
  /** Whether the POST opens a session. A peer gets no other message before the answer to it. */
  readonly opens: boolean;
  readonly context: PostContext;
}

function serve(
  request: IncomingMessage,
  response: ServerResponse,
  message: TakenMessage,
  { session, isBatch, opens, context }: Post,
): void {
  const answers = countAnswers(message.frames);
  const reply = new PostReply(response, {
    accepts: acceptedTypes(request.headers.accept),
    answers,
    isBatch,
    carriesOthers: !opens,
    headers: opens ? { 'Mcp-Session-Id': session.id } : {},
    openStream: () => session.openStream(),
  });
  takeFrames(message, session, reply, context.peers);
  if (answers === 0) response.writeHead(202, { 'Content-Length': 0 }).end();
}
