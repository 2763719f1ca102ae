import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Incoming } from '../../engine/messages.ts';
import type { Transport } from '../../engine/ports.ts';
import { stringifyJson } from '../../model/json.ts';
import {
  a2a1,
  isVersion1,
  otherVersion,
  versionHeader,
  versionNotSupported,
} from '../../registry/a2a/era.ts';
import { ExposedDoor } from '../exposure/door.ts';
import { type Exposure, endpointAt } from '../exposure/exposure.ts';
import { frameAnswer } from '../json-rpc.ts';
import { recordUnreadAnswer } from '../sessions/record-malformed.ts';
import { recordGarbage } from '../sessions/record-refused.ts';
import { createGuard, type Guard } from '../streamable-http/guard.ts';
import { Listener } from '../streamable-http/listener.ts';
import { defaultLimits, type Limits } from '../streamable-http/options.ts';
import { type Body, type BodyPool, readBody } from '../streamable-http/read-body.ts';
import { type Refusal, recordRefusal } from '../streamable-http/refuse.ts';
import { writeJson } from '../streamable-http/response.ts';
import { restError1, rpcError1 } from './errors-1.ts';
import { routeOf } from './rest-routes.ts';
import { Desk } from './server/desk.ts';
import { FirstBytes } from './server/first-bytes.ts';
import type { GrpcDoor } from './server/grpc.ts';
import { rpcMessages, takeJsonRpc } from './server/json-rpc.ts';
import { push } from './server/push.ts';
import { WholeReply } from './server/reply.ts';
import { restMessages, takeRest } from './server/rest.ts';

/** The address of an A2A server, and the peers that it admits. */
export interface A2aServerTransportOptions {
  /** The address to listen on. */
  readonly host?: string;
  /** 0 takes a free port. */
  readonly port?: number;
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  /** Opens the server to peers on other machines, and says what keeps strangers out. */
  readonly exposure?: Exposure | undefined;
  readonly limits?: Partial<Limits>;
}

const cardPaths = new Set(['/.well-known/agent-card.json', '/.well-known/agent.json']);

/** The server side of A2A: JSON-RPC, HTTP+JSON and gRPC on one port, and the card. */
export function createA2aServer(options: A2aServerTransportOptions = {}): Transport {
  const { host = '127.0.0.1', port = 0, allowedOrigins = [], exposure } = options;
  const allowedHosts = [...(options.allowedHosts ?? []), ...(exposure?.hostNames ?? [])];
  const limits = { ...defaultLimits, ...options.limits };
  const pool: BodyPool = { bytes: 0 };
  let receive: (message: Incoming) => void = () => {};
  let guard: Guard = () => 'not yet open';
  const firstBytes = new FirstBytes(limits.headersMs);
  const desk = new Desk(limits, (message) => receive(message));
  const door = exposure && new ExposedDoor(exposure, limits.headersMs, (message) => receive(message));
  const listener = new Listener(
    limits,
    {
      request: handle,
      garbage(reason, bytes, socket) {
        if (door === undefined || door.isAdmitted(socket)) recordGarbage(desk, reason, bytes);
        else door.refuse('a connection', reason, socket.remoteAddress);
      },
      unread(socket) {
        if (door === undefined || door.isAdmitted(socket)) recordUnreadAnswer(desk);
      },
      accepted: (socket) => door?.watch(socket),
      connection: (socket, serve) =>
        firstBytes.look(socket, { http1: serve, http2: () => void takeGrpc(socket) }),
    },
    // Clients that can do both use HTTP/1: over HTTP/2 there is only gRPC.
    exposure?.tls && { ...exposure.tls, ALPNProtocols: ['http/1.1', 'h2'] },
  );
  let grpc: Promise<GrpcDoor> | undefined;
  let isClosed = false;

  /** gRPC is slow to load, and most agents do not use it. */
  async function takeGrpc(socket: Socket): Promise<void> {
    socket.pause();
    grpc ??= import('./server/grpc.ts').then(({ openGrpc }) =>
      openGrpc(desk, door && { door, guard: (headers) => guard(headers) }),
    );
    const service = await grpc;
    if (isClosed) socket.destroy();
    else service.accept(socket);
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    if (door?.turnsAway(request, response, guard)) return;
    const forbidden = guard(request.headers);
    // A web page may have sent this instead of the agent, so its body is not read.
    if (forbidden !== undefined) refuse(request, response, { status: 403, reason: forbidden });
    else route(request, response);
  }

  function route(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url?.split('?', 1)[0] ?? '';
    const isRest = isRestPath(request.method ?? '', path);
    if (desk.hasRoom && request.method === 'GET' && cardPaths.has(path)) takeCard(request, response);
    else
      readBody(request, limits, pool, (body) => {
        const refusal =
          unserved(request) ??
          unreadable(body.kind) ??
          compressed(request) ??
          ofOtherVersion(request, isRest) ??
          take(body);
        if (refusal === undefined) return;
        const messagesIn = isRest ? restMessages(request) : rpcMessages;
        refuse(request, response, { ...refusal, messagesIn, body });
      });

    function take(body: Body): Refusal | undefined {
      return isRest
        ? takeRest(request, response, body.bytes, desk)
        : takeJsonRpc(request, response, body, desk);
    }
  }

  /** The reason why a request is refused, whatever its body. */
  function unserved({ method, url = '' }: IncomingMessage): Refusal | undefined {
    if (!desk.hasRoom) return { status: 503, reason: 'too many requests wait for their answers' };
    return method === 'POST' || isRestPath(method ?? '', url.split('?', 1)[0] ?? '')
      ? undefined
      : { status: 405, reason: 'JSON-RPC is POSTed', headers: { Allow: 'POST' } };
  }

  function takeCard(request: IncomingMessage, response: ServerResponse): void {
    const reply = new WholeReply(response, (answer) =>
      answer.kind === 'result'
        ? { status: 200, text: stringifyJson(answer.result), headers: cardHeaders }
        : { status: 500, text: stringifyJson(answer.error) },
    );
    const version = versionOf(request);
    desk.take({
      session: desk.sessionOf(request.socket),
      method: 'agent_card/get',
      params: undefined,
      reply,
      ...(version !== undefined && isVersion1(version) && { era: a2a1 }),
    });
  }

  function unreadable(kind: string): Refusal | undefined {
    // The rest of an unread body is still on its way, so the connection cannot be reused.
    const headers = { Connection: 'close' };
    if (kind === 'too large')
      return { status: 413, reason: `the body is larger than ${limits.bodyBytes} bytes`, headers };
    if (kind === 'no room') return { status: 503, reason: 'too much is being sent at once', headers };
    if (kind === 'cut off')
      return { status: 400, reason: 'the connection ended before the body did', headers };
    return undefined;
  }

  /** Answers a request that is refused, and records it: it may explain why an agent sees nothing. */
  function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
    const { status, reason, code = -32600, id = null, headers = {} } = refusal;
    const { url = '' } = request;
    recordRefusal(desk, request, refusal);
    const path = url.split('?', 1)[0] ?? '';
    const error = rpcError1({ code, message: reason });
    const isRest = isRestPath(request.method ?? '', path);
    const text = !isRest
      ? frameAnswer(id, {
          kind: 'error',
          error: code === versionNotSupported ? error : { code, message: reason },
        })
      : stringifyJson(path.startsWith('/v1/') ? { code, message: reason } : restError1(error));
    writeJson(response, status, text, headers);
  }

  return {
    async open(toActor) {
      receive = toActor;
      const bound = await listener.open(host, port);
      guard = createGuard({ host, port: bound, allowedHosts, allowedOrigins, isExposed: door !== undefined });
      return endpointAt(host, bound, '/', exposure);
    },
    answer: (exchange, answer, sent, order) => desk.answer(exchange, answer, sent, order),
    part: (exchange, content, sent) => desk.part(exchange, content, sent),
    notify: (_target, method) =>
      desk.warn('O-123', `an A2A server cannot send anything of its own accord, so ${method} is not sent`),
    ask: (_target, ask, _method, params, sent) => push(params, ask, desk, sent),
    openSessions: () => (desk.hasHadPeers ? 1 : 0),
    isConnected: () => door?.isConnected ?? listener.connections > 0,
    isReceiving: () => pool.bytes > 0,
    settled: () => listener.settled(),
    async close() {
      isClosed = true;
      receive = () => {};
      firstBytes.close();
      await (await grpc)?.close();
      await listener.close();
    },
  };
}

/** The card depends on the version that the client speaks. */
const cardHeaders = { Vary: 'A2A-Version' };

function isRestPath(verb: string, path: string): boolean {
  return path !== '/' && (path.startsWith('/v1/') || routeOf(verb, path) !== undefined);
}

/** The version that a client declares; without one it is 0.3. */
function versionOf({ headers, url = '' }: IncomingMessage): string | undefined {
  const said = headers[versionHeader] ?? (url.includes('?') ? inQuery(url) : undefined);
  return typeof said === 'string' && said !== '' ? said : undefined;
}

function inQuery(url: string): string | undefined {
  return new URLSearchParams(url.slice(url.indexOf('?'))).get('A2A-Version') ?? undefined;
}

/** Refuses an unknown version. A request whose method or path we serve is not checked for its version. */
function ofOtherVersion(request: IncomingMessage, isRest: boolean): Refusal | undefined {
  const reason = otherVersion(versionOf(request));
  return reason === undefined ? undefined : { status: isRest ? 400 : 200, code: versionNotSupported, reason };
}

function compressed({ headers }: IncomingMessage): Refusal | undefined {
  return (headers['content-encoding'] ?? 'identity') === 'identity'
    ? undefined
    : { status: 415, code: -32005, reason: 'the body is compressed' };
}
