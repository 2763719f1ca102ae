import { stringifyJson } from '../../../format/model/json-text-values.ts';
import { failUnreachable, type Value } from '../../../format/model/value.ts';
import type { Answer, RefusedMessage } from '../../engine/actor-messages.ts';
import type { EchoRemover } from '../echo-remover.ts';
import type { FailureEnding } from '../http-failure.ts';
import { type Frame, readFrame } from '../json-rpc-frames.ts';
import { readJson } from '../json-text.ts';
import { findOddity } from '../mcp-server/sessions/read-message.ts';
import { type RefusedBytes, readLooseReply, recordRefused } from '../mcp-server/sessions/record-refused.ts';
import type { ClientLimits, McpReceive } from './mcp-client-options.ts';

export type RefusedMessageForm = Pick<RefusedBytes, 'contentType' | 'contentEncoding' | 'end' | 'status'>;

export interface InboxOptions {
  readonly session: string;
  readonly limits: ClientLimits;
  readonly receive: McpReceive;
  /** Removes secrets from the peer's messages before anything else sees them. */
  readonly clean?: EchoRemover;
  /** Called with every answer, before the actor gets it. */
  answered?(ask: string, answer: Answer): void;
}

/** Facts about an answer that its frame does not tell. */
interface AnswerFacts {
  readonly noted: string | undefined;
  readonly status: number | undefined;
}

/**
 * Reads a peer's messages without their framing: it knows which request of ours each answers, and which of the peer's
 * requests are open.
 */
export class Inbox {
  readonly #options: InboxOptions;
  /** Requests of ours without an answer so far. */
  readonly #asks = new Set<string>();
  /** The ids of the peer's requests, by exchange. */
  readonly #exchanges = new Map<string, Value>();
  #lastExchange = 0;
  #isClosed = false;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  get hasAsks(): boolean {
    return this.#asks.size > 0;
  }

  expect(ask: string): void {
    this.#asks.add(ask);
  }

  isUnanswered(ask: string): boolean {
    return this.#asks.has(ask);
  }

  /** Takes the id for an answer of ours; each request is answered once. */
  takeExchange(exchange: string): { readonly id: Value } | undefined {
    const id = this.#exchanges.get(exchange);
    this.#exchanges.delete(exchange);
    return id === undefined ? undefined : { id };
  }

  /**
   * Takes one message, or a batch. `within` is the request in whose own answer it came, if known, and `status` the HTTP
   * status of that answer, if it is not a success.
   */
  take(raw: Buffer, within?: string, status?: number): void {
    const bytes = this.clean(raw);
    const json = readJson(bytes, this.#options.limits.depth);
    if (!json.ok) {
      this.malformed(bytes, json.reason, within);
      return;
    }
    const messages = Array.isArray(json.value) ? (json.value as readonly Value[]) : [json.value];
    if (messages.length === 0) this.malformed(bytes, 'an empty batch', within);
    const odd = findOddity(messages, json.value, bytes, this.#options.limits.depth);
    for (const message of odd?.beside ?? []) this.#refuse(message, odd?.noted ?? '', within);
    if (odd?.unread !== undefined) this.malformed(bytes, odd.unread, within);
    for (const message of messages) this.#takeFrame(message, within, { noted: odd?.noted, status });
  }

  /** Records a message that is not accepted. */
  #refuse(message: RefusedMessage, reason: string, within: string | undefined): void {
    const ask = within === undefined ? {} : { ask: within };
    this.deliver({ kind: 'refused', session: this.#options.session, ...ask, message, reason });
  }

  clean(bytes: Buffer): Buffer {
    return this.#options.clean?.bytes(bytes) ?? bytes;
  }

  #takeFrame(message: Value, within: string | undefined, beside: AnswerFacts): void {
    const { noted } = beside;
    const { session, limits } = this.#options;
    const frame: Frame = readFrame(message);
    switch (frame.kind) {
      case 'request': {
        this.#lastExchange += 1;
        const exchange = String(this.#lastExchange);
        const { kind, method, id, params } = frame;
        this.#exchanges.set(exchange, id);
        const [oldest] = this.#exchanges.keys();
        if (this.#exchanges.size > limits.exchanges && oldest !== undefined) this.#exchanges.delete(oldest);
        this.deliver({ kind, session, exchange, method, id, params, noted });
        break;
      }
      case 'notification': {
        const { kind, method, params } = frame;
        this.deliver({ kind, session, method, params, noted });
        break;
      }
      case 'response': {
        const ask = this.#answeredBy(frame.id, frame.answer, within);
        if (ask !== undefined) this.#answer(ask, frame.answer, beside);
        else
          for (const each of readLooseReply(message))
            this.#refuse(each, `a response to no request of ours: ${formatAnswerId(frame.id)}`, undefined);
        break;
      }
      case 'invalid': {
        const ask = this.#asks.has(frame.id as string) ? (frame.id as string) : undefined;
        for (const each of readLooseReply(message)) this.#refuse(each, frame.reason, ask ?? within);
        if (ask !== undefined) this.end(ask, `its answer is not JSON-RPC: ${frame.reason}`);
        break;
      }
      default:
        failUnreachable(frame);
    }
  }

  /**
   * A peer that could not read the id of a request answers with an error under `null`. If only one request can be
   * meant, the error answers it.
   */
  #answeredBy(id: Value, { kind }: Answer, within: string | undefined): string | undefined {
    if (typeof id === 'string' && this.#asks.has(id)) return id;
    if (id !== null || kind !== 'error') return undefined;
    const [only, ...others] = within === undefined ? this.#asks : [within];
    return only !== undefined && others.length === 0 && this.#asks.has(only) ? only : undefined;
  }

  #answer(ask: string, answer: Answer, beside: AnswerFacts): void {
    this.#asks.delete(ask);
    this.#options.answered?.(ask, answer);
    this.deliver({ kind: 'answer', session: this.#options.session, ask, answer, ...beside });
  }

  /** Ends a request that gets no answer. */
  end(ask: string, reason?: string, ending: FailureEnding = {}): void {
    if (!this.#asks.delete(ask)) return;
    const why = reason === undefined ? {} : { reason: this.#cleanReason(reason) };
    this.deliver({ kind: 'end', session: this.#options.session, ask, ...why, ...ending });
  }

  endAll(reason: string): void {
    for (const ask of [...this.#asks]) this.end(ask, reason);
  }

  /**
   * Handles bytes that are not a message, or not an acceptable one: readable messages in them are recorded, and the
   * rest is reported as malformed.
   */
  malformed(bytes: Buffer, reason: string, ask?: string, form: RefusedMessageForm = {}): void {
    const { session, limits, clean } = this.#options;
    const whose = ask !== undefined && this.#asks.has(ask) ? { ask } : {};
    const recorder = { limits, receive: (message: Parameters<McpReceive>[0]) => this.deliver(message) };
    recordRefused(recorder, { ...form, bytes, reason, session, ...whose, clean, messagesIn: readLooseReply });
  }

  /** Removes secrets from a reason, which may quote the peer: the text of an HTTP status is the peer's own. */
  #cleanReason(reason: string): string {
    return this.#options.clean?.text(reason) ?? reason;
  }

  deliver(message: Parameters<McpReceive>[0]): void {
    if (!this.#isClosed) this.#options.receive(message);
  }

  /** Closes the inbox: later messages are ignored. */
  close(): void {
    this.#isClosed = true;
  }
}

function formatAnswerId(id: Value): string {
  return `id ${stringifyJson(id).slice(0, 200)}`;
}
