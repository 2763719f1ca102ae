import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { Client, credentials } from '@grpc/grpc-js';
import { afterEach } from 'vitest';
import { dialects, findOperation, findRpc } from '../../src/attack/transport/a2a/proto/a2a-operations.ts';
import { createMemoryServer } from '../../src/attack/transport/mcp-server/in-memory.ts';
import { createStdioServer } from '../../src/attack/transport/mcp-server/stdio-server.ts';
import { encodeProto } from '../../src/attack/transport/proto/encode-proto.ts';
import type { TraceRecord } from '../../src/index.ts';
import { playServer, task, userMessage } from '../protocols/a2a/support.ts';
import { bothTypes, eventually } from '../support/http-peer.ts';
import { type Recorded, runActor } from '../support/run-actor.ts';
import { openPipes } from './raw-peers.ts';

// Servers with one rule, each asked once by a peer that reads only bytes.

export const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

export interface Seen {
  /** Everything that was received, as Latin-1. */
  text: string;
  chunks: string[];
  /** How the other side ended the connection. */
  end: 'open' | 'closed' | 'reset';
}

/** Sends a request over its own socket, and keeps what it receives. */
function send(url: string, path: string, body: string, headers: Record<string, string> = {}): Seen {
  const { hostname, port } = new URL(url);
  const seen: Seen = { text: '', chunks: [], end: 'open' };
  const socket = connect(Number(port), hostname);
  open.push(() => socket.destroy());
  const head = {
    Host: `${hostname}:${port}`,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  keep(socket, seen);
  return seen;
}

/** Keeps everything that is received, and how the connection ends. */
export function keep(from: Readable, seen: Seen): void {
  from.on('data', (chunk: Buffer) => {
    seen.text += chunk.toString('latin1');
    seen.chunks.push(chunk.toString('latin1'));
  });
  from.on('error', () => {
    seen.end = 'reset';
  });
  from.on('end', () => {
    if (seen.end === 'open') seen.end = 'closed';
  });
}

export type Rule = Record<string, unknown>;
export type Records = readonly (Recorded | TraceRecord)[];

export interface Asked {
  readonly seen: Seen;
  readonly records: Records;
  /** How often a stream has the searched text before its last event, which is the answer. */
  readonly earlier?: number;
  /** Sends the same request again, over another connection if each request has its own. */
  again(): void;
  /** Cancels the first request. */
  cancel(): void;
}

const found = { content: [{ type: 'text', text: 'found: tea' }] };
const tools = [{ name: 'search', responses: [{ content: found }] }];
/** `more` is written beside the rule in its phase. */
const serving = (rule: Rule, more: object = {}): string =>
  JSON.stringify({
    oatf: '0.1',
    attack: {
      execution: {
        mode: 'mcp_server',
        phases: [{ state: { tools }, 'x-wire': [{ on: 'tools/call', ...rule }], ...more }],
      },
    },
  });
/** The request to which a rule applies. */
const call = (id: number, { on = 'tools/call' }: Rule, meta = {}) => {
  const params = on === 'tools/call' ? { name: 'search', arguments: {}, ...meta } : { ...meta };
  return JSON.stringify({ jsonrpc: '2.0', id, method: on, params });
};
const cancelled = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}';
const init = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: init });

export async function mcp2025(rule: Rule, headers = {}, more = {}): Promise<Asked> {
  const actor = await runActor(serving(rule, more));
  open.push(actor.stop);
  const response = await fetch(actor.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: bothTypes },
    body: initialize,
  });
  await response.text();
  const session = response.headers.get('mcp-session-id') ?? '';
  const post = (body: string): Seen =>
    send(actor.url, '/mcp', body, { Accept: bothTypes, 'Mcp-Session-Id': session, ...headers });
  return {
    seen: post(call(2, rule)),
    records: actor.records,
    again: () => post(call(3, rule)),
    cancel: () => post(cancelled),
  };
}

export async function mcp2026(rule: Rule, headers = {}): Promise<Asked> {
  const actor = await runActor(serving(rule));
  open.push(actor.stop);
  const prefix = 'io.modelcontextprotocol/';
  const _meta = {
    [`${prefix}protocolVersion`]: '2026-07-28',
    [`${prefix}clientInfo`]: { name: 'raw', version: '1' },
    [`${prefix}clientCapabilities`]: {},
  };
  const post = (id: number): Seen =>
    send(actor.url, '/mcp', call(id, rule, { _meta }), {
      Accept: bothTypes,
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'search',
      ...headers,
    });
  return { seen: post(2), records: actor.records, again: () => post(3), cancel: () => {} };
}

/** The older HTTP transport, on which all answers come over one stream. */
export async function mcpSse(rule: Rule): Promise<Asked> {
  const actor = await runActor(serving(rule));
  open.push(actor.stop);
  const { hostname, port } = new URL(actor.url);
  const seen: Seen = { text: '', chunks: [], end: 'open' };
  const socket = connect(Number(port), hostname);
  open.push(() => socket.destroy());
  keep(socket, seen);
  socket.write(`GET /sse HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept: text/event-stream\r\n\r\n`);
  const endpoint = (): string => /event: endpoint\ndata: (\S+)/.exec(seen.text)?.[1] ?? '';
  await eventually(endpoint).not.toBe('');
  const place = new URL(endpoint(), actor.url);
  const post = (body: string): Seen => send(actor.url, `${place.pathname}${place.search}`, body);
  post(initialize);
  await eventually(() => seen.text).toContain('protocolVersion');
  post(call(2, rule));
  return {
    seen,
    records: actor.records,
    again: () => post(call(3, rule)),
    cancel: () => post(cancelled),
  };
}

export async function stdio(rule: Rule, _headers = {}, more = {}): Promise<Asked> {
  const { toServer, fromServer } = openPipes();
  const transport = createStdioServer({ input: toServer, output: fromServer });
  const actor = await runActor(serving(rule, more), { transport });
  open.push(actor.stop);
  const seen: Seen = { text: '', chunks: [], end: 'open' };
  keep(fromServer, seen);
  const write = (text: string) => void toServer.write(`${text}\n`);
  write(call(2, rule));
  return {
    seen,
    records: actor.records,
    again: () => write(call(3, rule)),
    cancel: () => write(cancelled),
  };
}

export async function memory(rule: Rule): Promise<Asked> {
  const transport = createMemoryServer();
  const actor = await runActor(serving(rule), { transport });
  open.push(actor.stop);
  const seen: Seen = { text: '', chunks: [], end: 'open' };
  const peer = transport.join({
    hear(text) {
      seen.text += `${text}\n`;
      seen.chunks.push(text);
    },
    closed() {
      seen.end = 'closed';
    },
  });
  if (typeof peer === 'string') throw new Error(peer);
  const say = (text: string): void => peer.send(Buffer.from(text));
  say(call(2, rule));
  return {
    seen,
    records: actor.records,
    again: () => say(call(3, rule)),
    cancel: () => say(cancelled),
  };
}

// A stream repeats its status: in the task, before the artifacts, and at the end, which is the answer.
const said = {
  kind: 'message',
  role: 'agent',
  messageId: 'm2',
  parts: [{ kind: 'text', text: 'found: tea' }],
};
const taskResponses = [
  {
    content: task({
      status: { state: 'completed', message: said },
      artifacts: [{ artifactId: 'a', parts: [{ kind: 'text', text: 'a cup' }] }],
    }),
  },
];
export const a2aExecution = (on: string, rule: Rule, more = {}) => ({
  phases: [{ state: { task_responses: taskResponses }, 'x-wire': [{ ...rule, on }], ...more }],
});

async function a2a(on: string, rule: Rule, path: string, body: unknown, headers = {}, more = {}): Promise<Asked> {
  const played = await playServer(a2aExecution(on, rule, more) as never);
  open.push(played.stop);
  const post = (): Seen => send(played.url, path, JSON.stringify(body), headers);
  return { seen: post(), records: played.records, again: post, cancel: () => {} };
}

export const params = { message: userMessage('tea?') };
export const a2aRpc = (rule: Rule, headers = {}, more = {}) =>
  a2a('message/send', rule, '/', { jsonrpc: '2.0', id: 2, method: 'message/send', params }, headers, more);
export const a2aStream = async (rule: Rule, headers = {}): Promise<Asked> => {
  const body = { jsonrpc: '2.0', id: 2, method: 'message/stream', params };
  return { ...(await a2a('message/stream', rule, '/', body, headers)), earlier: 2 };
};
export const a2aRest = (rule: Rule, headers = {}) => {
  const message = { messageId: 'm', role: 'ROLE_USER', content: [{ text: 'tea?' }] };
  return a2a('message/send', rule, '/v1/message:send', { message }, headers);
};

/** A gRPC call, with its messages, its status and its trailers as text. */
export async function a2aGrpc(rule: Rule, method = 'message/send', more = {}): Promise<Asked> {
  const [dialect] = dialects;
  const operation = dialect && findOperation(dialect, method);
  const rpc = dialect && findRpc(dialect.schema(), operation?.rpc ?? '');
  if (dialect === undefined || operation === undefined || rpc === undefined) throw new Error('no such call');
  const played = await playServer(a2aExecution(method, rule, more) as never);
  open.push(played.stop);
  const request = encodeProto(dialect.schema(), rpc.request, operation.paramsToProto(params) as never, () => {});
  const post = (): Seen => {
    const seen: Seen = { text: '', chunks: [], end: 'open' };
    const client = new Client(new URL(played.url).host, credentials.createInsecure());
    open.push(() => client.close());
    const add = (text: string): void => {
      seen.text += text;
      seen.chunks.push(text);
    };
    const asIs = (buffer: Buffer): Buffer => buffer;
    const stream = client.makeServerStreamRequest(rpc.path, asIs, asIs, Buffer.from(request));
    stream.on('data', (data: Buffer) => add(data.toString('latin1')));
    stream.on('error', () => {});
    stream.on('status', ({ code, details, metadata }) => {
      add(`\nstatus ${code} ${details} ${JSON.stringify(metadata.getMap())}`);
      seen.end = 'closed';
    });
    return seen;
  };
  return { seen: post(), records: played.records, again: post, cancel: () => {} };
}

export const a2aGrpcStream = async (rule: Rule): Promise<Asked> => ({
  ...(await a2aGrpc(rule, 'message/stream')),
  earlier: 2,
});

export const responseIn = (records: Records) =>
  records.findLast((record) => record.kind === 'response') as
    | {
        readonly sent?: { readonly did: readonly string[]; readonly harm?: string };
        readonly pieces?: readonly string[];
      }
    | undefined;
export const recorded = async (records: Records) => {
  await eventually(() => responseIn(records)?.sent).toBeDefined();
  const { sent, pieces } = responseIn(records) ?? {};
  return { did: sent?.did, harm: sent?.harm !== undefined, pieces: pieces?.length };
};
