import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect } from 'vitest';
import type { Incoming } from '../../src/attack/engine/actor-messages.ts';
import type { Transport } from '../../src/attack/engine/ports.ts';
import { createMcpServer, type HttpServerOptions } from '../../src/attack/transport/mcp-server/streamable-http.ts';
import type { Value } from '../../src/format/model/value.ts';
import { bothTypes } from './raw-http.ts';

export { bothTypes, openUnread, rawRequest } from './raw-http.ts';

export type Request = Extract<Incoming, { kind: 'request' }>;

export interface OpenTransport {
  readonly url: string;
  readonly port: number;
  readonly transport: Transport;
  readonly received: Incoming[];
  malformed(): Extract<Incoming, { kind: 'malformed' }>[];
  /** Messages that were not served, readable or not. */
  turnedAway(): Extract<Incoming, { kind: 'malformed' | 'refused' }>[];
}

/** A transport whose requests are answered by `onRequest`, or else at once with an echo of their params. */
export async function openTransport(
  options: HttpServerOptions = {},
  onRequest: (request: Request, transport: Transport) => void = echo,
): Promise<OpenTransport> {
  const transport = createMcpServer(options);
  const received: Incoming[] = [];
  const { url } = await transport.open((message) => {
    received.push(message);
    if (message.kind !== 'request') return;
    if (message.method === 'initialize') echo(message, transport);
    else onRequest(message, transport);
  });
  return {
    url,
    port: Number(new URL(url).port),
    transport,
    received,
    malformed: () => received.filter((message) => message.kind === 'malformed'),
    turnedAway: () => received.filter(({ kind }) => kind === 'malformed' || kind === 'refused') as never,
  };
}

export function echo(request: Request, transport: Transport): void {
  transport.answer(request.exchange, { kind: 'result', result: request.params ?? {} }, () => {});
}

/** Waits until something holds, for as long as a busy machine may need. */
export function eventually<T>(value: () => T | Promise<T>) {
  return expect.poll(value, { timeout: 100_000, interval: 5 });
}

export const ignoreSent = (): void => {};

export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: bothTypes, ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  });
}

export function call(method: string, params?: unknown, id: unknown = 1): Record<string, unknown> {
  return { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) };
}

/** Opens a session and returns the header that names it. */
export async function initialize(url: string): Promise<{ 'mcp-session-id': string }> {
  const response = await post(url, call('initialize', {}, 0));
  await response.text();
  return { 'mcp-session-id': response.headers.get('mcp-session-id') ?? '' };
}

export interface ServerSentEvent {
  readonly id: string;
  readonly message: Value | undefined;
}

export interface EventReader {
  readonly response: Response;
  /** The next event, or undefined at the end of the stream. Comments are skipped. */
  next(): Promise<ServerSentEvent | undefined>;
  all(): Promise<Value[]>;
  /** The next piece of the stream, as it comes. */
  chunk(): Promise<string>;
  leave(): void;
}

export async function openEvents(url: string, headers: Record<string, string>, body?: unknown): Promise<EventReader> {
  const gone = new AbortController();
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      accept: body === undefined ? 'text/event-stream' : bothTypes,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    signal: gone.signal,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<ServerSentEvent | undefined> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      if (end >= 0) {
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        const id = field('id');
        if (id === undefined) continue;
        const data = field('data') ?? '';
        return { id, message: data === '' ? undefined : (JSON.parse(data) as Value) };
      }
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done) return undefined;
      text += value;
    }
  };
  return {
    response,
    next,
    async all() {
      const messages: Value[] = [];
      for (let event = await next(); event !== undefined; event = await next())
        if (event.message !== undefined) messages.push(event.message);
      return messages;
    },
    chunk: async () => (await reader?.read())?.value ?? '',
    leave: () => gone.abort(),
  };
}

/** A bare connection, and everything that comes back over it. */
export function openSocket(port: number): {
  readonly socket: Socket;
  readonly closed: Promise<string>;
  text(): string;
} {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => {});
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  return { socket, closed, text: () => text };
}

/** Whether a port can be listened on. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** A proxy between a peer and a port that can cut all its connections. */
export async function openProxy(port: number): Promise<{ readonly port: number; cut(): void; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
