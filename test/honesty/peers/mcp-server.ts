import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Value, ValueMap } from '../../../src/index.ts';
import type { Peer } from '../row.ts';

// MCP servers that a client actor of ours speaks to.

/** How a request is answered: its result or error, or by doing something with the response. */
export type Served =
  | { readonly result: Value }
  | { readonly error: Value }
  | ((response: ServerResponse) => void);

const greeting: Served = {
  result: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'server', version: '1' },
  },
};

/** A server over Streamable HTTP that answers what is asked of it, `initialize` as it should unless it says otherwise. */
export function httpServer(answer: (method: string, params: ValueMap) => Served | undefined): Peer {
  return {
    over: 'Streamable HTTP',
    async open(stage) {
      const server = createServer((request, response) => {
        void stage.work(async () => {
          let body = '';
          for await (const chunk of request.setEncoding('utf8')) body += chunk;
          if (request.method !== 'POST') return response.writeHead(405).end();
          const { id, method, params = {} } = JSON.parse(body);
          if (id === undefined || method === undefined) return response.writeHead(202).end();
          const served = answer(method, params) ?? (method === 'initialize' ? greeting : { result: {} });
          if (typeof served === 'function') return served(response);
          const headers = { 'content-type': 'application/json', 'mcp-session-id': 'one' };
          return response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id, ...served }));
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

const program = fileURLToPath(new URL('../programs/mcp-server.mjs', import.meta.url));

/** A program that serves over its standard streams; for each method, what it does. */
export function lineServer(deeds: ValueMap): Peer {
  return {
    over: 'stdio',
    open: () => ({
      modes: [],
      connect: () => ({ command: process.execPath, args: [program, JSON.stringify(deeds)] }),
    }),
  };
}

/** Nobody is there. */
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
