import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Value, ValueMap } from '../../../src/index.ts';
import { bothTypes } from '../../support/http-peer.ts';

// An MCP client over Streamable HTTP that does what a script says, and nothing of its own accord.

/** How a question of the server's is answered; nothing leaves it open. */
export type Answering = (method: string, params: Value) => { result: Value } | { error: Value } | undefined;

export interface Visit {
  readonly capabilities?: ValueMap;
  readonly answer?: Answering;
}

export class McpVisitor {
  readonly #url: string;
  readonly #answer: Answering;
  readonly #capabilities: ValueMap;
  #session: Record<string, string> = {};
  #last: Record<string, string> = {};
  #lastId = 0;

  constructor(url: string, { capabilities = {}, answer = () => undefined }: Visit = {}) {
    this.#url = url;
    this.#answer = answer;
    this.#capabilities = capabilities;
  }

  /** The header that names the session that it has ended. */
  get lastSession(): Record<string, string> {
    return this.#last;
  }

  async enter(): Promise<void> {
    const clientInfo = { name: 'visitor', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: this.#capabilities, clientInfo };
    const { headers } = await this.post(this.#framed('initialize', params));
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

  /** Ends the session, as a client that leaves should. */
  async leave(): Promise<void> {
    await this.#send('DELETE', '', {});
    this.#last = this.#session;
    this.#session = {};
  }

  /** Opens the stream on which the server speaks of its own accord; gives how to close it. */
  async listen(): Promise<() => void> {
    const headers = { accept: 'text/event-stream', ...this.#session };
    const listening = httpRequest(this.#url, { method: 'GET', headers, agent: false });
    listening.on('error', () => {});
    await new Promise((resolve) => listening.on('response', (got) => resolve(got.resume())).end());
    return () => listening.destroy();
  }

  /** A request, and its result or error. */
  async ask(method: string, params: Value = {}): Promise<Value> {
    return (await this.post(this.#framed(method, params))).message;
  }

  /** Any bytes under any headers. */
  async post(
    body: Value | Buffer,
    headers: Record<string, string> = {},
  ): Promise<{
    readonly status: number;
    readonly headers: IncomingMessage['headers'];
    readonly message: Value;
  }> {
    const response = await this.#send('POST', Buffer.isBuffer(body) ? body : JSON.stringify(body), headers);
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
    const { hostname, port, pathname } = new URL(this.#url);
    const body = JSON.stringify(this.#framed('tools/call', { name, arguments: args }));
    const head = Object.entries({
      host: `${hostname}:${port}`,
      'content-type': 'application/json',
      accept: bothTypes,
      'content-length': String(body.length),
      ...this.#session,
    });
    const lines = [`POST ${pathname} HTTP/1.1`, ...head.map(([key, value]) => `${key}: ${value}`), '', ''];
    const socket = connect(Number(port), hostname);
    await new Promise((resolve) => socket.on('connect', resolve));
    await new Promise((resolve) => socket.write(lines.join('\r\n') + body.slice(0, -8), resolve));
    await new Promise((resolve) => socket.on('close', resolve).destroySoon());
  }

  #framed(method: string, params: Value): ValueMap {
    this.#lastId += 1;
    return { jsonrpc: '2.0', id: this.#lastId, method, params };
  }

  async #take(message: ValueMap): Promise<Value> {
    const { method, id, params = {} } = message;
    if (typeof method !== 'string') return message.result ?? message.error ?? null;
    const answer = id === undefined ? undefined : this.#answer(method, params);
    if (answer !== undefined) await this.post({ jsonrpc: '2.0', id: id ?? null, ...answer });
    return null;
  }

  #send(method: string, body: string | Buffer, more: Record<string, string>): Promise<IncomingMessage> {
    const headers = { 'content-type': 'application/json', accept: bothTypes, ...this.#session, ...more };
    return new Promise((resolve, reject) => {
      const sending = httpRequest(this.#url, { method, headers, agent: false }, resolve);
      sending.on('error', reject);
      sending.end(body);
    });
  }
}
