import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { A2AService, grpcService, UserBuilder } from '@a2a-js/sdk/server/grpc';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { a2aAgent } from '../../../src/agents/adapters/a2a-agent.ts';
import type { NormalizedActor } from '../../../src/format/model/normalized.ts';
import type { Value, ValueMap } from '../../../src/index.ts';
import type { Peer } from '../row.ts';
import type { Stage } from '../stage.ts';

// Agents that serve A2A, one transport each.

/** How a message is answered: a result or an error, items of a stream, or by doing something with the response. */
export type Answer =
  | { readonly result: Value; readonly status?: number }
  | { readonly error: ValueMap; readonly status?: number }
  | { readonly items: readonly Value[] }
  | ((response: ServerResponse) => void);

type Answering = (method: string, count: number) => Answer;

/** Over JSON-RPC. */
export function overJsonRpc(answer: Answering): Peer {
  return jsonRpc('A2A JSON-RPC', before('JSONRPC'), answer);
}

/** Over JSON-RPC of 1.0. */
export function overJsonRpc1(answer: Answering): Peer {
  return jsonRpc('A2A 1.0 JSON-RPC', since('JSONRPC'), answer);
}

function jsonRpc(over: string, card: CardOf, answer: Answering): Peer {
  let count = 0;
  return served(over, card, (body, _, response) => {
    const { id = null, method } = JSON.parse(body) as { id?: Value; method: string };
    const answered = answer(method, ++count);
    if (typeof answered === 'function') return answered(response);
    if ('items' in answered) {
      const frames = answered.items.map((result) => `data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`);
      return response.writeHead(200, { 'content-type': 'text/event-stream' }).end(frames.join(''));
    }
    const { status = 200, ...given } = answered;
    const frame = JSON.stringify({ jsonrpc: '2.0', id, ...given });
    return response.writeHead(status, { 'content-type': 'application/json' }).end(frame);
  });
}

/** Over HTTP+JSON; an error is a status with a problem. */
export function overRest(answer: RestAnswering): Peer {
  return rest('A2A HTTP+JSON', before('HTTP+JSON'), answer);
}

/** Over HTTP+JSON of 1.0. */
export function overRest1(answer: RestAnswering): Peer {
  return rest('A2A 1.0 HTTP+JSON', since('HTTP+JSON'), answer);
}

type RestAnswering = (path: string) => readonly [status: number, body: Value] | ((response: ServerResponse) => void);

function rest(over: string, card: CardOf, answer: RestAnswering): Peer {
  return served(over, card, (_, path, response) => {
    const answered = answer(path);
    if (typeof answered === 'function') return answered(response);
    const [status, body] = answered;
    return response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
}

/** The addresses in a card. */
type CardOf = (url: string) => ValueMap;

const before =
  (preferredTransport: string): CardOf =>
  (url) => ({ url: `${url}/`, preferredTransport });
const since =
  (protocolBinding: string): CardOf =>
  (url) => ({ supportedInterfaces: [{ url: `${url}/`, protocolBinding, protocolVersion: '1.0' }] });

/** Over gRPC, on the official server's service. */
export function overGrpc(sendMessage: () => Promise<unknown>, getTask: () => Promise<unknown> = sendMessage): Peer {
  return {
    over: 'A2A gRPC',
    async open(stage) {
      const server = new Server();
      const requestHandler = {
        sendMessage: () => stage.work(sendMessage),
        getTask: () => stage.work(getTask),
        getAgentCard: async () => ({}),
      };
      const options = { requestHandler, userBuilder: UserBuilder.noAuthentication };
      server.addService(A2AService, grpcService(options as unknown as Parameters<typeof grpcService>[0]));
      const port = await new Promise<number>((resolve, reject) =>
        server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
          error === null ? resolve(bound) : reject(error),
        ),
      );
      stage.afterwards(() => server.forceShutdown());
      return { modes: [], connect: () => `grpc://127.0.0.1:${port}` };
    },
  };
}

/** The same agent with a user, who speaks to it over A2A. */
export function withUser(peer: Peer): Peer {
  return {
    over: `${peer.over}, with a user`,
    async open(stage) {
      const { connect } = await peer.open(stage);
      const url = String(connect?.({} as NormalizedActor) ?? '');
      return { agent: a2aAgent('a2a', { a2a: url }, { environment: {}, folder: '.' }) };
    },
  };
}

type Handle = (body: string, path: string, response: ServerResponse) => unknown;

function served(over: string, cardOf: CardOf, handle: Handle): Peer {
  return {
    over,
    async open(stage: Stage) {
      const server = createServer((request, response) => {
        void stage.work(async () => {
          let body = '';
          for await (const chunk of request.setEncoding('utf8')) body += chunk;
          const path = request.url ?? '';
          if (path !== '/.well-known/agent-card.json') return handle(body, path, response);
          const capabilities = { streaming: true };
          const card = {
            name: 'Agent',
            version: '1',
            ...cardOf(url),
            capabilities,
            skills: [],
          };
          return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(card));
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      stage.afterwards(() => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      });
      return { modes: [], connect: () => url };
    },
  };
}
