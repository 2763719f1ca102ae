import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { isValueMap } from '../../../src/format/model/value.ts';
import { mcp2026 } from '../../../src/format/registry/mcp-2026.ts';
import type { Value, ValueMap } from '../../../src/index.ts';
import type { Peer } from '../row.ts';

// MCP servers that a client actor of ours speaks to.

/** How a request is answered: its result or error, or by doing something with the response. */
export type Served =
  | ({ readonly result: Value } & Status)
  | ({ readonly error: Value } & Status)
  | ((response: ServerResponse) => void);

/** The HTTP status of an answer; 200 by default. */
interface Status {
  readonly status?: number;
}

const greeting: Served = {
  result: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'server', version: '1' },
  },
};

/**
 * A server over Streamable HTTP that gives the scripted answers, and a proper answer to `initialize` unless one is
 * scripted.
 */
export function httpServer(answer: Serving): Peer {
  return { ...httpServerIn('with sessions', () => answer), modern: httpServerIn(mcp2026, () => answer) };
}

/** The same, with answers that depend on earlier requests. */
export function countingServer(answering: () => Serving): Peer {
  return { ...httpServerIn('with sessions', answering), modern: httpServerIn(mcp2026, answering) };
}

type Serving = (method: string, params: ValueMap) => Served | undefined;
type Era = 'with sessions' | typeof mcp2026;

function httpServerIn(era: Era, answering: () => Serving): Peer {
  return {
    over: era === mcp2026 ? `Streamable HTTP, ${mcp2026}` : 'Streamable HTTP',
    async open(stage) {
      const answer = answering();
      const server = createServer((request, response) => {
        void stage.work(async () => {
          let body = '';
          for await (const chunk of request.setEncoding('utf8')) body += chunk;
          if (request.method !== 'POST') return response.writeHead(405).end();
          const { id, method, params = {} } = JSON.parse(body);
          if (id === undefined || method === undefined) return response.writeHead(202).end();
          const served = answer(method, params) ?? usual(era, method);
          if (typeof served === 'function') return served(response);
          const headers = {
            'content-type': 'application/json',
            ...(era !== mcp2026 && { 'mcp-session-id': 'one' }),
          };
          const { status = 200, ...answered } = era === mcp2026 ? inEnvelope(served) : served;
          return response.writeHead(status, headers).end(JSON.stringify({ jsonrpc: '2.0', id, ...answered }));
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      stage.afterwards(() => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      });
      const { port } = server.address() as AddressInfo;
      return { modes: [], connect: () => `http://127.0.0.1:${port}/mcp` };
    },
  };
}

function usual(era: Era, method: string): Served {
  if (era !== mcp2026) return method === 'initialize' ? greeting : { result: {} };
  if (method === 'server/discover') return discovered;
  const removed = { code: -32601, message: `Method not found: ${method}` };
  return method === 'initialize' ? { error: removed } : { result: {} };
}

const discovered: Served = {
  result: { supportedVersions: [mcp2026], capabilities: { tools: {} }, ttlMs: 0, cacheScope: 'private' },
};

/** The fields of every result since 2026-07-28. */
function inEnvelope<S extends Served>(served: S): S {
  return 'result' in served && isValueMap(served.result)
    ? { ...served, result: { resultType: 'complete', ...served.result } }
    : served;
}

const program = fileURLToPath(new URL('../programs/mcp-server.mjs', import.meta.url));

/** A program that serves over its standard streams, with an action for each method. */
export function lineServer(actions: ValueMap): Peer {
  const speaking = (era: Era): Peer => ({
    over: era === mcp2026 ? `stdio, ${mcp2026}` : 'stdio',
    open: () => ({
      modes: [],
      connect: () => ({ command: process.execPath, args: [program, JSON.stringify(actions), era] }),
    }),
  });
  return { ...speaking('with sessions'), modern: speaking(mcp2026) };
}

/** An address without a server. */
export const nowhere: Peer = {
  over: 'Streamable HTTP',
  async open() {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return { modes: [], connect: () => `http://127.0.0.1:${port}/mcp` };
  },
};
