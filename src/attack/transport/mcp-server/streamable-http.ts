import type { IncomingMessage, ServerResponse } from 'node:http';
import { mcp2026 } from '../../../format/registry/mcp-2026.ts';
import type { Incoming } from '../../engine/actor-messages.ts';
import type { Transport } from '../../engine/ports.ts';
import { createEndpoint } from '../exposure/exposure.ts';
import { createGatedListener } from '../http-server/gated-listener.ts';
import { createGuard, type Guard } from '../http-server/guard.ts';
import { defaultHttpServerLimits, type HttpServerOptions } from '../http-server/http-server-options.ts';
import { type BodyPool, readRequestBody } from '../http-server/read-body.ts';
import { type HttpRefusal, refuseRequest } from '../http-server/refuse.ts';
import { isAskingForEvents, readAcceptedTypes } from './accepted-types.ts';
import { createSessionIds, HttpSession, type SessionIds } from './http-session.ts';
import { saysEra2026 } from './mirrored-headers.ts';
import { type PostContext, refuseUnknownSession, takePost } from './post.ts';
import { createClientSessions } from './sessions/client-session.ts';
import { McpPeers, sendThrough } from './sessions/peers.ts';
import { messagePath, ssePath, takeSse, takeSseMessage } from './take-sse.ts';

export type { HttpServerOptions } from '../http-server/http-server-options.ts';

/**
 * The server side of MCP's Streamable HTTP: one endpoint, many sessions. The same port also serves the transport of
 * 2024-11-05.
 */
export function createMcpServer(options: HttpServerOptions = {}): Transport {
  const { host = '127.0.0.1', port = 0, path = '/mcp', allowedOrigins = [], exposure } = options;
  const allowedHosts = [...(options.allowedHosts ?? []), ...(exposure?.hostNames ?? [])];
  const limits = { ...defaultHttpServerLimits, ...options.limits };
  const pool: BodyPool = { bytes: 0 };
  let receive: (message: Incoming) => void = () => {};
  let guard: Guard = () => 'not yet open';
  let ids: SessionIds = createSessionIds('');
  const newSessionId = options.newSessionId ?? (() => ids.fresh());
  const peers = new McpPeers(limits, (message) => receive(message));
  const { listener, gate } = createGatedListener({ limits, exposure, recorder: peers, request: handle });
  const context: PostContext = {
    peers,
    limits,
    base: gate?.base ?? '',
    isOfEarlierRun: (id) => options.newSessionId === undefined && ids.areOurs(id),
    clientSession: createClientSessions(peers, limits),
    openSession() {
      const session = new HttpSession(newSessionId(), limits);
      peers.beginSession(session);
      return session;
    },
  };
  let heart: NodeJS.Timeout | undefined;

  function handle(request: IncomingMessage, response: ServerResponse): void {
    if (gate?.turnsAway(request, response, guard)) return;
    const forbidden = guard(request.headers);
    // A web page may have sent this instead of the agent, so its body is not read.
    if (forbidden !== undefined) refuseRequest(request, response, peers, { status: 403, reason: forbidden });
    else {
      const refusal = route(request, response);
      if (refusal !== undefined) post(request, response, () => refusal);
    }
  }

  function route(request: IncomingMessage, response: ServerResponse): HttpRefusal | undefined {
    const at = dropQuery(request.url ?? '');
    if (at === path) return takeEndpoint(request, response);
    if (at === ssePath && request.method === 'GET') return takeSse(response, context, newSessionId);
    if (at === messagePath && request.method === 'POST') return post(request, response, takeSseMessage);
    return { status: 404, reason: `the endpoint is ${path}` };
  }

  function takeEndpoint(request: IncomingMessage, response: ServerResponse): HttpRefusal | undefined {
    const isAlone = request.headers['mcp-session-id'] === undefined && saysEra2026(request.headers);
    if (isAlone && request.method !== 'POST')
      return { status: 405, reason: `MCP ${mcp2026} takes POST alone`, headers: { Allow: 'POST' } };
    switch (request.method) {
      case 'POST':
        return post(request, response, takePost);
      case 'GET':
        // Clients of 2024-11-05 are given this URL, too.
        return request.headers['mcp-session-id'] === undefined && isAskingForEvents(request.headers.accept)
          ? takeSse(response, context, newSessionId)
          : takeGet(request, response, context);
      case 'DELETE':
        return takeDelete(request, response, context);
      default:
        return {
          status: 405,
          reason: 'the endpoint takes POST, GET and DELETE',
          headers: { Allow: 'POST, GET, DELETE' },
        };
    }
  }

  function post(request: IncomingMessage, response: ServerResponse, take: typeof takePost): undefined {
    readRequestBody(request, limits, pool, (body) => {
      const refusal = take(request, response, body, context);
      if (refusal !== undefined) refuseRequest(request, response, peers, { ...refusal, body });
    });
  }

  return {
    async open(toActor) {
      receive = toActor;
      const bound = await listener.listen(host, port);
      ids = createSessionIds(String(bound));
      guard = createGuard({ host, port: bound, allowedHosts, allowedOrigins, isExposed: gate !== undefined });
      heart = setInterval(() => peers.beat(), limits.heartbeatMs).unref();
      return createEndpoint(host, bound, path, exposure);
    },
    ...sendThrough(peers),
    isConnected: () => gate?.isConnected ?? listener.connections > 0,
    isReceiving: () => pool.bytes > 0,
    settled: () => listener.settled(),
    async close() {
      clearInterval(heart);
      peers.close();
      await listener.close();
    },
  };
}

function dropQuery(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}

type SessionContext = Pick<PostContext, 'peers' | 'isOfEarlierRun'>;

/** Opens a stream of the session's own, or resumes a broken one. */
function takeGet(request: IncomingMessage, response: ServerResponse, context: SessionContext): HttpRefusal | undefined {
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

function takeDelete(
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
