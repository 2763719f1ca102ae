import type { IncomingMessage } from 'node:http';
import { createEventReader } from '../../attack/transport/ag-ui-client/read-events.ts';
import { readJson } from '../../attack/transport/json-text.ts';
import { OpenRequests, readReplyBody } from '../../attack/transport/mcp-client/http-request.ts';
import { pause, waitAtMost } from '../../attack/transport/mcp-client/pause.ts';
import { isEventStream } from '../../attack/transport/mcp-client/read-event-stream.ts';
import { mirrorRequest } from '../../attack/transport/mcp-server/mirrored-headers.ts';
import { stringifyJson } from '../../format/model/json-text-values.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import type { LineOutput } from './line-output.ts';

export interface EndpointOptions {
  readonly url: URL;
  readonly output: LineOutput;
  /** Ends all pending requests. */
  readonly signal: AbortSignal;
  /** Called when the endpoint cannot be reached, or no longer. */
  lost(reason: string): void;
  /** Called with a text about something that cannot be forwarded. */
  note(text: string): void;
}

const longestMessage = 64 * 1024 * 1024;
const defaultRetryMs = 1_000;
/** How many times a stream is resumed without any new event. */
const mostRetries = 4;
const goodbyeMs = 1_000;

interface Relay {
  /** Whether more messages are expected on the stream after this one. */
  isWanted(message: Buffer): boolean;
  /** Whether this is the session's own stream, which can be opened again without a last event id. */
  readonly isOwn?: true;
}

/** A Streamable HTTP endpoint, with one session, as a bridge uses it. */
export class BridgedEndpoint {
  readonly #options: EndpointOptions;
  readonly #requests = new OpenRequests();
  readonly #open = new Set<Promise<void>>();
  #session: string | undefined;
  #version: string | undefined;

  constructor(options: EndpointOptions) {
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#requests.breakOff(), { once: true });
  }

  /** Posts that have not been answered completely. */
  get open(): ReadonlySet<Promise<void>> {
    return this.#open;
  }

  /** Posts a line unchanged. Resolves once the next line may be sent; an answer that is a stream is not waited for. */
  async post(line: Buffer): Promise<void> {
    const { url } = this.#options;
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const reply = await this.#requests.send(url, {
      method: 'POST',
      headers: { ...headers, ...this.#own(), ...createMirroredHeaders(line) },
      body: line,
    });
    if (!reply.ok) return this.#lose(reply.reason);
    const { response } = reply;
    const opens = isSessionOpening(line);
    if (opens) this.#begin(response);
    if (!isEventStream(response)) return this.#relayBody(response, opens);
    const waiting = listRequestIds(line);
    const isWanted = (message: Buffer): boolean => {
      if (opens) this.#version ??= readNegotiatedVersion(message);
      for (const id of listAnswerIds(message)) waiting.delete(id);
      return waiting.size > 0;
    };
    this.#track(this.#relay(response, { isWanted }));
  }

  /** Ends the session, if the endpoint created one. */
  async leave(): Promise<void> {
    if (this.#session === undefined) return;
    const { url } = this.#options;
    const goodbye = this.#requests.send(url, { method: 'DELETE', headers: this.#own() });
    await waitAtMost(goodbyeMs, goodbye);
    this.#requests.breakOff();
  }

  #own(): Record<string, string> {
    return {
      ...(this.#session !== undefined && { 'mcp-session-id': this.#session }),
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
    };
  }

  #begin({ headers }: IncomingMessage): void {
    const id = headers['mcp-session-id'];
    if (typeof id !== 'string' || this.#session !== undefined) return;
    this.#session = id;
    void this.#listen();
  }

  /** Opens the session's own stream, on which the endpoint sends messages of its own accord, if it has one. */
  async #listen(): Promise<void> {
    const response = await this.#get(undefined);
    if (response !== undefined) await this.#relay(response, { isWanted: () => true, isOwn: true });
  }

  async #relayBody(response: IncomingMessage, opens: boolean): Promise<void> {
    const { output, note } = this.#options;
    const { statusCode = 0, headers } = response;
    const { bytes, isWhole } = await readReplyBody(response, longestMessage);
    if (!isWhole && bytes.length < longestMessage) return this.#lose('the connection broke off');
    if (bytes.length === 0) return;
    if (!isWhole || !/^application\/json\b/i.test(headers['content-type'] ?? ''))
      return note(`the endpoint answered HTTP ${statusCode} with something that is not a message`);
    if (opens) this.#version = readNegotiatedVersion(bytes);
    output.write(bytes);
    await output.ready();
  }

  /** Forwards a stream, and resumes it if it ends too early. */
  async #relay(first: IncomingMessage, { isWanted, isOwn }: Relay): Promise<void> {
    const { output, signal } = this.#options;
    let response: IncomingMessage | undefined = first;
    let lastId: string | undefined;
    let wanted = true;
    let retryMs = defaultRetryMs;
    for (let retries = 0; response !== undefined; retries++) {
      const end = await relayStream(response, output, longestMessage, (message) => {
        wanted = isWanted(message);
      });
      lastId = end.lastId ?? lastId;
      retryMs = end.retryMs ?? retryMs;
      if (end.events > 0) retries = 0;
      if (!wanted || signal.aborted || retries > mostRetries) return;
      if (lastId === undefined && isOwn !== true) return;
      await pause(retryMs, signal);
      response = signal.aborted ? undefined : await this.#get(lastId);
    }
  }

  async #get(lastId: string | undefined): Promise<IncomingMessage | undefined> {
    const { url } = this.#options;
    const headers = { accept: 'text/event-stream', ...this.#own() };
    const reply = await this.#requests.send(url, {
      method: 'GET',
      headers: { ...headers, ...(lastId !== undefined && { 'last-event-id': lastId }) },
    });
    if (!reply.ok) this.#lose(reply.reason);
    if (!reply.ok) return undefined;
    const { response } = reply;
    if (isEventStream(response)) return response;
    response.resume();
    // An endpoint may have no such stream; it then says so. One that does not know the session has ended it.
    const { statusCode = 0 } = response;
    if (statusCode === 404 || statusCode >= 500) this.#lose(`the session is over (HTTP ${statusCode})`);
    return undefined;
  }

  #track(work: Promise<void>): void {
    this.#open.add(work);
    void work.finally(() => this.#open.delete(work));
  }

  #lose(reason: string): void {
    if (!this.#options.signal.aborted) this.#options.lost(reason);
  }
}

interface RelayedStreamEnd {
  /** The event id from which the stream can be resumed. */
  readonly lastId: string | undefined;
  readonly retryMs: number | undefined;
  readonly events: number;
}

/** Forwards the messages of an event stream until it ends in any way. */
function relayStream(
  response: IncomingMessage,
  output: LineOutput,
  longest: number,
  seen: (message: Buffer) => void,
): Promise<RelayedStreamEnd> {
  let events = 0;
  const take = (data: Buffer, name?: string): void => {
    events += 1;
    // Events with another name are not messages.
    if (name !== undefined && name !== 'message') return;
    output.write(data);
    seen(data);
  };
  const reader = createEventReader({ data: take, tooLong: () => response.destroy() }, longest);
  return new Promise((resolve) => {
    response.on('data', (chunk: Buffer) => {
      reader.push(chunk);
      response.pause();
      void output.ready().then(() => response.resume());
    });
    response.on('close', () => {
      const rest = response.complete ? reader.end() : undefined;
      if (rest !== undefined) take(rest);
      const { lastId, retryMs } = reader;
      resolve({ lastId, retryMs, events });
    });
  });
}

// Reads the facts that a bridge needs from the messages it forwards. Unreadable messages are forwarded too.

const depth = 512;

function listRequestIds(bytes: Buffer): Set<string> {
  return new Set(parseMessages(bytes).flatMap(({ id, method }) => (method === undefined ? [] : toIdKeys(id))));
}

function listAnswerIds(bytes: Buffer): readonly string[] {
  return parseMessages(bytes).flatMap(({ id, method }) => (method === undefined ? toIdKeys(id) : []));
}

function isSessionOpening(bytes: Buffer): boolean {
  return parseMessages(bytes).some(({ method }) => method === 'initialize');
}

/** The version that an answer to `initialize` names, if it can be sent in a header. */
function readNegotiatedVersion(bytes: Buffer): string | undefined {
  const [{ result } = {}] = parseMessages(bytes);
  const version = isValueMap(result) ? result.protocolVersion : undefined;
  return typeof version === 'string' && /^[\x21-\x7e]{1,100}$/.test(version) ? version : undefined;
}

/** The headers for a message: since 2026-07-28 they repeat parts of it. */
function createMirroredHeaders(bytes: Buffer): Record<string, string> {
  const [message, ...others] = parseMessages(bytes);
  if (typeof message?.method !== 'string' || others.length > 0) return {};
  return mirrorRequest(message.method, message.params);
}

function parseMessages(bytes: Buffer): readonly ValueMap[] {
  const read = readJson(bytes, depth);
  if (!read.ok) return [];
  const { value } = read;
  return (Array.isArray(value) ? value : [value]).filter(isValueMap);
}

function toIdKeys(id: Value | undefined): readonly string[] {
  return id === undefined ? [] : [stringifyJson(id)];
}
