import type { Answer, RefusedMessage } from '../../engine/messages.ts';
import { stringifyJson } from '../../model/json.ts';
import { unreachable, type Value } from '../../model/value.ts';
import type { Ending } from '../http-failure.ts';
import { type Frame, readFrame } from '../json-rpc.ts';
import { readJson } from '../json-text.ts';
import { oddityOf } from '../sessions/read-message.ts';
import { looseReply, type Refused, recordRefused } from '../sessions/record-refused.ts';
import type { WithoutEchoes } from '../without-echoes.ts';
import type { ClientLimits, Receive } from './options.ts';

/** How bytes came that are no message. */
export type Form = Pick<Refused, 'contentType' | 'contentEncoding' | 'end'>;

export interface InboxOptions {
  readonly session: string;
  readonly limits: ClientLimits;
  readonly receive: Receive;
  /** What is done to what the peer says before anything else sees it. */
  readonly clean?: WithoutEchoes;
  /** Told of every answer, before the actor is. */
  answered?(ask: string, answer: Answer): void;
}

/** What a peer sends, taken out of its framing: which request of ours it answers, and which of its own are open. */
export class Inbox {
  readonly #options: InboxOptions;
  /** Requests of ours that have not been answered. */
  readonly #asks = new Set<string>();
  /** The ids of requests of the peer's, by what we call them. */
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

  /** The id that an answer of ours goes back with; each request is answered once. */
  takeExchange(exchange: string): { readonly id: Value } | undefined {
    const id = this.#exchanges.get(exchange);
    this.#exchanges.delete(exchange);
    return id === undefined ? undefined : { id };
  }

  /** One message, or a batch of them. `within` is the request in whose own answer it came, where that is known. */
  take(raw: Buffer, within?: string): void {
    const bytes = this.clean(raw);
    const json = readJson(bytes, this.#options.limits.depth);
    if (!json.ok) {
      this.malformed(bytes, json.reason, within);
      return;
    }
    const messages = Array.isArray(json.value) ? (json.value as readonly Value[]) : [json.value];
    if (messages.length === 0) this.malformed(bytes, 'an empty batch', within);
    const odd = oddityOf(messages, json.value, bytes, this.#options.limits.depth);
    for (const message of odd?.beside ?? []) this.#refuse(message, odd?.noted ?? '', within);
    if (odd?.unread !== undefined) this.malformed(bytes, odd.unread, within);
    for (const message of messages) this.#takeFrame(message, within, odd?.noted);
  }

  /** Shows a message that is not taken. */
  #refuse(message: RefusedMessage, reason: string, within: string | undefined): void {
    const ask = within === undefined ? {} : { ask: within };
    this.deliver({ kind: 'refused', session: this.#options.session, ...ask, message, reason });
  }

  clean(bytes: Buffer): Buffer {
    return this.#options.clean?.bytes(bytes) ?? bytes;
  }

  #takeFrame(message: Value, within: string | undefined, noted: string | undefined): void {
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
        if (ask !== undefined) this.#answer(ask, frame.answer, noted);
        else
          for (const each of looseReply(message))
            this.#refuse(each, `a response to no request of ours: ${shown(frame.id)}`, undefined);
        break;
      }
      case 'invalid': {
        const ask = this.#asks.has(frame.id as string) ? (frame.id as string) : undefined;
        for (const each of looseReply(message)) this.#refuse(each, frame.reason, ask ?? within);
        if (ask !== undefined) this.end(ask, `what came in answer is no JSON-RPC: ${frame.reason}`);
        break;
      }
      default:
        unreachable(frame);
    }
  }

  /**
   * A peer that could not make out the id of a request answers it with an error under `null`. Where only one can be
   * meant, it is.
   */
  #answeredBy(id: Value, { kind }: Answer, within: string | undefined): string | undefined {
    if (typeof id === 'string' && this.#asks.has(id)) return id;
    if (id !== null || kind !== 'error') return undefined;
    const [only, ...others] = within === undefined ? this.#asks : [within];
    return only !== undefined && others.length === 0 && this.#asks.has(only) ? only : undefined;
  }

  #answer(ask: string, answer: Answer, noted: string | undefined): void {
    this.#asks.delete(ask);
    this.#options.answered?.(ask, answer);
    this.deliver({ kind: 'answer', session: this.#options.session, ask, answer, noted });
  }

  /** No answer will come to this request. */
  end(ask: string, reason?: string, ending: Ending = {}): void {
    if (!this.#asks.delete(ask)) return;
    const told = reason === undefined ? {} : { reason: this.#told(reason) };
    this.deliver({ kind: 'end', session: this.#options.session, ask, ...told, ...ending });
  }

  endAll(reason: string): void {
    for (const ask of [...this.#asks]) this.end(ask, reason);
  }

  /** What is no message, or none that is taken: what can be read of it is shown, and the rest is told. */
  malformed(bytes: Buffer, reason: string, ask?: string, form: Form = {}): void {
    const { session, limits, clean } = this.#options;
    const whose = ask !== undefined && this.#asks.has(ask) ? { ask } : {};
    const recorder = { limits, receive: (message: Parameters<Receive>[0]) => this.deliver(message) };
    recordRefused(recorder, { ...form, bytes, reason, session, ...whose, clean, messagesIn: looseReply });
  }

  /** A reason may quote the peer: the words of an HTTP status are its own. */
  #told(reason: string): string {
    return this.#options.clean?.text(reason) ?? reason;
  }

  deliver(message: Parameters<Receive>[0]): void {
    if (!this.#isClosed) this.#options.receive(message);
  }

  /** Whatever comes from now on is nobody's concern. */
  close(): void {
    this.#isClosed = true;
  }
}

function shown(id: Value): string {
  return `id ${stringifyJson(id).slice(0, 200)}`;
}
