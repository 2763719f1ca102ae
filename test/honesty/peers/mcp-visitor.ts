import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { mirrorRequest } from '../../../src/attack/transport/mcp-server/mirrored-headers.ts';
import { isValueMap } from '../../../src/format/model/value.ts';
import { mcp2026, metaKey } from '../../../src/format/registry/mcp-2026.ts';
import type { Value, ValueMap } from '../../../src/index.ts';
import { bothTypes, openUnread } from '../../support/raw-http.ts';

// An MCP client over Streamable HTTP that only follows its script.

/** The answer to a question of the server; undefined leaves it unanswered. */
export type Answering = (method: string, params: Value) => { result: Value } | { error: Value } | undefined;

export interface Visit {
  readonly capabilities?: ValueMap;
  readonly answer?: Answering;
  /** The era that it speaks. Default: the one with sessions. */
  readonly era?: typeof mcp2026;
}

/** What a script can do over any transport. */
export type Visitor = Pick<McpVisitor, 'enter' | 'list' | 'call' | 'read' | 'prompt' | 'leave' | 'listen' | 'ask'>;

export class McpVisitor {
  readonly url: string;
  readonly #answer: Answering;
  readonly #capabilities: ValueMap;
  readonly #isModern: boolean;
  #session: Record<string, string> = {};
  #last: Record<string, string> = {};
  #lastId = 0;

  constructor(url: string, { capabilities = {}, answer = () => undefined, era }: Visit = {}) {
    this.url = url;
    this.#answer = answer;
    this.#capabilities = capabilities;
    this.#isModern = era === mcp2026;
  }

  /** The header with the id of the session that it has ended. */
  get lastSession(): Record<string, string> {
    return this.#last;
  }

  async enter(): Promise<void> {
    if (this.#isModern) {
      await this.ask('server/discover');
      return;
    }
    const clientInfo = { name: 'visitor', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: this.#capabilities, clientInfo };
    const { headers } = await this.post(this.framed('initialize', params));
    this.#session = { 'mcp-session-id': String(headers['mcp-session-id']) };
    await this.post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  list(kind: string): Promise<Value> {
    return this.ask(`${kind}/list`);
  }

  call(name: string, args: ValueMap = {}): Promise<Value> {
    return this.ask('tools/call', { name, arguments: args });
  }

  read(uri: string): Promise<Value> {
    return this.ask('resources/read', { uri });
  }

  prompt(name: string): Promise<Value> {
    return this.ask('prompts/get', { name });
  }

  /** Ends the session, as a client should; without a session it simply leaves. */
  async leave(): Promise<void> {
    if (this.#isModern) return;
    await this.#send('DELETE', '', {});
    this.#last = this.#session;
    this.#session = {};
  }

  /** Opens the stream for messages that the server sends on its own; returns a function that closes it. */
  async listen(): Promise<() => void> {
    const notifications = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true };
    const body = this.#isModern ? this.framed('subscriptions/listen', { notifications }) : undefined;
    const headers = body === undefined ? { accept: 'text/event-stream', ...this.#session } : this.#headersFor(body);
    const method = body === undefined ? 'GET' : 'POST';
    const listening = httpRequest(this.url, { method, headers, agent: false });
    listening.on('error', () => {});
    await new Promise((resolve) =>
      listening.on('response', (got) => resolve(got.resume())).end(body && JSON.stringify(body)),
    );
    return () => listening.destroy();
  }

  /**
   * Sends a request and returns its result or error. A question within a result is answered, and the request is
   * repeated.
   */
  async ask(method: string, params: ValueMap = {}): Promise<Value> {
    const { message } = await this.post(this.framed(method, params));
    const answers = answersTo(message, this.#answer);
    return answers === undefined ? message : this.ask(method, { ...params, ...answers });
  }

  /** Sends any bytes with any headers. */
  async post(
    body: Value | Buffer,
    headers: Record<string, string> = {},
  ): Promise<{
    readonly status: number;
    readonly headers: IncomingMessage['headers'];
    readonly message: Value;
  }> {
    const written = Buffer.isBuffer(body) ? body : JSON.stringify(this.#isModern ? this.#inEra(body) : body);
    const response = await this.#send('POST', written, { ...this.#headersFor(body), ...headers });
    let text = '';
    let message: Value = null;
    const isStream = String(response.headers['content-type']).startsWith('text/event-stream');
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk;
      if (!isStream) continue;
      const events = text.split('\n\n');
      text = events.pop() ?? '';
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1];
        if (data !== undefined && data !== '') message = await this.#take(JSON.parse(data));
      }
    }
    if (!isStream && text !== '') message = await this.#take(JSON.parse(text));
    return { status: response.statusCode ?? 0, headers: response.headers, message };
  }

  /** Begins to send a call, and breaks off. */
  async breakOff(name: string, args: ValueMap): Promise<void> {
    const socket = await this.#write(this.framed('tools/call', { name, arguments: args }), {}, 8);
    await new Promise((resolve) => socket.on('close', resolve).destroySoon());
  }

  /** Sends a call over a connection of its own that nobody reads. */
  callUnread(name: string, headers: Record<string, string> = {}): Promise<Socket> {
    return this.#write(this.framed('tools/call', { name, arguments: {} }), headers);
  }

  /** Writes a request without its last bytes, and does not read. */
  #write(framed: ValueMap, more: Record<string, string>, without = 0): Promise<Socket> {
    const headers = { host: new URL(this.url).host, ...this.#headersFor(framed), ...more };
    return openUnread(this.url, headers, JSON.stringify(framed), without);
  }

  /** A request with all the fields of its era. */
  framed(method: string, params: Value): ValueMap {
    this.#lastId += 1;
    return this.#inEra({ jsonrpc: '2.0', id: this.#lastId, method, params }) as ValueMap;
  }

  /** The message with the metadata that is required since 2026-07-28. */
  #inEra(message: Value): Value {
    return this.#isModern && isValueMap(message) ? inEra2026(message, this.#capabilities) : message;
  }

  #headersFor(body: Value | Buffer): Record<string, string> {
    const message = Buffer.isBuffer(body) ? {} : this.#inEra(body);
    const { method, params } = isValueMap(message) ? message : ({} as ValueMap);
    return {
      'content-type': 'application/json',
      accept: bothTypes,
      ...this.#session,
      ...(this.#isModern && { 'mcp-protocol-version': mcp2026 }),
      ...(typeof method === 'string' && mirrorRequest(method, params)),
    };
  }

  async #take(message: ValueMap): Promise<Value> {
    const { method, id, params = {} } = message;
    if (typeof method !== 'string') return message.result ?? message.error ?? null;
    const answer = id === undefined ? undefined : this.#answer(method, params);
    if (answer !== undefined) await this.post({ jsonrpc: '2.0', id: id ?? null, ...answer });
    return null;
  }

  #send(method: string, body: string | Buffer, more: Record<string, string>): Promise<IncomingMessage> {
    const headers = { ...this.#headersFor({}), ...more };
    return new Promise((resolve, reject) => {
      const sending = httpRequest(this.url, { method, headers, agent: false }, resolve);
      sending.on('error', reject);
      sending.end(body);
    });
  }
}

/** The message with the metadata that is required since 2026-07-28. */
export function inEra2026(message: ValueMap, capabilities: ValueMap = {}): ValueMap {
  const { params } = message;
  if (!isValueMap(params)) return message;
  const meta = {
    [metaKey.protocolVersion]: mcp2026,
    [metaKey.clientInfo]: { name: 'visitor', version: '1' },
    [metaKey.clientCapabilities]: capabilities,
  };
  const written = isValueMap(params._meta) ? params._meta : {};
  return { ...message, params: { _meta: { ...meta, ...written }, ...params } };
}

/** The fields for a repeated request, if its result asks questions and all of them are answered. */
export function answersTo(message: Value, answer: Answering = () => undefined): ValueMap | undefined {
  if (!isValueMap(message) || message.resultType !== 'input_required') return undefined;
  const inputResponses: { [key: string]: Value } = {};
  for (const [key, asked] of Object.entries(message.inputRequests as ValueMap)) {
    const { method, params = {} } = asked as ValueMap;
    const given = answer(String(method), params);
    // A question cannot be answered with an error: a client that refuses does not repeat the call.
    if (given === undefined || 'error' in given) return undefined;
    inputResponses[key] = given.result;
  }
  const { requestState = null } = message;
  return { inputResponses, requestState };
}
