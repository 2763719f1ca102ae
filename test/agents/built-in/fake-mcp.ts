import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OfferedTool } from '../../../src/agents/built-in/model.ts';
import type { Value, ValueMap } from '../../../src/format/model/value.ts';

export interface Request {
  readonly method: string;
  readonly params: ValueMap;
  /** Asks the agent something during a call, and waits for its answer. */
  ask(method: string, params: Value): Promise<ValueMap>;
}

/** Returns a result, or `undefined` if it has handled the raw response itself. */
export type Answer = (request: Request, response: ServerResponse) => Promise<Value | undefined> | Value | undefined;

export interface FakeMcp {
  readonly url: string;
  /** The methods in order; `tools/call` with the tool's name and arguments. */
  readonly received: string[];
  readonly ended: string[];
  close(): Promise<void>;
}

/** A minimal MCP server, so that a test can misbehave in any way. */
export async function openFakeMcp(answer: Answer, port = 0): Promise<FakeMcp> {
  const received: string[] = [];
  const ended: string[] = [];
  const waiting = new Map<string, (message: ValueMap) => void>();
  let asked = 0;
  const server: Server = createServer(async (request, response) => {
    if (request.method === 'DELETE') ended.push(String(request.headers['mcp-session-id']));
    if (request.method !== 'POST') return void response.writeHead(request.method === 'DELETE' ? 204 : 405).end();
    let body = '';
    for await (const chunk of request) body += chunk;
    const message = JSON.parse(body);
    if (message.id === undefined) return void response.writeHead(202).end();
    if (message.method === undefined) {
      waiting.get(String(message.id))?.(message);
      return void response.writeHead(202).end();
    }
    // The server is older than 2026-07-28, and says so as such servers do.
    if (message.method === 'server/discover') {
      const error = { code: -32000, message: 'Bad Request: no session' };
      response.writeHead(400, { 'content-type': 'application/json' });
      return void response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, error }));
    }
    received.push(describe(message));
    const stream = (event: unknown): void => {
      if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${JSON.stringify(event)}\n\n`);
    };
    const ask = (method: string, params: Value): Promise<ValueMap> => {
      asked += 1;
      const id = `ask-${asked}`;
      stream({ jsonrpc: '2.0', id, method, params });
      return new Promise((resolve) => waiting.set(id, resolve));
    };
    const result = await answer({ method: message.method, params: message.params ?? {}, ask }, response);
    if (result === undefined) return;
    const reply = { jsonrpc: '2.0', id: message.id, result };
    if (response.headersSent) {
      stream(reply);
      return void response.end();
    }
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'session-1' });
    response.end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    received,
    ended,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function describe({ method, params }: { method: string; params?: ValueMap }): string {
  return method === 'tools/call' ? `${params?.name} ${JSON.stringify(params?.arguments)}` : method;
}

export interface Serving {
  readonly tools?: readonly OfferedTool[];
  readonly resources?: Value;
  readonly prompts?: Value;
  readonly instructions?: string;
  readonly call?: (request: Request, response: ServerResponse) => Promise<Value | undefined> | Value | undefined;
}

/** An honest server, except for what a test makes it say. */
export function serving({ tools = [], resources, prompts, instructions, call }: Serving): Answer {
  return (request, response) => {
    switch (request.method) {
      case 'initialize':
        return {
          protocolVersion: '2025-06-18',
          capabilities: {
            tools: { listChanged: true },
            ...(resources !== undefined && { resources: {} }),
            ...(prompts !== undefined && { prompts: {} }),
          },
          serverInfo: { name: 'fake', version: '1' },
          ...(instructions !== undefined && { instructions }),
        };
      case 'tools/list':
        return { tools: tools as unknown as Value };
      case 'resources/list':
        return { resources: resources ?? [] };
      case 'prompts/list':
        return { prompts: prompts ?? [] };
      default:
        return call?.(request, response) ?? textResult('ok');
    }
  };
}

export const textResult = (text: string): ValueMap => ({ content: [{ type: 'text', text }] });
