import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { Value, ValueMap } from '../../src/index.ts';

// Agents that answer a POST, in whatever way a test wants them to.

export interface HttpAgent {
  readonly url: string;
  readonly port: number;
  /** The posted inputs, in order. */
  readonly inputs: ValueMap[];
  readonly requests: IncomingMessage[];
  /** Connections that are open. */
  connections(): number;
  close(): Promise<void>;
}

export type Answerer = (response: ServerResponse, input: ValueMap, count: number) => unknown;

/** Answers each input once it is read completely. */
export async function openAgent(answer: Answerer): Promise<HttpAgent> {
  const inputs: ValueMap[] = [];
  const requests: IncomingMessage[] = [];
  const server = createServer(async (request, response) => {
    requests.push(request);
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const input = JSON.parse(body) as ValueMap;
    inputs.push(input);
    await answer(response, input, inputs.length);
  });
  return { inputs, requests, ...(await listening(server)) };
}

/** Answers each connection with bytes, whatever it has to say; `undefined` leaves it without an answer. */
export async function openSocketAgent(answer: (socket: Socket) => unknown): Promise<HttpAgent> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  return { inputs: [], requests: [], ...(await listening(server)) };
}

async function listening(server: Server): Promise<Pick<HttpAgent, 'url' | 'port' | 'connections' | 'close'>> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    port,
    connections: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

export const eventStream = { 'content-type': 'text/event-stream' };

export function frame(event: Value): string {
  return `data: ${JSON.stringify(event)}\n\n`;
}
