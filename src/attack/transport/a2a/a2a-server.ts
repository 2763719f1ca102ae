import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { stringifyJson } from '../../../format/model/json-text-values.ts';
import {
  a2a1,
  explainOtherVersion,
  isVersion1,
  versionHeader,
  versionNotSupported,
} from '../../../format/registry/a2a/a2a-era.ts';
import type { Incoming } from '../../engine/actor-messages.ts';
import type { Transport } from '../../engine/ports.ts';
import { createEndpoint } from '../exposure/exposure.ts';
import { createGatedListener } from '../http-server/gated-listener.ts';
import { createGuard, type Guard } from '../http-server/guard.ts';
import { defaultHttpServerLimits, type HttpServerOptions } from '../http-server/http-server-options.ts';
import { type BodyPool, type RequestBody, readRequestBody } from '../http-server/read-body.ts';
import { type HttpRefusal, recordRefusal } from '../http-server/refuse.ts';
import { writeJson } from '../http-server/response.ts';
import { frameAnswer } from '../json-rpc-frames.ts';
import { toRestError1, toRpcError1 } from './errors-1.ts';
import { findRestRoute } from './rest-routes.ts';
import { findRpcMessages, takeJsonRpc } from './server/a2a-json-rpc-server.ts';
import { type FramedAnswer, WholeReply } from './server/a2a-reply.ts';
import type { GrpcServer } from './server/grpc-server.ts';
import { postPush } from './server/post-push.ts';
import { A2aRequestBroker } from './server/request-broker.ts';
import { readRestMessages, takeRest } from './server/rest-server.ts';

/** The address of an A2A server, and the peers that it admits. */
export interface A2aServerTransportOptions extends Omit<HttpServerOptions, 'path' | 'newSessionId'> {}

const cardPaths = new Set(['/.well-known/agent-card.json', '/.well-known/agent.json']);

/** The server side of A2A: JSON-RPC, HTTP+JSON and gRPC on one port, and the card. */
export function createA2aServer(options: A2aServerTransportOptions = {}): Transport {
  const { host = '127.0.0.1', port = 0, allowedOrigins = [], exposure } = options;
  const allowedHosts = [...(options.allowedHosts ?? []), ...(exposure?.hostNames ?? [])];
  const limits = { ...defaultHttpServerLimits, ...options.limits };
  const pool: BodyPool = { bytes: 0 };
  let receive: (message: Incoming) => void = () => {};
  let guard: Guard = () => 'not yet open';
  const firstBytes = new FirstBytes(limits.headersMs);
  const desk = new A2aRequestBroker(limits, (message) => receive(message));
  const { listener, gate } = createGatedListener({
    limits,
    exposure,
    recorder: desk,
    request: handle,
    connection: (socket, serve) => firstBytes.look(socket, { http1: serve, http2: () => void takeGrpc(socket) }),
    // Clients that can do both use HTTP/1: over HTTP/2 there is only gRPC.
    protocols: ['http/1.1', 'h2'],
  });
  let grpc: Promise<GrpcServer> | undefined;
  let isClosed = false;

  /** gRPC is slow to load, and most agents do not use it. */
  async function takeGrpc(socket: Socket): Promise<void> {
    socket.pause();
    grpc ??= import('./server/grpc-server.ts').then(({ openGrpc }) =>
      openGrpc(desk, { gate, guard: (headers) => guard(headers) }),
    );
    const service = await grpc;
    if (isClosed) socket.destroy();
    else service.accept(socket);
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    if (gate?.turnsAway(request, response, guard)) return;
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
      readRequestBody(request, limits, pool, (body) => {
        if (request.method === 'HEAD' && isGetPath(path)) {
          answerHead(request, response, { path, body });
          return;
        }
        const refusal =
          unserved(request) ??
          unreadable(body.kind) ??
          refuseCompressed(request) ??
          refuseOtherVersion(request, isRest) ??
          take(body);
        if (refusal === undefined) return;
        const messagesIn = isRest ? readRestMessages(request) : findRpcMessages;
        refuse(request, response, { ...refusal, messagesIn, body });
      });

    function take(body: RequestBody): HttpRefusal | undefined {
      return isRest ? takeRest(request, response, body.bytes, desk) : takeJsonRpc(request, response, body, desk);
    }
  }

  /** The reason why a request is refused, whatever its body. */
  function unserved({ method, url = '' }: IncomingMessage): HttpRefusal | undefined {
    if (!desk.hasRoom) return { status: 503, reason: 'too many requests wait for their answers' };
    return method === 'POST' || isRestPath(method ?? '', url.split('?', 1)[0] ?? '')
      ? undefined
      : { status: 405, reason: 'JSON-RPC is POSTed', headers: { Allow: 'POST' } };
  }

  /** Answers a request for the headers alone. It is recorded, but is no event: the agent has read nothing. */
  function answerHead(request: IncomingMessage, response: ServerResponse, { path, body }: HeadRequest): void {
    recordRefusal(desk, request, { status: 200, reason: 'it asks for the headers alone', body });
    response.writeHead(200, { 'Content-Type': 'application/json', ...(cardPaths.has(path) && cardHeaders) }).end();
  }

  function takeCard(request: IncomingMessage, response: ServerResponse): void {
    const reply = new WholeReply(response, (answer) =>
      answer.kind === 'result'
        ? frameCard(stringifyJson(answer.result))
        : { status: 500, text: stringifyJson(answer.error) },
    );
    const version = readClientVersion(request);
    desk.take({
      session: desk.sessionOf(request.socket),
      method: 'agent_card/get',
      params: undefined,
      reply,
      ...(version !== undefined && isVersion1(version) && { era: a2a1 }),
    });
  }

  function unreadable(kind: string): HttpRefusal | undefined {
    // The rest of an unread body is still on its way, so the connection cannot be reused.
    const headers = { Connection: 'close' };
    if (kind === 'too large')
      return { status: 413, reason: `the body is larger than ${limits.bodyBytes} bytes`, headers };
    if (kind === 'no room') return { status: 503, reason: 'too much is being sent at once', headers };
    if (kind === 'cut off') return { status: 400, reason: 'the connection ended before the body did', headers };
    return undefined;
  }

  /** Answers a request that is refused, and records it: it may explain why an agent sees nothing. */
  function refuse(request: IncomingMessage, response: ServerResponse, refusal: HttpRefusal): void {
    const { status, reason, code = -32600, id = null, headers = {} } = refusal;
    const { url = '' } = request;
    recordRefusal(desk, request, refusal);
    const path = url.split('?', 1)[0] ?? '';
    const error = toRpcError1({ code, message: reason });
    const isRest = isRestPath(request.method ?? '', path);
    const text = !isRest
      ? frameAnswer(id, {
          kind: 'error',
          error: code === versionNotSupported ? error : { code, message: reason },
        })
      : stringifyJson(path.startsWith('/v1/') ? { code, message: reason } : toRestError1(error));
    writeJson(response, status, text, headers);
  }

  return {
    async open(toActor) {
      receive = toActor;
      const bound = await listener.listen(host, port);
      guard = createGuard({ host, port: bound, allowedHosts, allowedOrigins, isExposed: gate !== undefined });
      return createEndpoint(host, bound, '/', exposure);
    },
    answer: (exchange, answer, sent, rule) => desk.answer(exchange, answer, sent, rule),
    part: (exchange, content, sent) => desk.part(exchange, content, sent),
    notify: (_target, method) =>
      desk.warn('O-123', `an A2A server cannot send anything of its own accord, so ${method} is not sent`),
    ask: (_target, ask, _method, params, sent) => postPush(params, ask, desk, sent),
    openSessions: () => (desk.hasHadPeers ? 1 : 0),
    isConnected: () => gate?.isConnected ?? listener.connections > 0,
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

interface HeadRequest {
  readonly path: string;
  readonly body: RequestBody;
}

/** The card depends on the version that the client speaks, and a later phase may change it. */
const cardHeaders = { Vary: 'A2A-Version', 'Cache-Control': 'max-age=0, must-revalidate' };

function frameCard(text: string): FramedAnswer {
  const tag = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return { status: 200, text, headers: { ...cardHeaders, ETag: `"${tag}"` } };
}

function isGetPath(path: string): boolean {
  return cardPaths.has(path) || findRestRoute('GET', path) !== undefined;
}

function isRestPath(verb: string, path: string): boolean {
  return path !== '/' && (path.startsWith('/v1/') || findRestRoute(verb, path) !== undefined);
}

/** The version that a client declares; without one it is 0.3. */
function readClientVersion({ headers, url = '' }: IncomingMessage): string | undefined {
  const version = headers[versionHeader] ?? (url.includes('?') ? readQueryVersion(url) : undefined);
  return typeof version === 'string' && version !== '' ? version : undefined;
}

function readQueryVersion(url: string): string | undefined {
  return new URLSearchParams(url.slice(url.indexOf('?'))).get('A2A-Version') ?? undefined;
}

/** Refuses an unknown version. A request whose method or path we serve is not checked for its version. */
function refuseOtherVersion(request: IncomingMessage, isRest: boolean): HttpRefusal | undefined {
  const reason = explainOtherVersion(readClientVersion(request));
  return reason === undefined ? undefined : { status: isRest ? 400 : 200, code: versionNotSupported, reason };
}

function refuseCompressed({ headers }: IncomingMessage): HttpRefusal | undefined {
  return (headers['content-encoding'] ?? 'identity') === 'identity'
    ? undefined
    : { status: 415, code: -32005, reason: 'the body is compressed' };
}

/** The first bytes of HTTP/2; no HTTP/1 request begins with them. */
const preface = 'PRI * HTTP/2';

interface Protocols {
  http1(): void;
  http2(): void;
}

/** Connections that have not sent anything yet. */
class FirstBytes {
  readonly #patienceMs: number;
  readonly #silent = new Set<Socket>();

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  /** Reads the first bytes of a peer, puts them back, and lets the right protocol go on. */
  look(socket: Socket, { http1, http2 }: Protocols): void {
    const giveUp = (): void => void socket.destroy();
    const read = (): void => {
      const head = socket.read() as Buffer | null;
      if (head === null) return;
      this.#silent.delete(socket);
      socket.setTimeout(0);
      socket.off('readable', read).off('error', giveUp).off('end', giveUp).off('timeout', giveUp);
      socket.unshift(head);
      if (head.subarray(0, preface.length).toString('latin1') === preface) http2();
      else http1();
    };
    this.#silent.add(socket);
    socket.setTimeout(this.#patienceMs, giveUp);
    socket.on('readable', read).on('error', giveUp).on('end', giveUp);
    socket.once('close', () => this.#silent.delete(socket));
  }

  close(): void {
    for (const socket of this.#silent) socket.destroy();
  }
}
