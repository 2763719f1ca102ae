import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TlsPair } from '../exposure/exposure.ts';
import type { Limits } from './http-server-options.ts';
import { forgetAnswer, mayHoldAnswer } from './response.ts';
import { createCheckedResponse } from './sent-responses.ts';

export interface ListenerEvents {
  request(request: IncomingMessage, response: ServerResponse): void;
  /** Called with bytes that are not HTTP, or with a request that did not come in time. */
  garbage(reason: string, bytes: Buffer | undefined, socket: Socket): void;
  /** Called when a peer has reset its connection after an answer, which it therefore cannot have read to its end. */
  unread(socket: Socket): void;
  /** Called when a connection does not carry a response as it was written, which is a fault of ours. */
  damaged(damage: string): void;
  /** Called for a new connection; with TLS, after the handshake. */
  accepted?(socket: Socket): void;
  /** Called before anything is read from a connection; `serve` handles it as HTTP/1. */
  connection?(socket: Socket, serve: () => void): void;
}

/** The certificate for TLS, and the protocols over it in order of preference. */
interface ListenerTls extends TlsPair {
  readonly ALPNProtocols?: string[];
}

/** A listening port and its connections. */
export class Listener {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** The latest response of each connection. */
  readonly #responses = new WeakMap<Socket, ServerResponse>();

  constructor(limits: Limits, events: ListenerEvents, tls?: ListenerTls) {
    const options = {
      ServerResponse: createCheckedResponse(events.damaged),
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      connectionsCheckingInterval: Math.min(limits.headersMs, 5_000),
      // Detects peers that have left without closing.
      keepAlive: true,
      keepAliveInitialDelay: 30_000,
    };
    // Both servers have everything that is used here.
    const server: Server =
      tls === undefined
        ? createServer(options)
        : (createTlsServer({ ...options, ...tls, handshakeTimeout: limits.headersMs }) as unknown as Server);
    const accepted = tls === undefined ? 'connection' : 'secureConnection';
    server.maxConnections = limits.connections;
    if (events.connection !== undefined) inspectFirst(server, accepted, events.connection);
    server.prependListener(accepted, (socket: Socket) => events.accepted?.(socket));
    server.on('request', (request, response) => {
      // A response fails when its peer has left, and `close` reports that already.
      response.on('error', ignoreSocketError);
      this.#expectReader(request.socket, response, limits, tls === undefined);
      events.request(request, response);
    });
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('clientError', (error: ClientError, duplex) => {
      const socket = duplex as Socket;
      if (resets.has(error.code ?? '') && mayHoldAnswer(socket)) events.unread(socket);
      refuseGarbage(error, socket, events);
    });
    this.#server = server;
  }

  get connections(): number {
    return this.#sockets.size;
  }

  /** A peer that sends a request after the end of a response has read that. */
  #expectReader(socket: Socket, response: ServerResponse, { idleMs }: Limits, isPlain: boolean): void {
    const previous = this.#responses.get(socket);
    this.#responses.set(socket, response);
    if (previous?.writableFinished) forgetAnswer(socket);
    if (previous === undefined && isPlain) watchResets(socket, idleMs);
  }

  /** Opens the socket. Resolves to the port. */
  listen(host: string, port: number): Promise<number> {
    const server = this.#server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        // If a connection cannot be accepted, for lack of file handles for example, the peer may try again.
        server.on('error', ignoreSocketError);
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  /** Resolves once Node has reported what the system knows of the connections by now. */
  settled(): Promise<void> {
    // The second one runs after the next poll.
    return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  }

  /** Lets pending answers go out, but waits for no peer. */
  close(): Promise<void> {
    const server = this.#server;
    if (!server.listening) return Promise.resolve();
    return new Promise((resolve) => {
      const patience = setInterval(() => server.closeIdleConnections(), 5);
      // Some connections may not have sent a request yet.
      const atLast = setTimeout(() => {
        for (const socket of this.#sockets) socket.destroy();
      }, 100);
      server.close(() => {
        clearInterval(patience);
        clearTimeout(atLast);
        // Clients in this process learn that their connections are closed before the port is used again.
        resolve(this.settled());
      });
    });
  }
}

function inspectFirst(server: Server, accepted: string, look: NonNullable<ListenerEvents['connection']>): void {
  const [serve] = server.listeners(accepted) as ((this: Server, socket: Socket) => void)[];
  if (serve === undefined) return;
  server.removeListener(accepted, serve);
  server.on(accepted, (socket: Socket) => look(socket, () => serve.call(server, socket)));
}

/** The codes of a connection that its peer has closed before it read everything. */
const resets: ReadonlySet<string> = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE']);

/**
 * A peer that leaves before it reads resets the connection. We learn of this only while our side is open, so we close it
 * after the peer has; and if the peer's end came before the reset, only when we write.
 */
function watchResets(socket: Socket, patienceMs: number): void {
  const look = (): void => {
    if (socket.writable) socket.write('');
  };
  // Before the listener of Node's own server, which ends our side.
  socket.prependListener('end', look);
  // Called by Node's own server after the last response of a connection.
  const { destroySoon } = socket;
  socket.destroySoon = () => {
    if (!mayHoldAnswer(socket)) return destroySoon.call(socket);
    look();
    socket.setTimeout(patienceMs);
    socket.end();
  };
}

interface ClientError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
  /** OpenSSL's name for the error. */
  readonly reason?: string;
}

const tooSlow = 'ERR_HTTP_REQUEST_TIMEOUT';
const headersTooLarge = 'HPE_HEADER_OVERFLOW';

function refuseGarbage(error: ClientError, socket: Socket, events: ListenerEvents): void {
  const { code, rawPacket } = error;
  // Without bytes it is a connection that broke, not a message.
  if (rawPacket !== undefined) events.garbage(`not HTTP: ${error.message}`, rawPacket, socket);
  else if (code === tooSlow) events.garbage('a connection without a whole request in time', undefined, socket);
  // A peer without a TLS handshake cannot be answered.
  else if (/^ERR_(?:SSL|TLS)_/.test(code ?? '')) {
    events.garbage(`TLS failed: ${error.reason ?? error.message}`, undefined, socket);
    return void socket.destroy();
  }
  // After earlier writes, an error could end up in the middle of a response.
  if (!socket.writable || socket.bytesWritten > 0) return void socket.destroy();
  const status =
    code === tooSlow
      ? '408 Request Timeout'
      : code === headersTooLarge
        ? '431 Request Header Fields Too Large'
        : '400 Bad Request';
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}

function ignoreSocketError(): void {}
