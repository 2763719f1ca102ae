import type { Answer, Incoming, Recipient } from '../../engine/messages.ts';
import type { Value } from '../../model/value.ts';
import { frameAnswer } from '../json-rpc.ts';
import type { SessionLimits } from './limits.ts';
import type { Exchange, PeerSession, Reply } from './session.ts';

/** A message of ours to one session or more. `ask` names it, if it is a request. */
export interface Message {
  readonly text: string;
  readonly ask?: string;
  readonly sent: (session: string) => void;
}

const mostEnded = 10_000;

/** All sessions, their open requests, and what waits for the first of them. */
export class Peers {
  readonly limits: SessionLimits;
  readonly receive: (message: Incoming) => void;
  readonly #sessions = new Map<string, PeerSession>();
  readonly #exchanges = new Map<string, Exchange>();
  readonly #ended = new Set<string>();
  #waiting: Message[] = [];
  #lastExchange = 0;

  constructor(limits: SessionLimits, receive: (message: Incoming) => void) {
    this.limits = limits;
    this.receive = receive;
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  session(id: string): PeerSession | undefined {
    return this.#sessions.get(id);
  }

  /** Whether a session of this run had this id, and is over; the oldest are forgotten. */
  hasEnded(id: string): boolean {
    return this.#ended.has(id);
  }

  beginSession(session: PeerSession): void {
    this.#sessions.set(session.id, session);
    this.receive({ kind: 'connection', session: session.id, event: 'opened' });
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const message of waiting) session.deliver(outgoing(message, session));
  }

  endSession(session: PeerSession): void {
    // One that we have ended is not the peer's to end.
    if (!this.#sessions.delete(session.id)) return;
    for (const { key } of session.exchanges) this.#exchanges.delete(key);
    this.#ended.add(session.id);
    const [oldest] = this.#ended;
    if (this.#ended.size > mostEnded && oldest !== undefined) this.#ended.delete(oldest);
    session.end();
    this.receive({ kind: 'connection', session: session.id, event: 'closed' });
  }

  openExchange(session: PeerSession, id: Value, reply: Reply): Exchange {
    this.#lastExchange += 1;
    const exchange = { key: String(this.#lastExchange), id, session, reply };
    this.#exchanges.set(exchange.key, exchange);
    session.exchanges.add(exchange);
    return exchange;
  }

  /** Whether so many more requests may wait for their answers, in all or in one session. */
  hasRoom(requests: number, session?: PeerSession): boolean {
    const open = session === undefined ? this.#exchanges : session.exchanges;
    const limit = session === undefined ? this.limits.exchanges : this.limits.exchangesPerSession;
    if (open.size + requests <= limit) return true;
    for (const exchange of open.values()) if (exchange.reply.isLost) this.#dropExchange(exchange);
    return open.size + requests <= limit;
  }

  answer(key: string, answer: Answer, sent: () => void): void {
    const exchange = this.#exchanges.get(key);
    if (exchange === undefined) return;
    this.#dropExchange(exchange);
    exchange.reply.answer(frameAnswer(exchange.id, answer), sent);
  }

  send(target: Recipient, message: Message): void {
    if (target !== 'every session') {
      this.#sendWithin(target.exchange, message);
    } else if (this.#sessions.size > 0) {
      for (const session of this.#sessions.values()) session.deliver(outgoing(message, session));
    } else if (this.#waiting.length < this.limits.waitingPerSession) {
      this.#waiting.push(message);
    }
  }

  beat(): void {
    for (const session of this.#sessions.values()) session.beat();
  }

  /** Says nothing to `receive`: it is we who leave. */
  close(): void {
    const sessions = [...this.#sessions.values()];
    this.#sessions.clear();
    this.#exchanges.clear();
    this.#waiting = [];
    for (const session of sessions) session.end();
  }

  #dropExchange(exchange: Exchange): void {
    this.#exchanges.delete(exchange.key);
    exchange.session.exchanges.delete(exchange);
  }

  #sendWithin(key: string, message: Message): void {
    const exchange = this.#exchanges.get(key);
    if (exchange === undefined) return;
    const { session, reply } = exchange;
    // A peer that takes JSON only has no stream here; it may have one of its session's.
    if (reply.canStream) reply.send(outgoing(message, session));
    else session.deliver(outgoing(message, session));
  }
}

function outgoing({ text, ask, sent }: Message, session: PeerSession) {
  return {
    text,
    written() {
      if (ask !== undefined) session.expectAnswer(ask);
      sent(session.id);
    },
  };
}
