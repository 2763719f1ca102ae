import type { IncomingMessage } from 'node:http';
import type { AppliedWireRule } from '../../../format/model/applied-wire-rule.ts';
import { isValueMap } from '../../../format/model/value.ts';
import { listSecrets } from '../../../secrets/given-secrets.ts';
import type { Answer } from '../../engine/actor-messages.ts';
import type { Transport } from '../../engine/ports.ts';
import { createEchoRemover } from '../echo-remover.ts';
import { formatRefusal, readFailureEnding } from '../http-failure.ts';
import { frameAnswer, frameNotification, frameRequest } from '../json-rpc-frames.ts';
import { applyHeaderManner, mirrorRequest } from '../mcp-server/mirrored-headers.ts';
import {
  findRedirection,
  type HttpReply,
  isJsonResponse,
  isJsonRpcError,
  isOk,
  OpenRequests,
  olderAnswers,
  type ReplyBody,
  type RequestSentCallback,
  readHeader,
  readReplyBody,
} from './http-request.ts';
import { Inbox, type RefusedMessageForm } from './inbox.ts';
import type { ClientLimits, McpReceive, UrlPeer } from './mcp-client-options.ts';
import { pause, waitAtMost } from './pause.ts';
import { type EventStreamEnd, isEventStream, type LegacyStream, openLegacy, readStream } from './read-event-stream.ts';
import { ParamHeaders } from './tool-headers.ts';

const session = 'http';
const waits = {
  /** How long a message waits for the one before it to be accepted. */
  turnMs: 5_000,
  /** How long the first message waits for the stream that may carry its consequences. */
  listenMs: 1_000,
  retryMs: 500,
  longestRetryMs: 10_000,
} as const;
const mostRedirections = 3;
const accepted = 202;

interface Outgoing {
  readonly text: string;
  readonly method: string;
  readonly ask?: string;
  /** Since 2026-07-28: headers that repeat the body. */
  readonly headers?: Record<string, string>;
  readonly sent: RequestSentCallback;
  readonly rule?: AppliedWireRule | undefined;
}

/**
 * The client side of MCP's Streamable HTTP. For a server that speaks only the older HTTP+SSE, the client falls back to
 * that.
 */
export function openHttp(target: UrlPeer, limits: ClientLimits, receive: McpReceive): Transport {
  return new HttpClient(target, limits, receive).transport;
}

class HttpClient {
  readonly #limits: ClientLimits;
  readonly #headers: { readonly [name: string]: string };
  readonly #inbox: Inbox;
  readonly #requests = new OpenRequests();
  readonly #closing = new AbortController();
  #url: URL;
  #sessionId: string | undefined;
  #version: string | undefined;
  /** The key of the request that opens the session. */
  #opening: string | undefined;
  readonly #params = new ParamHeaders();
  /** Requests for lists of tools. */
  readonly #lists = new Set<string>();
  #hasSucceeded = false;
  #isListening = false;
  #legacy: LegacyStream | undefined;
  #turn: Promise<void> = Promise.resolve();
  #active = 0;

  constructor(target: UrlPeer, limits: ClientLimits, receive: McpReceive) {
    const { url, headers = {} } = target;
    this.#url = new URL(url);
    this.#limits = limits;
    this.#headers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    this.#inbox = new Inbox({
      session,
      limits,
      receive,
      clean: createEchoRemover(listSecrets(target)),
      answered: (ask, answer) => {
        this.#learnVersion(ask, answer);
        if (this.#lists.delete(ask) && answer.kind === 'result') this.#params.learn(answer.result);
      },
    });
  }

  get transport(): Transport {
    const { origin, pathname } = this.#url;
    return {
      open: async () => ({ url: `${origin}${pathname}` }),
      answer: (exchange, answer, sent) => {
        const open = this.#inbox.takeExchange(exchange);
        if (open === undefined) return;
        this.#queue({
          text: frameAnswer(open.id, answer),
          method: 'an answer',
          sent: (cut) => sent(undefined, cut),
        });
      },
      notify: (_target, method, params, sent, how) =>
        this.#queue({
          ...applyBatch(frameNotification(method, params), how?.order),
          method,
          headers: applyHeaderManner(mirrorRequest(method, params), how?.manner),
          sent: (cut, performed) => sent(session, undefined, undefined, cut, performed),
        }),
      ask: (_target, ask, method, params, sent, how) => {
        if (method === 'initialize') this.#opening = ask;
        if (method === 'tools/list') this.#lists.add(ask);
        this.#inbox.expect(ask);
        const mirrored = mirrorRequest(method, params);
        const isModern = Object.keys(mirrored).length > 0;
        const headers = { ...mirrored, ...(isModern && this.#params.of(method, params)) };
        this.#queue({
          ...applyBatch(frameRequest(ask, method, params), how?.order),
          method,
          ask,
          headers: applyHeaderManner(headers, how?.manner),
          sent: (cut, performed) => sent(session, undefined, undefined, cut, performed),
        });
      },
      openSessions: () => (this.#sessionId === undefined ? 0 : 1),
      isConnected: () => this.#active > 0,
      close: () => this.#close(),
    };
  }

  /** Messages go out in order, each when the one before it has been written, or accepted if it expects no answer. */
  #queue(message: Outgoing): void {
    this.#active += 1;
    this.#turn = this.#turn.then(() => {
      if (this.#closing.signal.aborted) return undefined;
      let goOn = (): void => {};
      const written = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      void this.#post(message, goOn).finally(() => {
        this.#active -= 1;
        goOn();
      });
      return waitAtMost(waits.turnMs, written);
    });
  }

  async #post({ text, method, ask, headers, sent, rule }: Outgoing, goOn: () => void): Promise<void> {
    const noteSent: RequestSentCallback = (cut, performed) => {
      sent(cut, performed);
      if (ask !== undefined) goOn();
    };
    const reply = await this.#sendPost(text, callOnce(noteSent), headers, rule);
    if (!reply.ok) {
      this.#fail(method, ask, reply.reason, reply.isAbsent);
      return;
    }
    const { response } = reply;
    if (isOk(response)) await this.#takeReply(response, method, ask, goOn);
    else await this.#takeRefusal(response, text, method, ask);
  }

  async #sendPost(
    body: string,
    sent: RequestSentCallback,
    mirrored: Record<string, string> = {},
    rule?: AppliedWireRule,
  ): Promise<HttpReply> {
    for (let hops = 0; ; hops++) {
      const url = this.#legacy?.endpoint ?? this.#url;
      const headers = {
        ...mirrored,
        ...this.#headersFor('application/json, text/event-stream', 'application/json'),
      };
      const reply = await this.#requests.send(url, { method: 'POST', headers, body, sent, rule });
      const next = reply.ok && hops < mostRedirections ? findRedirection(reply.response, url) : undefined;
      if (next === undefined) return reply;
      if (reply.ok) reply.response.resume();
      this.#url = next;
    }
  }

  async #takeReply(
    response: IncomingMessage,
    method: string,
    ask: string | undefined,
    goOn: () => void,
  ): Promise<void> {
    this.#hasSucceeded = true;
    this.#sessionId = readHeader(response, 'mcp-session-id') ?? this.#sessionId;
    if (isEventStream(response)) {
      goOn();
      await this.#follow(response, ask);
      return;
    }
    if (method === 'notifications/initialized') await this.#listen();
    const { bytes, isWhole } = await readReplyBody(response, this.#limits.messageBytes);
    // The older transport answers over its own stream; the body of a POST response has no meaning there.
    if (this.#legacy !== undefined) return;
    if (bytes.length === 0 && isWhole) {
      // A request that was only accepted (202) may be answered over the other stream; any other empty response is its
      // answer.
      if (ask !== undefined && response.statusCode !== accepted) this.#inbox.end(ask, 'its answer is empty');
      return;
    }
    if (ask === undefined) {
      if (isJsonResponse(response)) this.#inbox.take(bytes);
      return;
    }
    const type = response.headers['content-type'] ?? 'no content type';
    const form = readMessageForm(response);
    if (!isWhole)
      this.#inbox.malformed(bytes, 'its answer is too long, or broke off', ask, {
        ...form,
        end: 'too large',
      });
    else if (isJsonResponse(response) && form.contentEncoding === undefined) this.#inbox.take(bytes, ask);
    else if (isJsonResponse(response)) this.#inbox.malformed(bytes, 'its answer is compressed', ask, form);
    else this.#inbox.malformed(bytes, `it answered with ${type}`, ask, form);
    this.#inbox.end(
      ask,
      !isWhole
        ? 'its answer is too long, or broke off'
        : isJsonResponse(response)
          ? 'what it sent back is no answer to the request'
          : `it answered with ${type} in place of JSON or an event stream`,
    );
  }

  async #takeRefusal(response: IncomingMessage, text: string, method: string, ask: string | undefined): Promise<void> {
    const { statusCode = 0 } = response;
    const body = await readReplyBody(response, this.#limits.messageBytes);
    const mayBeOlder = ask !== undefined && ask === this.#opening && !this.#hasSucceeded;
    if (mayBeOlder && olderAnswers.has(statusCode) && (await this.#fallBack(text, ask))) return;
    this.#refuse(response, body, method, ask);
  }

  /** Handles the body of an answer whose status is not a success. */
  #refuse(response: IncomingMessage, { bytes, isWhole }: ReplyBody, method: string, ask: string | undefined): void {
    const { statusCode: status = 0, statusMessage = '' } = response;
    const body = this.#inbox.clean(bytes);
    const reason = formatRefusal(status, statusMessage, body);
    const form = { ...readMessageForm(response), status, ...(!isWhole && { end: 'too large' as const }) };
    // An error of the protocol is an answer whatever its status. A result is not.
    if (ask !== undefined && isJsonRpcError(body, this.#limits.depth)) this.#inbox.take(body, ask, status);
    else if (body.length > 0) this.#inbox.malformed(body, `${method}: ${reason}`, ask, form);
    const { absent = false, ...ending } = readFailureEnding(status);
    if (ask !== undefined) this.#inbox.end(ask, reason, { ...ending, absent: absent && !this.#hasSucceeded });
    else this.#fail(method, ask, reason);
  }

  /** Before 2025-03-26 a server had one stream, which named the URL for messages. */
  async #fallBack(text: string, ask: string): Promise<boolean> {
    const headers = this.#headersFor('text/event-stream');
    const legacy = await openLegacy(this.#url, headers, {
      requests: this.#requests,
      inbox: this.#inbox,
      limits: this.#limits,
    });
    if (legacy === undefined) return false;
    this.#legacy = legacy;
    this.#active += 1;
    void legacy.ended.then(() => {
      this.#active -= 1;
      this.#inbox.endAll('its stream ended');
      this.#inbox.deliver({ kind: 'connection', session, event: 'closed' });
    });
    const reply = await this.#sendPost(text, () => {});
    if (!reply.ok) this.#inbox.end(ask, reply.reason);
    else if (isOk(reply.response)) reply.response.resume();
    else {
      const body = await readReplyBody(reply.response, this.#limits.messageBytes);
      this.#refuse(reply.response, body, 'initialize', ask);
    }
    return true;
  }

  /** Opens the stream for messages that belong to no request; many servers have none. */
  async #listen(): Promise<void> {
    if (this.#isListening || this.#legacy !== undefined) return;
    this.#isListening = true;
    this.#active += 1;
    const headers = this.#headersFor('text/event-stream');
    const opened = this.#requests.send(this.#url, { method: 'GET', headers });
    void opened
      .then(async (reply) => {
        if (!reply.ok) return;
        if (isEventStream(reply.response)) await this.#follow(reply.response);
        else reply.response.resume();
      })
      .finally(() => {
        this.#active -= 1;
      });
    await waitAtMost(waits.listenMs, opened);
  }

  /** Reads a stream, and resumes it if it breaks, until its request is answered or we close. */
  async #follow(first: IncomingMessage, ask?: string): Promise<void> {
    const { signal } = this.#closing;
    const take = (data: Buffer): void => this.#inbox.take(data, ask);
    const read = (response: IncomingMessage): Promise<EventStreamEnd> =>
      readStream(response, { inbox: this.#inbox, limits: this.#limits, message: take });
    let end = await read(first);
    let lastId = end.lastId;
    for (let tries = 0; tries < this.#limits.resumptions && !signal.aborted; tries++) {
      if (end.fault !== undefined) break;
      if (ask !== undefined && (lastId === undefined || !this.#inbox.isUnanswered(ask))) break;
      await pause(Math.min(end.retryMs ?? waits.retryMs, waits.longestRetryMs), signal);
      if (signal.aborted) break;
      const headers = {
        ...this.#headersFor('text/event-stream'),
        ...(lastId !== undefined && { 'last-event-id': lastId }),
      };
      const reply = await this.#requests.send(this.#url, { method: 'GET', headers });
      if (!reply.ok || !isEventStream(reply.response)) {
        if (reply.ok) reply.response.resume();
        break;
      }
      end = await read(reply.response);
      lastId = end.lastId ?? lastId;
      if (end.events > 0) tries = -1;
    }
    if (ask !== undefined) this.#inbox.end(ask, end.fault ?? 'its stream ended before the answer came');
  }

  #fail(method: string, ask: string | undefined, reason: string, isAbsent = false): void {
    if (ask !== undefined) this.#inbox.end(ask, reason, { absent: isAbsent && !this.#hasSucceeded });
    else this.#inbox.malformed(Buffer.alloc(0), `${method} was not taken: ${reason}`);
  }

  #learnVersion(ask: string, answer: Answer): void {
    if (ask !== this.#opening || answer.kind !== 'result' || !isValueMap(answer.result)) return;
    const { protocolVersion } = answer.result;
    if (typeof protocolVersion === 'string' && /^[\x21-\x7e]{1,100}$/.test(protocolVersion))
      this.#version = protocolVersion;
  }

  #headersFor(accept: string, contentType?: string): { readonly [name: string]: string } {
    return {
      accept,
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...(this.#sessionId !== undefined && { 'mcp-session-id': this.#sessionId }),
      ...(this.#version !== undefined && { 'mcp-protocol-version': this.#version }),
      ...this.#headers,
    };
  }

  async #close(): Promise<void> {
    this.#inbox.close();
    this.#closing.abort();
    if (this.#sessionId !== undefined && this.#legacy === undefined) {
      const headers = this.#headersFor('application/json, text/event-stream');
      const left = this.#requests.send(this.#url, { method: 'DELETE', headers });
      await waitAtMost(this.#limits.goodbyeMs, left);
    }
    this.#requests.breakOff();
  }
}

function readMessageForm({ headers }: IncomingMessage): RefusedMessageForm {
  const { 'content-type': contentType, 'content-encoding': contentEncoding } = headers;
  return { contentType, contentEncoding };
}

/** The text of a message with its rule applied; a batch of one message is another text. */
function applyBatch(text: string, rule: AppliedWireRule | undefined): Pick<Outgoing, 'text' | 'rule'> {
  return rule === undefined ? { text } : { text: rule.batch ? `[${text}]` : text, rule };
}

function callOnce(call: RequestSentCallback): RequestSentCallback {
  let isDone = false;
  return (cut, performed) => {
    if (!isDone) call(cut, performed);
    isDone = true;
  };
}
