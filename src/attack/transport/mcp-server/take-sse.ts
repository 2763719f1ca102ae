import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestBody } from '../http-server/read-body.ts';
import type { HttpRefusal } from '../http-server/refuse.ts';
import { type PostContext, refuseUnknownSession, refuseUnreadableBody } from './post.ts';
import { EventStream } from './resumable-stream.ts';
import { ChannelSession } from './sessions/channel-session.ts';
import { createUnsentWarner } from './sessions/client-session.ts';
import { takeMessage } from './sessions/take-frames.ts';

// The transport of MCP 2024-11-05, HTTP with server-sent events: a session is an event stream whose first event names
// the URL for the client's messages. Every message to the client goes out over that stream.

export const ssePath = '/sse';
export const messagePath = '/messages';

/** Opens a session; it lasts as long as the connection. */
export function takeSse(
  response: ServerResponse,
  { peers, limits, base }: PostContext,
  newSessionId: () => string,
): HttpRefusal | undefined {
  if (!peers.hasRoomForSession(limits.sessions)) return { status: 503, reason: 'too many sessions' };
  const stream = new EventStream(1, limits);
  const session = new ChannelSession(newSessionId(), stream, limits, createUnsentWarner(peers));
  stream.attach(response, {});
  stream.announce('endpoint', `${base}${messagePath}?sessionId=${encodeURIComponent(session.id)}`);
  response.on('close', () => peers.endSession(session));
  peers.beginSession(session);
  return undefined;
}

/** Takes a message for a session; the answers go out on the session's stream. */
export function takeSseMessage(
  request: IncomingMessage,
  response: ServerResponse,
  body: RequestBody,
  { peers, limits, isOfEarlierRun }: PostContext,
): HttpRefusal | undefined {
  const id = readSessionId(request);
  const session = peers.session(id);
  if (!(session instanceof ChannelSession)) {
    const { code: _, ...unknown } = refuseUnknownSession(id, peers, isOfEarlierRun);
    return unknown;
  }
  const within = { session: session.id };
  const unread = refuseUnreadableBody(request, body, limits);
  if (unread !== undefined) return { ...unread, ...within };
  if (session.channel instanceof EventStream && session.channel.isBehind)
    return { status: 429, reason: 'too many answers wait to be read', ...within };
  const { bytes } = body;
  const refused = takeMessage(bytes, session, peers);
  if (refused !== undefined) {
    const { why, code, id, reason } = refused;
    return { status: why === 'too many' ? 429 : 400, code, id, reason, ...within };
  }
  response.writeHead(202, { 'Content-Length': 0 }).end();
  return undefined;
}

function readSessionId({ url = '' }: IncomingMessage): string {
  const query = url.slice(url.indexOf('?') + 1);
  return new URLSearchParams(query).get('sessionId') ?? '';
}
