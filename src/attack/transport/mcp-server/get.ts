import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpRefusal } from '../http-server/refuse.ts';
import { readAcceptedTypes } from './accepted-types.ts';
import { HttpSession } from './http-session.ts';
import { type PostContext, refuseUnknownSession } from './post.ts';

type SessionContext = Pick<PostContext, 'peers' | 'isOfEarlierRun'>;

/** Opens a stream of the session's own, or resumes a broken one. */
export function takeGet(
  request: IncomingMessage,
  response: ServerResponse,
  context: SessionContext,
): HttpRefusal | undefined {
  if (!readAcceptedTypes(request.headers.accept).events)
    return { status: 406, reason: 'text/event-stream is not accepted' };
  const session = findNamedSession(request, context);
  if ('status' in session) return session;
  const lastEventId = request.headers['last-event-id'];
  const outcome = typeof lastEventId === 'string' ? session.resume(response, lastEventId) : 'unknown';
  // This status makes an event source stop reconnecting.
  if (outcome === 'nothing left') response.writeHead(204).end();
  // The lost events of an unknown stream cannot be restored, but new ones can be sent.
  if (outcome === 'unknown') session.openStandalone(response, isPrimingUnderstood(request));
  return undefined;
}

export function takeDelete(
  request: IncomingMessage,
  response: ServerResponse,
  context: SessionContext,
): HttpRefusal | undefined {
  const session = findNamedSession(request, context);
  if ('status' in session) return session;
  const open = [...session.exchanges];
  context.peers.endSession(session);
  for (const { reply } of open) reply.abandon('the session has ended');
  response.writeHead(204).end();
  return undefined;
}

function findNamedSession(
  { headers }: IncomingMessage,
  { peers, isOfEarlierRun }: SessionContext,
): HttpSession | HttpRefusal {
  const id = headers['mcp-session-id'] as string | undefined;
  if (id === undefined) return { status: 400, reason: 'no Mcp-Session-Id header' };
  const session = peers.session(id);
  return session instanceof HttpSession ? session : refuseUnknownSession(id, peers, isOfEarlierRun);
}

/** Clients of earlier versions take an event without data as a broken message. */
function isPrimingUnderstood({ headers }: IncomingMessage): boolean {
  const version = String(headers['mcp-protocol-version'] ?? '');
  return /^\d{4}-\d\d-\d\d$/.test(version) && version >= '2025-11-25';
}
