import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Incoming } from '../engine/messages.ts';
import type { Transport } from '../engine/ports.ts';
import { mcp2026 } from '../registry/mcp-2026.ts';
import { ExposedDoor } from './exposure/door.ts';
import { endpointAt } from './exposure/exposure.ts';
import { messagePath, ssePath, takeSse, takeSseMessage } from './http-sse/take-sse.ts';
import { clientSessions } from './sessions/client-session.ts';
import { Peers } from './sessions/peers.ts';
import { recordUnreadAnswer } from './sessions/record-malformed.ts';
import { recordGarbage } from './sessions/record-refused.ts';
import { asksForEvents } from './streamable-http/accepted-types.ts';
import { takeDelete, takeGet } from './streamable-http/get.ts';
import { createGuard, type Guard } from './streamable-http/guard.ts';
import { Listener } from './streamable-http/listener.ts';
import { saysEra2026 } from './streamable-http/mirrored-headers.ts';
import { defaultLimits, type StreamableHttpOptions } from './streamable-http/options.ts';
import { type PostContext, takePost } from './streamable-http/post.ts';
import { type BodyPool, readBody } from './streamable-http/read-body.ts';
import { type Refusal, refuse } from './streamable-http/refuse.ts';
import { Session } from './streamable-http/session.ts';
import { type SessionIds, sessionIdsOf } from './streamable-http/session-ids.ts';

export type { StreamableHttpOptions } from './streamable-http/options.ts';

/**
 * The server side of MCP's Streamable HTTP: one endpoint, many sessions. The same port also serves the transport of
 * 2024-11-05.
 */
export function createStreamableHttp(options: StreamableHttpOptions = {}): Transport {
  const { host = '127.0.0.1', port = 0, path = '/mcp', allowedOrigins = [], exposure } = options;
  const allowedHosts = [...(options.allowedHosts ?? []), ...(exposure?.hostNames ?? [])];
  const limits = { ...defaultLimits, ...options.limits };
  const pool: BodyPool = { bytes: 0 };
  let receive: (message: Incoming) => void = () => {};
  let guard: Guard = () => 'not yet open';
  let ids: SessionIds = sessionIdsOf('');
  const newSessionId = options.newSessionId ?? (() => ids.fresh());
  const peers = new Peers(limits, (message) => receive(message));
  const door = exposure && new ExposedDoor(exposure, limits.headersMs, (message) => receive(message));
  const context: PostContext = {
    peers,
    limits,
    base: door?.base ?? '',
    isOfEarlierRun: (id) => options.newSessionId === undefined && ids.areOurs(id),
    clientSession: clientSessions(peers, limits),
    openSession() {
      const session = new Session(newSessionId(), limits);
      peers.beginSession(session);
      return session;
    },
  };
  const listener = new Listener(
    limits,
    {
      request: handle,
      garbage(reason, bytes, socket) {
        if (door === undefined || door.isAdmitted(socket)) recordGarbage(peers, reason, bytes);
        else door.refuse('a connection', reason, socket.remoteAddress);
      },
      unread(socket) {
        if (door === undefined || door.isAdmitted(socket)) recordUnreadAnswer(peers);
      },
      accepted: (socket) => door?.watch(socket),
    },
    exposure?.tls,
  );
  let heart: NodeJS.Timeout | undefined;

  function handle(request: IncomingMessage, response: ServerResponse): void {
    if (door?.turnsAway(request, response, guard)) return;
    const forbidden = guard(request.headers);
    // A web page may have sent this instead of the agent, so its body is not read.
    if (forbidden !== undefined) refuse(request, response, peers, { status: 403, reason: forbidden });
    else {
      const refusal = route(request, response);
      if (refusal !== undefined) post(request, response, () => refusal);
    }
  }

  function route(request: IncomingMessage, response: ServerResponse): Refusal | undefined {
    const at = pathOf(request.url ?? '');
    if (at === path) return takeEndpoint(request, response);
    if (at === ssePath && request.method === 'GET') return takeSse(response, context, newSessionId);
    if (at === messagePath && request.method === 'POST') return post(request, response, takeSseMessage);
    return { status: 404, reason: `the endpoint is ${path}` };
  }

  function takeEndpoint(request: IncomingMessage, response: ServerResponse): Refusal | undefined {
    const isAlone = request.headers['mcp-session-id'] === undefined && saysEra2026(request.headers);
    if (isAlone && request.method !== 'POST')
      return { status: 405, reason: `MCP ${mcp2026} takes POST alone`, headers: { Allow: 'POST' } };
    switch (request.method) {
      case 'POST':
        return post(request, response, takePost);
      case 'GET':
        // Clients of 2024-11-05 are given this URL, too.
        return request.headers['mcp-session-id'] === undefined && asksForEvents(request.headers.accept)
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
    readBody(request, limits, pool, (body) => {
      const refusal = take(request, response, body, context);
      if (refusal !== undefined) refuse(request, response, peers, { ...refusal, body });
    });
  }

  return {
    async open(toActor) {
      receive = toActor;
      const bound = await listener.open(host, port);
      ids = sessionIdsOf(String(bound));
      guard = createGuard({ host, port: bound, allowedHosts, allowedOrigins, isExposed: door !== undefined });
      heart = setInterval(() => peers.beat(), limits.heartbeatMs).unref();
      return endpointAt(host, bound, path, exposure);
    },
    answer: (exchange, answer, sent, order) => peers.answer(exchange, answer, sent, order),
    notify: (target, method, params, sent, how) =>
      peers.send(target, { method, params, sent, manner: how?.manner }),
    ask: (target, ask, method, params, sent, how) =>
      peers.send(target, { ask, method, params, sent, manner: how?.manner }),
    hasSessions: true,
    openSessions: () => peers.sessionCount,
    isConnected: () => door?.isConnected ?? listener.connections > 0,
    isReceiving: () => pool.bytes > 0,
    settled: () => listener.settled(),
    async close() {
      clearInterval(heart);
      peers.close();
      await listener.close();
    },
  };
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query < 0 ? url : url.slice(0, query);
}
