import { Agent, request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { Incoming } from '../../src/attack/engine/actor-messages.ts';
import type { Transport } from '../../src/attack/engine/ports.ts';
import { createA2aServer } from '../../src/attack/transport/a2a/a2a-server.ts';
import { createMcpServer } from '../../src/attack/transport/mcp-server/streamable-http.ts';
import { bothTypes } from '../support/http-peer.ts';

// Node 22 and 24 send the end of a response that is ended while it is corked before its last message, and the message as
// bytes between two responses.

interface Row {
  readonly name: string;
  create(): Transport;
  readonly path: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body: object;
  /** Sent before the first request; the session that it opens is named in the others. */
  readonly opening?: object;
  /** Sends one message of the stream before its answer. */
  sendPart(transport: Transport, exchange: string, text: string): void;
}

const mcpCall = (meta: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'read', arguments: {}, ...meta },
});
const notify = (transport: Transport, exchange: string, text: string): void =>
  transport.notify({ exchange }, 'notifications/message', { level: 'info', data: text }, () => {});
const sendUpdate = (transport: Transport, exchange: string, text: string): void =>
  transport.part?.(exchange, { kind: 'status-update', note: text }, () => {});
const message = { role: 'user', messageId: 'm', parts: [{ kind: 'text', text: 'hi' }], kind: 'message' };
const message1 = { role: 'ROLE_USER', messageId: 'm', parts: [{ text: 'hi' }] };

const rows: readonly Row[] = [
  {
    name: 'MCP, an answer as an event stream',
    create: createMcpServer,
    path: '/mcp',
    body: mcpCall({}),
    opening: { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
    sendPart: notify,
  },
  {
    name: 'MCP 2026-07-28',
    create: createMcpServer,
    path: '/mcp',
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'read' },
    body: mcpCall({
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/logLevel': 'debug',
      },
    }),
    sendPart: notify,
  },
  {
    name: 'A2A 0.3 over JSON-RPC',
    create: createA2aServer,
    path: '/',
    body: { jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message } },
    sendPart: sendUpdate,
  },
  {
    name: 'A2A 1.0 over JSON-RPC',
    create: createA2aServer,
    path: '/',
    headers: { 'a2a-version': '1.0' },
    body: { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: { message: message1 } },
    sendPart: sendUpdate,
  },
  {
    name: 'A2A over HTTP+JSON',
    create: createA2aServer,
    path: '/v1/message:stream',
    body: { message: message1 },
    sendPart: sendUpdate,
  },
];

describe('the last message of a stream arrives before its end', () => {
  let transport: Transport;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });

  afterEach(async () => {
    agent.destroy();
    await transport.close();
  });

  const cases = rows.flatMap((row) =>
    [0, 1, 2, 30].flatMap((parts) =>
      (['at once', 'one after the other'] as const).flatMap((pace) =>
        // A large message has to wait until the peer has read those before it.
        [0, 100_000].map((padding) => ({ ...row, parts, pace, padding })),
      ),
    ),
  );

  test.each(cases)('$name: $parts messages before the answer, $pace, with $padding bytes more each', async (row) => {
    transport = row.create();
    const faults: Incoming[] = [];
    const answer = async (exchange: string, method: string): Promise<void> => {
      for (let number = 0; method !== 'initialize' && number < row.parts; number++) {
        row.sendPart(transport, exchange, `part-${number}.${'x'.repeat(row.padding)}`);
        if (row.pace === 'one after the other') await new Promise(setImmediate);
      }
      transport.answer(exchange, { kind: 'result', result: { kind: 'task', text: 'the-last-message' } }, () => {});
    };
    const { url } = await transport.open((incoming) => {
      if (incoming.kind === 'fault') faults.push(incoming);
      if (incoming.kind === 'request') void answer(incoming.exchange, incoming.method);
    });
    const to = { url: new URL(row.path, url), agent };
    const { opening, headers = {}, body } = row;
    const { session } = opening === undefined ? {} : await send(to, headers, opening);
    const own = session === undefined ? headers : { ...headers, 'mcp-session-id': session };
    // The second request shows that nothing is left on the connection.
    const first = await send(to, own, body);
    const second = await send(to, own, body);
    const sent = Array.from({ length: row.parts }, (_, number) => `part-${number}.`);
    for (const { text } of [first, second]) {
      expect(text.match(/part-\d+\./g) ?? []).toEqual(sent);
      expect(text).toContain('the-last-message');
    }
    expect(second.isReused).toBe(true);
    expect(faults).toEqual([]);
  });
});

interface Received {
  readonly text: string;
  readonly isReused: boolean;
  readonly session: string | undefined;
}

function send(
  { url, agent }: { url: URL; agent: Agent },
  headers: { readonly [name: string]: string },
  body: object,
): Promise<Received> {
  const all = { 'content-type': 'application/json', accept: bothTypes, ...headers };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', agent, headers: all }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      const session = response.headers['mcp-session-id'];
      response.once('error', reject).once('end', () =>
        resolve({
          text,
          isReused: asked.reusedSocket,
          session: typeof session === 'string' ? session : undefined,
        }),
      );
    });
    asked.once('error', reject).end(JSON.stringify(body));
  });
}
