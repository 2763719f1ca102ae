import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { mcpServer } from '../../../src/attack/bindings/mcp/mcp-server-binding.ts';
import type { Endpoint } from '../../../src/attack/engine/ports.ts';
import type { PlayableMode } from '../../../src/attack/engine/run-document.ts';
import { systemClock } from '../../../src/attack/transport/clock.ts';
import { createMemoryServer, type MemoryEndpoint } from '../../../src/attack/transport/mcp-server/in-memory.ts';
import { createStdioServer } from '../../../src/attack/transport/mcp-server/stdio-server.ts';
import { expandRecipe } from '../../../src/format/generate/kinds.ts';
import type { NormalizedDocument } from '../../../src/format/model/normalized.ts';
import type { Value } from '../../../src/format/model/value.ts';
import { load, type MessageRecord, type TraceRecord } from '../../../src/index.ts';
import { type PlayOptions, type PlayResult, playDocument } from '../../../src/suite/play/play-run.ts';
import { a2aServerMode, mcpServerMode } from '../../../src/suite/play/playable-modes.ts';

// A raw peer receives generated values whole over every transport, and the trace describes them.

const bytes = 3_000_000;
const entry = { kind: 'noise', bytes, alphabet: 'any', seed: 7, after: ' the end' };
const whole = [
  ...expandRecipe({ kind: 'noise', seed: '7', after: ' the end', parameters: { bytes, alphabet: 'any' } }),
].join('');
const sha256 = createHash('sha256').update(whole).digest('hex');

function documentOf(mode: string, state: Value, at: string, more: object = entry): NormalizedDocument {
  const execution = { mode, state, 'x-generate': [{ at, ...more }] };
  const loaded = load(JSON.stringify({ oatf: '0.1', attack: { name: 'Large', execution } }));
  if (!loaded.ok) throw new Error(loaded.errors.map(({ message }) => message).join('; '));
  return loaded.document;
}

const mcpState = {
  tools: [{ name: 'report', responses: [{ content: { content: [{ type: 'text', text: 'long' }] } }] }],
  progress: [{ values: [{ progress: 1 }] }],
};
const mcpPlace = '/state/tools/0/responses/0/content/content/0/text';
const task = { kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: 'long' }] };
const a2aState = {
  agent_card: { name: 'Large', description: 'Large', skills: [] },
  task_responses: [{ content: task }],
};
const a2aPlace = '/state/task_responses/0/content/parts/0/text';
const a2aMessage = {
  message: { kind: 'message', messageId: '1', role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
};

interface Played extends PlayResult {
  readonly trace: readonly TraceRecord[];
  /** The bytes that the peer read. */
  readonly read: string;
}

/** Plays a document for a peer that connects to it. */
async function serve(
  document: NormalizedDocument,
  modes: readonly PlayableMode[],
  visit: (url: string, endpoint: Endpoint | undefined) => Promise<string>,
): Promise<Played> {
  const trace: TraceRecord[] = [];
  let read: Promise<string> | undefined;
  let end = (): void => {};
  const result = await playDocument(document, {
    modes,
    clock: systemClock,
    record: (record) => void trace.push(record),
    control: (run) => {
      end = () => run.end('operator');
      void read?.finally(end);
    },
    ready(endpoints) {
      const [endpoint] = endpoints.values();
      read = visit(endpoint?.url ?? '', endpoint);
    },
  });
  return { ...result, trace, read: (await read) ?? '' };
}

function post(url: string, body: Value, headers: Record<string, string> = {}): Promise<string> {
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  }).then((response) => response.text());
}

const version = '2025-06-18';
const clientInfo = { name: 'raw', version: '1' };
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: version, capabilities: {}, clientInfo },
};
const call = (meta?: Value): Value => ({
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'report', arguments: {}, ...(meta !== undefined && { _meta: meta }) },
});

async function callMcp(url: string, meta?: Value): Promise<string> {
  const greeting = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(initialize),
  });
  await greeting.text();
  const session = greeting.headers.get('mcp-session-id') ?? '';
  return post(url, call(meta), { 'mcp-session-id': session, 'mcp-protocol-version': version });
}

/** Plays a document whose client actor connects to an agent that reads everything and gives scripted answers. */
async function visited(
  document: NormalizedDocument,
  answer: (request: IncomingMessage, body: string, response: ServerResponse) => void,
  options: Partial<PlayOptions> = {},
): Promise<Played> {
  const trace: TraceRecord[] = [];
  let read = '';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      if (body.length > read.length) read = body;
      answer(request, body, response);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const result = await playDocument(document, {
      modes: [],
      clock: systemClock,
      record: (record) => void trace.push(record),
      connect: () => url,
      ...options,
    });
    return { ...result, trace, read };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function carrierIn(trace: readonly TraceRecord[]): MessageRecord | undefined {
  return trace.find(
    (record): record is MessageRecord =>
      'origin' in record && record.origin === 'attacker' && JSON.stringify(record.content).includes('x-generated'),
  );
}

const jsonHeaders = { 'content-type': 'application/json' };

/** Every transport that can carry large values, and what a raw peer reads there. */
const ways: { readonly [way: string]: () => Promise<Played> } = {
  'MCP over HTTP, as JSON': () =>
    serve(documentOf('mcp_server', mcpState, mcpPlace), [mcpServerMode()], (url) => callMcp(url)),
  'MCP over HTTP, as an event': () =>
    serve(documentOf('mcp_server', mcpState, mcpPlace), [mcpServerMode()], (url) =>
      callMcp(url, { progressToken: 'p' }),
    ),
  'MCP over stdio': () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const mode: PlayableMode = { binding: mcpServer, transport: () => createStdioServer({ input, output }) };
    return serve(documentOf('mcp_server', mcpState, mcpPlace), [mode], async () => {
      let read = '';
      const lines = new Promise<string>((resolve) => {
        output.on('data', (chunk: Buffer) => {
          read += chunk.toString('latin1');
          if (read.split('\n').length > 2) resolve(Buffer.from(read, 'latin1').toString());
        });
      });
      input.write(`${JSON.stringify(initialize)}\n${JSON.stringify(call())}\n`);
      return lines;
    });
  },
  'MCP in memory': () => {
    const server = createMemoryServer();
    const mode: PlayableMode = { binding: mcpServer, transport: () => server };
    return serve(documentOf('mcp_server', mcpState, mcpPlace), [mode], async (_url, endpoint) => {
      const connection = (endpoint as MemoryEndpoint).connect();
      const answers: unknown[] = [];
      const last = new Promise<void>((resolve) => {
        connection.onmessage = (message) => {
          answers.push(message);
          if (answers.length === 2) resolve();
        };
      });
      await connection.start();
      await connection.send(initialize);
      await connection.send(call());
      await last;
      return JSON.stringify(answers);
    });
  },
  'A2A over JSON-RPC': () =>
    serve(documentOf('a2a_server', a2aState, a2aPlace), [a2aServerMode()], (url) =>
      post(new URL('/', url).href, { jsonrpc: '2.0', id: 1, method: 'message/send', params: a2aMessage }),
    ),
  'A2A over JSON-RPC, streamed': () =>
    serve(documentOf('a2a_server', a2aState, a2aPlace), [a2aServerMode()], (url) =>
      post(new URL('/', url).href, { jsonrpc: '2.0', id: 1, method: 'message/stream', params: a2aMessage }),
    ),
  'A2A over HTTP+JSON': () =>
    serve(documentOf('a2a_server', a2aState, a2aPlace), [a2aServerMode()], (url) =>
      post(new URL('/v1/message:send', url).href, {
        message: { messageId: '1', role: 'ROLE_USER', content: [{ text: 'hi' }] },
      }),
    ),
  'A2A, the client’s side': () =>
    visited(
      documentOf(
        'a2a_client',
        {
          actions: [
            {
              method: 'message/send',
              params: { message: { ...a2aMessage.message, parts: [{ kind: 'text', text: 'long' }] } },
            },
          ],
        },
        '/state/actions/0/params/message/parts/0/text',
      ),
      ({ url = '', headers }, body, response) => {
        response.writeHead(200, jsonHeaders);
        if (body === '')
          response.end(
            JSON.stringify({
              name: 'Raw',
              description: 'Raw',
              version: '1',
              protocolVersion: '0.3.0',
              url: `http://${headers.host}/`,
              preferredTransport: 'JSONRPC',
              skills: [],
              capabilities: {},
              defaultInputModes: [],
              defaultOutputModes: [],
              at: url,
            }),
          );
        else response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result: task }));
      },
    ),
  'MCP over HTTP, the client’s side': () =>
    visited(
      documentOf(
        'mcp_client',
        { actions: [{ method: 'tools/call', params: { name: 'a', arguments: { text: 'long' } } }] },
        '/state/actions/0/params/arguments/text',
      ),
      (_request, body, response) => {
        const { id, method } = body === '' ? { id: undefined, method: '' } : JSON.parse(body);
        if (id === undefined) return void response.writeHead(body === '' ? 405 : 202).end();
        response.writeHead(200, jsonHeaders);
        const result =
          method === 'initialize'
            ? { protocolVersion: version, capabilities: {}, serverInfo: clientInfo }
            : { content: [{ type: 'text', text: 'ok' }] };
        response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      },
      { era: 'legacy' },
    ),
  'AG-UI': () =>
    visited(
      documentOf(
        'ag_ui_client',
        {
          run_agent_input: {
            threadId: 't',
            runId: 'r',
            messages: [{ id: '1', role: 'user', content: 'long' }],
          },
        },
        '/state/run_agent_input/messages/0/content',
      ),
      (_request, _body, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const event of [
          { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
          { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
        ])
          response.write(`data: ${JSON.stringify(event)}\n\n`);
        response.end();
      },
    ),
};

describe.each(Object.entries(ways))('a generated value sent with %s', (_way, play) => {
  test('arrives whole and is described in the trace', async () => {
    const { read, trace } = await play();
    expect(read.includes(whole)).toBe(true);
    const carrier = carrierIn(trace);
    expect(JSON.stringify(carrier?.content)).toContain(`"sha256":"${sha256}"`);
    expect(JSON.stringify(trace).length).toBeLessThan(100_000);
    expect(carrier?.pieces?.length).toBeGreaterThan(0);
  });
});

test('a generated value that was not written to its end is not recorded as delivered', async () => {
  const large = documentOf('mcp_server', mcpState, mcpPlace, { kind: 'text', bytes: 500_000_000 });
  const { trace } = await serve(large, [mcpServerMode()], async (url) => {
    const { port } = new URL(url);
    const session = await new Promise<string>((resolve, reject) => {
      const request = requestHttp(
        url,
        { method: 'POST', headers: { ...jsonHeaders, accept: 'application/json, text/event-stream' } },
        (response) => {
          response.resume();
          response.on('end', () => resolve(String(response.headers['mcp-session-id'])));
        },
      );
      request.on('error', reject);
      request.end(JSON.stringify(initialize));
    });
    const body = JSON.stringify(call());
    return new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(
          `POST ${new URL(url).pathname} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nAccept: application/json\r\nMcp-Session-Id: ${session}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        ),
      );
      socket.once('data', () => socket.destroy());
      // The server notices this itself; a later request shows that it continues.
      socket.once('close', () => void callMcpPing(url, session).then(resolve));
    });
  });
  const carrier = trace.find((record) => 'noted' in record && String(record.noted).includes('gone after'));
  expect(carrier).toBeDefined();
  expect(carrier).not.toHaveProperty('pieces');
});

async function callMcpPing(url: string, session: string): Promise<string> {
  return post(url, { jsonrpc: '2.0', id: 3, method: 'ping' }, { 'mcp-session-id': session });
}

test('a run sends a generated value over its limit as the document writes it, with O-118', async () => {
  const document = documentOf('mcp_server', mcpState, mcpPlace, { kind: 'text', bytes: 1_000 });
  const trace: TraceRecord[] = [];
  let read: Promise<string> | undefined;
  const { end } = await playDocument(document, {
    modes: [mcpServerMode()],
    clock: systemClock,
    limits: { generatedBytes: 500 },
    record: (record) => void trace.push(record),
    control: (run) => void read?.finally(() => run.end('operator')),
    ready(endpoints) {
      const [endpoint] = endpoints.values();
      read = callMcp(endpoint?.url ?? '');
    },
  });
  expect(await read).toContain('"long"');
  expect(end.diagnostics.map(({ code }) => code)).toContain('O-118');
  const answer = trace.find(
    (record) => 'method' in record && record.method === 'tools/call' && record.kind === 'response',
  );
  expect(answer).not.toHaveProperty('pieces');
});
