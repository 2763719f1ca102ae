import { type AddressInfo, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/attack/transport/clock.ts';
import type { WireTransport } from '../../src/format/registry/wire-transports.ts';
import type { MessageRecord, TraceRecord, Value } from '../../src/index.ts';
import { type PlayOptions, playDocument } from '../../src/suite/play/play-run.ts';
import { a2aClientMode, agUiClientMode, mcpClientMode } from '../../src/suite/play/playable-modes.ts';
import { playServer, task, userMessage } from '../protocols/a2a/support.ts';
import { documentWith } from '../support/records.ts';
import { keep, open, type Rule, type Seen } from './wire-servers.ts';

// Clients with one rule, each read by a peer that reads only bytes.

export interface ClientTraffic {
  /** The bytes of each connection, or of each request if there are no connections; without the handshake. */
  readonly calls: readonly Call[];
  readonly records: readonly TraceRecord[];
}

export interface Call {
  readonly seen: Seen;
  /** Whether a part of the answer has not been read. */
  isUntaken(): boolean;
}

/** Long enough that no system buffers it: it must be read. */
const longLength = 32 * 1024 ** 2;
const longEnd = Buffer.from(`,"long":"${'x'.repeat(longLength)}"}`);
const longEvent = { type: 'CUSTOM', name: 'long', value: 'x'.repeat(7 * 1024 ** 2) };
const longEvents = `data: ${JSON.stringify(longEvent)}\n\n`.repeat(2);

type Speak = (request: string, isLong: boolean) => string | Buffer | undefined;

/**
 * Answers complete HTTP requests; `speak` returns undefined for a request that is not part of a handshake and cannot be
 * read.
 */
async function listen(speak: Speak, isHandshake: (text: string) => boolean, isLong: boolean) {
  const calls: Call[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket: Socket) => {
    const seen: Seen = { text: '', chunks: [], end: 'open' };
    const call = { seen, isUntaken: () => socket.writableLength > 0 };
    calls.push(call);
    keep(socket, seen);
    let isAnswered = false;
    socket.on('data', () => {
      if (isAnswered || !isWhole(seen.text)) return;
      isAnswered = true;
      if (isHandshake(seen.text)) calls.splice(calls.indexOf(call), 1);
      const answer = speak(seen.text, isLong) ?? 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n';
      // An answer that begins and does not end shows which client leaves in the middle of it.
      socket.write(answer);
      if (answer.includes('Content-Length')) socket.end();
    });
    socket.on('end', () => socket.end());
    open.push(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => server.close());
  return { calls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function isWhole(text: string): boolean {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const body = rest.join('\r\n\r\n');
  const [, length] = /content-length: (\d+)/i.exec(head) ?? [];
  if (/transfer-encoding: chunked/i.test(head)) return text.endsWith('0\r\n\r\n');
  return text.includes('\r\n\r\n') && body.length >= Number(length ?? 0);
}

const json = (value: object): string => {
  const body = JSON.stringify(value);
  return `${jsonHead(body.length)}${body}`;
};
const longJson = (value: object): Buffer => {
  const begin = JSON.stringify(value).slice(0, -1);
  return Buffer.concat([Buffer.from(`${jsonHead(begin.length + longEnd.length)}${begin}`), longEnd]);
};
const jsonHead = (length: number): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
const answerWith = (value: object, isLong: boolean): string | Buffer => (isLong ? longJson(value) : json(value));
const idIn = (text: string): string | undefined => /"id":"([^"]+)"/.exec(text)?.[1];

const speakMcp: Speak = (text, isLong) => {
  const id = idIn(text);
  if (text.startsWith('GET') || text.startsWith('DELETE')) return 'HTTP/1.1 405 No\r\nContent-Length: 0\r\n\r\n';
  if (text.includes('"method":"initialize"'))
    return json({
      jsonrpc: '2.0',
      id,
      result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'raw', version: '1' } },
    });
  if (text.includes('"method":"notifications/')) return 'HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n';
  return id === undefined ? undefined : answerWith({ jsonrpc: '2.0', id, result: { content: [] } }, isLong);
};
const speakA2a =
  (card: string | undefined): Speak =>
  (text, isLong) => {
    if (text.startsWith('GET')) return card ?? 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n';
    const id = idIn(text);
    if (text.includes('/v1/message:send'))
      return answerWith({ task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_COMPLETED' } } }, isLong);
    return id === undefined ? undefined : answerWith({ jsonrpc: '2.0', id, result: task() }, isLong);
  };
const speakAgUi: Speak = (text, isLong) => {
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  if (!body.includes('threadId')) return undefined;
  const event = (type: string): string => `data: ${JSON.stringify({ type, threadId: 't', runId: 'r' })}\n\n`;
  const stream = `${event('RUN_STARTED')}${isLong ? longEvents : ''}${event('RUN_FINISHED')}`;
  return `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\nContent-Length: ${stream.length}\r\n\r\n${stream}`;
};

function play(mode: string, phase: object, rule: Rule, modes: PlayOptions['modes']): readonly TraceRecord[] {
  const records: TraceRecord[] = [];
  const controller = new AbortController();
  const execution = { mode, phases: [{ ...phase, 'x-wire': [rule] }] };
  const running = playDocument(documentWith({ grace_period: '1m', execution }), {
    modes,
    clock: systemClock,
    signal: controller.signal,
    record: (record) => records.push(record),
  });
  open.push(() => {
    controller.abort();
    return running;
  });
  return records;
}

const plays = (): boolean => true;
const callTool = { method: 'tools/call', params: { name: 'search', arguments: { query: 'tea?' } } };
const mcpPhase = { state: { actions: [callTool, { method: 'ping', params: { of: '{{name}}' } }] } };
const a2aPhase = {
  state: { actions: [{ method: 'message/send', params: { message: userMessage('tea?') } }] } as Value,
};
const agUiPhase = {
  state: {
    run_agent_input: {
      threadId: 't',
      runId: 'r',
      state: {},
      messages: [{ id: 'm', role: 'user', content: 'tea?' }],
      tools: [],
      context: [],
      forwardedProps: {},
    },
  },
};

async function mcpHttp(rule: Rule, isLong = false): Promise<ClientTraffic> {
  const isHandshake = (text: string): boolean =>
    /^(?:GET|DELETE)/.test(text) || /"method":"(?:initialize|notifications\/initialized)"/.test(text);
  const { calls, url } = await listen(speakMcp, isHandshake, isLong);
  const mode = mcpClientMode({ plays, target: () => ({ url: `${url}/mcp` }), era: 'legacy' });
  return { calls, records: play('mcp_client', mcpPhase, { on: 'tools/call', ...rule }, [mode]) };
}

/** The program reports over its own connection what it reads, byte by byte. */
async function mcpStdio(rule: Rule, isLong = false, more = {}): Promise<ClientTraffic> {
  const calls: Call[] = [];
  let isUntaken = false;
  const server = createServer((socket) => {
    const seen: Seen = { text: '', chunks: [], end: 'open' };
    calls.push({ seen, isUntaken: () => isUntaken });
    keep(socket, seen);
    socket.on('data', () => {
      if (seen.text.includes('<writing>')) isUntaken = !seen.text.includes('<written>');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const program = fileURLToPath(new URL('./raw-program.mjs', import.meta.url));
  const target = {
    command: process.execPath,
    args: [program, String(port), String(isLong ? longLength : 0)],
  };
  const mode = mcpClientMode({ plays, target: () => target, era: 'legacy' });
  return {
    calls,
    records: play('mcp_client', { ...mcpPhase, ...more }, { on: 'tools/call', ...rule }, [mode]),
  };
}

async function a2a(rule: Rule, card?: (url: string) => object, isLong = false): Promise<ClientTraffic> {
  let place = '';
  const speak: Speak = (text, long) => speakA2a(card && json(card(place)))(text, long);
  const { calls, url } = await listen(speak, (text) => text.startsWith('GET'), isLong);
  place = url;
  const mode = a2aClientMode({ plays, target: () => ({ url }), era: 'legacy' });
  return { calls, records: play('a2a_client', a2aPhase, { on: 'message/send', ...rule }, [mode]) };
}

const restCard = (url: string) => ({
  name: 'raw',
  url,
  preferredTransport: 'HTTP+JSON',
  protocolVersion: '0.3.0',
});

/** For gRPC and for clients in this process, the bytes are not visible, but the number of requests is. */
async function a2aGrpc(rule: Rule): Promise<ClientTraffic> {
  const served = await playServer({ state: { task_responses: [{ content: task() }] } } as never);
  open.push(served.stop);
  const url = served.url.replace('http:', 'grpc:');
  const mode = a2aClientMode({ plays, target: () => ({ url }), era: 'legacy' });
  const records = play('a2a_client', a2aPhase, { on: 'message/send', ...rule }, [mode]);
  return {
    get calls() {
      return served
        .messages('message/send')
        .flatMap(({ kind, content }) => (kind === 'request' ? [heard(content)] : []));
    },
    records,
  };
}

async function agUiHttp(rule: Rule, isLong = false): Promise<ClientTraffic> {
  const { calls, url } = await listen(speakAgUi, () => false, isLong);
  const mode = agUiClientMode({ plays, target: () => ({ url }) });
  return { calls, records: play('ag_ui_client', agUiPhase, { on: '*', ...rule }, [mode]) };
}

async function agUiMemory(rule: Rule): Promise<ClientTraffic> {
  const calls: Call[] = [];
  const mode = agUiClientMode({
    plays,
    target: () =>
      async function* (request: Value) {
        calls.push(heard(request));
        yield { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
        yield { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
      },
  });
  return { calls, records: play('ag_ui_client', agUiPhase, { on: '*', ...rule }, [mode]) };
}

function heard(content: Value): Call {
  const text = JSON.stringify(content);
  return { seen: { text, chunks: [text], end: 'closed' }, isUntaken: () => false };
}

export const clients: {
  readonly [C in WireTransport]?: (rule: Rule, isLong?: boolean, more?: object) => Promise<ClientTraffic>;
} = {
  'mcp-client-http': mcpHttp,
  'mcp-client-stdio': mcpStdio,
  'a2a-client-json-rpc': (rule, isLong) => a2a(rule, undefined, isLong),
  'a2a-client-rest': (rule, isLong) => a2a(rule, restCard, isLong),
  'a2a-client-grpc': a2aGrpc,
  'ag-ui-client-http': agUiHttp,
  'ag-ui-client-memory': agUiMemory,
};

/** The request to which the rule applies, as it is in the trace. */
export function requestIn({ records }: ClientTraffic): MessageRecord | undefined {
  return records.find(
    (record): record is MessageRecord => record.kind === 'request' && 'sent' in record && record.sent !== undefined,
  );
}
