import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Incoming } from '../engine/messages.ts';
import type { Transport } from '../engine/ports.ts';
import { frameNotification, frameRequest } from './json-rpc.ts';
import { takeDelete, takeGet } from './streamable-http/get.ts';
import { createGuard, type Guard } from './streamable-http/guard.ts';
import { Listener } from './streamable-http/listener.ts';
import { defaultLimits, type StreamableHttpOptions } from './streamable-http/options.ts';
import { Peers } from './streamable-http/peers.ts';
import { takePost } from './streamable-http/post.ts';
import { type BodyPool, readBody } from './streamable-http/read-body.ts';
import { type Refusal, recordMalformed, refuse } from './streamable-http/refuse.ts';

export type { StreamableHttpOptions } from './streamable-http/options.ts';

/** MCP's Streamable HTTP, the server's side: one endpoint, many sessions. */
export function createStreamableHttp(options: StreamableHttpOptions = {}): Transport {
  const { host = '127.0.0.1', port = 0, path = '/mcp', allowedHosts = [], allowedOrigins = [] } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const pool: BodyPool = { bytes: 0 };
  let receive: (message: Incoming) => void = () => {};
  let guard: Guard = () => 'not yet open';
  const peers = new Peers(limits, options.newSessionId ?? randomUUID, (message) => receive(message));
  const listener = new Listener(limits, {
    request: handle,
    garbage: (reason, bytes) => recordMalformed(peers, reason, bytes),
  });
  let heart: NodeJS.Timeout | undefined;

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const refusal = route(request, response);
    if (refusal !== undefined) refuse(request, response, peers, refusal);
  }

  function route(request: IncomingMessage, response: ServerResponse): Refusal | undefined {
    const forbidden = guard(request.headers);
    if (forbidden !== undefined) return { status: 403, reason: forbidden };
    if (request.url !== path && request.url?.split('?', 1)[0] !== path)
      return { status: 404, reason: `the endpoint is ${path}` };
    switch (request.method) {
      case 'POST':
        readBody(request, limits, pool, (body) => {
          const refusal = takePost(request, response, body, peers);
          if (refusal !== undefined) refuse(request, response, peers, { ...refusal, bytes: body.bytes });
        });
        return undefined;
      case 'GET':
        return takeGet(request, response, peers);
      case 'DELETE':
        return takeDelete(request, response, peers);
      default:
        return {
          status: 405,
          reason: 'the endpoint takes POST, GET and DELETE',
          headers: { Allow: 'POST, GET, DELETE' },
        };
    }
  }

  return {
    async open(toActor) {
      receive = toActor;
      const bound = await listener.open(host, port);
      guard = createGuard({ host, port: bound, allowedHosts, allowedOrigins });
      heart = setInterval(() => peers.beat(), limits.heartbeatMs).unref();
      return { url: `http://${reachable(host)}:${bound}${path}` };
    },
    answer: (exchange, answer, sent) => peers.answer(exchange, answer, sent),
    notify: (target, method, params, sent) =>
      peers.send(target, { text: frameNotification(method, params), sent }),
    ask: (target, ask, method, params, sent) =>
      peers.send(target, { text: frameRequest(ask, method, params), ask, sent }),
    openSessions: () => peers.sessionCount,
    isConnected: () => listener.connections > 0,
    async close() {
      clearInterval(heart);
      peers.close();
      await listener.close();
    },
  };
}

/** The name under which peers on this machine reach an address that is listened on. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
