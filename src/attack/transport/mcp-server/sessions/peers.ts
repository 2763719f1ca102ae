import type { AppliedWireRule } from '../../../../format/model/applied-wire-rule.ts';
import { stringifyJson } from '../../../../format/model/json-text-values.ts';
import type { Value } from '../../../../format/model/value.ts';
import { mcp2026, metaKey, withinResponse } from '../../../../format/registry/mcp-2026.ts';
import { type Answer, type Incoming, type Recipient, readAnswerContent } from '../../../engine/actor-messages.ts';
import type { Answered, Sent, Transport } from '../../../engine/ports.ts';
import { frameAnswer, frameAnswerText, frameNotification, frameRequest } from '../../json-rpc-frames.ts';
import type { OutgoingText, OwnMessage, PeerExchange, PeerSession, SessionReply } from './peer-session.ts';
import { type IncomingCall, QuestionRounds } from './question-rounds.ts';
import type { SessionLimits } from './session-limits.ts';
import { tagSubscription } from './subscriptions.ts';

/** A message of ours to one session or more. */
export interface OwnBroadcast extends OwnMessage {
  readonly sent: Sent;
}

const mostEnded = 10_000;

/** All sessions, their open requests, and the messages that wait for the first session. */
export class McpPeers {
  readonly limits: SessionLimits;
  readonly receive: (message: Incoming) => void;
  readonly #sessions = new Map<string, PeerSession>();
  readonly #exchanges = new Map<string, PeerExchange>();
  readonly #ended = new Set<string>();
  readonly questions = new QuestionRounds();
  #waiting: OwnBroadcast[] = [];
  readonly #lastUse = new WeakMap<PeerSession, number>();
  #uses = 0;
  #lastExchange = 0;
  #lastContent: Value | undefined;
  #lastText = '';

  constructor(limits: SessionLimits, receive: (message: Incoming) => void) {
    this.limits = limits;
    this.receive = receive;
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  session(id: string): PeerSession | undefined {
    const session = this.#sessions.get(id);
    if (session !== undefined) this.#noteUse(session);
    return session;
  }

  #noteUse(session: PeerSession): void {
    this.#uses += 1;
    this.#lastUse.set(session, this.#uses);
  }

  /**
   * Tells whether one more session may begin. Peers often leave without a word, so the session that has been idle the
   * longest is ended if there are too many; its peer is told so if it comes back.
   */
  hasRoomForSession(most: number): boolean {
    if (this.#sessions.size < most) return true;
    const [idle] = [...this.#sessions.values()]
      .filter((session) => session.isIdle)
      .sort((one, other) => (this.#lastUse.get(one) ?? 0) - (this.#lastUse.get(other) ?? 0));
    if (idle !== undefined) this.endSession(idle);
    return idle !== undefined;
  }

  /** Tells whether a session of this run had this id and has ended; the oldest are forgotten. */
  hasEnded(id: string): boolean {
    return this.#ended.has(id);
  }

  beginSession(session: PeerSession): void {
    this.#sessions.set(session.id, session);
    this.#noteUse(session);
    this.receive({ kind: 'connection', session: session.id, event: 'opened' });
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const message of waiting) session.deliver(toOutgoing(message, session));
  }

  endSession(session: PeerSession): void {
    // A session that we have ended is not ended again by the peer.
    if (!this.#sessions.delete(session.id)) return;
    for (const { key } of session.exchanges) this.#exchanges.delete(key);
    this.#ended.add(session.id);
    const [oldest] = this.#ended;
    if (this.#ended.size > mostEnded && oldest !== undefined) this.#ended.delete(oldest);
    session.end();
    this.receive({ kind: 'connection', session: session.id, event: 'closed' });
  }

  /** `call` is given for requests since 2026-07-28. */
  openExchange(session: PeerSession, id: Value, reply: SessionReply, call?: IncomingCall): PeerExchange {
    this.#lastExchange += 1;
    const exchange = { key: String(this.#lastExchange), id, session, reply, call };
    this.#exchanges.set(exchange.key, exchange);
    session.exchanges.add(exchange);
    return exchange;
  }

  /** Tells whether this many more requests may wait for their answers, in total or in one session. */
  hasRoom(requests: number, session?: PeerSession): boolean {
    const open = session === undefined ? this.#exchanges : session.exchanges;
    const limit = session === undefined ? this.limits.exchanges : this.limits.exchangesPerSession;
    if (open.size + requests <= limit) return true;
    for (const exchange of open.values()) if (exchange.reply.isLost) this.#dropExchange(exchange);
    return open.size + requests <= limit;
  }

  answer(key: string, answer: Answer, sent: Answered, rule?: AppliedWireRule): void {
    const exchange = this.#exchanges.get(key);
    if (exchange === undefined) return;
    this.#dropExchange(exchange);
    if (exchange.call !== undefined && this.questions.hold(exchange, answer, sent)) return;
    const text =
      rule === undefined
        ? frameAnswerText(exchange.id, answer.kind, this.#textOf(readAnswerContent(answer)))
        : frameRuled(exchange.id, answer, rule);
    exchange.reply.answer(text, sent, answer, rule);
  }

  /** A document often gives the same answer again. Values never change, so its text is kept. */
  #textOf(content: Value): string {
    if (content !== this.#lastContent) {
      this.#lastText = stringifyJson(content);
      this.#lastContent = content;
    }
    return this.#lastText;
  }

  /** Cancels a request for the peer, and tells whether its answer was still due. */
  cancel(exchange: PeerExchange): boolean {
    const isOpen = this.#exchanges.get(exchange.key) === exchange;
    this.#dropExchange(exchange);
    exchange.session.subscriptions?.close(exchange.id);
    return isOpen;
  }

  send(target: Recipient, message: OwnBroadcast): void {
    if (target !== 'every session') {
      this.#sendWithin(target.exchange, message);
    } else if (this.#sessions.size > 0) {
      for (const session of this.#sessions.values()) session.deliver(toOutgoing(message, session));
    } else if (this.#waiting.length < this.limits.waitingPerSession) {
      this.#waiting.push(message);
    }
  }

  beat(): void {
    for (const session of this.#sessions.values()) session.beat();
  }

  /** Closes all sessions without a report to `receive`, because we are the side that leaves. */
  close(): void {
    const sessions = [...this.#sessions.values()];
    for (const exchange of this.#exchanges.values()) endSubscriptionStream(exchange);
    this.#sessions.clear();
    this.#exchanges.clear();
    this.questions.end();
    this.#waiting = [];
    for (const session of sessions) session.end();
  }

  #dropExchange(exchange: PeerExchange): void {
    this.#exchanges.delete(exchange.key);
    exchange.session.exchanges.delete(exchange);
  }

  #sendWithin(key: string, message: OwnBroadcast): void {
    const exchange = this.#exchanges.get(key);
    if (exchange === undefined) return;
    const { session, reply, call } = exchange;
    if (call !== undefined) this.#sendWithinCall(exchange, call, message);
    // A peer that accepts only JSON has no stream for this reply; its session may have one.
    else if (reply.canStream) reply.send(toOutgoing(message, session));
    else session.deliver(toOutgoing(message, session));
  }

  /** Since 2026-07-28: a question is the interim answer of the call, and the first message on a stream opens it. */
  #sendWithinCall(exchange: PeerExchange, call: IncomingCall, message: OwnBroadcast): void {
    const { session, reply, id } = exchange;
    const { written, ...rest } = toOutgoing(message, session, mcp2026);
    if (message.ask !== undefined) {
      const questioned = { session, call, asked: [message], exchange, rounds: 0 };
      exchange.reply = nobody;
      this.questions.ask(reply, id, questioned, written);
    } else if (call.method === streamMethod) {
      const { method, params } = message;
      reply.send({ ...rest, written, text: frameNotification(method, tagSubscription(params, id)) });
      const wanted = (call.params as { notifications?: Value } | undefined)?.notifications ?? {};
      session.subscriptions?.open({ id, wanted, send: (each) => reply.send(each) });
    } else if (reply.canStream) reply.send({ ...rest, written });
  }
}

const streamMethod = 'subscriptions/listen';

function frameRuled(id: Value, answer: Answer, rule: AppliedWireRule): string {
  const text = frameAnswer(rule.id === undefined ? id : rule.id.value, answer);
  return rule.batch ? `[${text}]` : text;
}

/** Stands in for a reply while a call waits for its repetition. */
const nobody: SessionReply = {
  isLost: false,
  canStream: false,
  carriesOthers: false,
  send() {},
  answer() {},
  abandon() {},
};

/** A stream of notifications ends with an answer. */
function endSubscriptionStream({ call, id, reply }: PeerExchange): void {
  if (call?.method !== streamMethod) return;
  const result = { resultType: 'complete', _meta: { [metaKey.subscriptionId]: id } };
  reply.answer(frameAnswer(id, { kind: 'result', result }), () => {});
}

function toOutgoing({ sent, ...own }: OwnBroadcast, session: PeerSession, era?: string): OutgoingText {
  const { method, params, ask } = own;
  return {
    text: ask === undefined ? frameNotification(method, params) : frameRequest(ask, method, params),
    own,
    written(_wire, cut) {
      if (ask !== undefined) session.expectAnswer(ask);
      // A request that is sent on its own belongs to the eras before 2026-07-28, whichever client gets it.
      const isOfBefore = ask !== undefined && own.manner === withinResponse;
      sent(session.id, isOfBefore ? undefined : (era ?? session.era), undefined, cut);
    },
  };
}

/** The part of an MCP server's transport that is the same over HTTP, standard streams and memory. */
export function sendThrough(
  peers: McpPeers,
): Pick<Transport, 'answer' | 'notify' | 'ask' | 'hasSessions' | 'openSessions'> {
  return {
    answer: (exchange, answer, sent, rule) => peers.answer(exchange, answer, sent, rule),
    notify: (target, method, params, sent, how) => peers.send(target, { method, params, sent, manner: how?.manner }),
    ask: (target, ask, method, params, sent, how) =>
      peers.send(target, { ask, method, params, sent, manner: how?.manner }),
    hasSessions: true,
    openSessions: () => peers.sessionCount,
  };
}
