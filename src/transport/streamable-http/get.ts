import type { IncomingMessage, ServerResponse } from 'node:http';
import { acceptedTypes } from './accepted-types.ts';
import { type PostContext, unknownSession } from './post.ts';
import type { Refusal } from './refuse.ts';
import { Session } from './session.ts';

type SessionContext = Pick<PostContext, 'peers' | 'isOfEarlierRun'>;

/** Opens a stream of the session's own, or resumes a broken one. */
export function takeGet(
  request: IncomingMessage,
  response: ServerResponse,
  context: SessionContext,
): Refusal | undefined {
  if (!acceptedTypes(request.headers.accept).events)
    return { status: 406, reason: 'text/event-stream is not accepted' };
  const session = namedSession(request, context);
  if ('status' in session) return session;
  const lastEventId = request.headers['last-event-id'];
  const outcome = typeof lastEventId === 'string' ? session.resume(response, lastEventId) : 'unknown';
  // This status makes an event source stop reconnecting.
  if (outcome === 'nothing left') response.writeHead(204).end();
  // The lost events of an unknown stream cannot be restored, but new ones can be sent.
  if (outcome === 'unknown') session.openStandalone(response, understandsPriming(request));
  return undefined;
}

export function takeDelete(
  request: IncomingMessage,
  response: ServerResponse,
  context: SessionContext,
): Refusal | undefined {
  const session = namedSession(request, context);
  if ('status' in session) return session;
  const open = [...session.exchanges];
  context.peers.endSession(session);
  for (const { reply } of open) reply.abandon('the session has ended');
  response.writeHead(204).end();
  return undefined;
}

function namedSession(
  { headers }: IncomingMessage,
  { peers, isOfEarlierRun }: SessionContext,
): Session | Refusal {
  const id = headers['mcp-session-id'] as string | undefined;
  if (id === undefined) return { status: 400, reason: 'no Mcp-Session-Id header' };
  const session = peers.session(id);
  return session instanceof Session ? session : unknownSession(id, peers, isOfEarlierRun);
}

/** Clients of earlier versions take an event without data as a broken message. */
function understandsPriming({ headers }: IncomingMessage): boolean {
  const version = String(headers['mcp-protocol-version'] ?? '');
  return /^\d{4}-\d\d-\d\d$/.test(version) && version >= '2025-11-25';
}
