import type { AppliedWireRule } from '../../../../format/model/applied-wire-rule.ts';
import type { Value } from '../../../../format/model/value.ts';
import { mcp2026 } from '../../../../format/registry/mcp-2026.ts';
import type { Answer } from '../../../engine/actor-messages.ts';
import type { Answered } from '../../../engine/ports.ts';
import { OpenAsks, type OutgoingText, type PeerExchange, type PeerSession, type SessionReply } from './peer-session.ts';
import type { SessionLimits } from './session-limits.ts';
import { Subscriptions, type UnsentReport } from './subscriptions.ts';

/** Carries our messages to one peer, in order. */
export interface Channel {
  send(message: OutgoingText): void;
  beat(): void;
  /** Called when nothing more will be sent. */
  finish(): void;
}

/**
 * A session with one channel for all our messages. Messages that belong to no request wait until the peer's
 * `initialize` has been answered; since 2026-07-28, until the peer has asked for them.
 */
export class ChannelSession implements PeerSession {
  readonly id: string;
  readonly channel: Channel;
  readonly exchanges = new Set<PeerExchange>();
  readonly #asks: OpenAsks;
  readonly subscriptions: Subscriptions;
  #isGreeted = false;

  constructor(id: string, channel: Channel, limits: SessionLimits, tell: UnsentReport) {
    this.id = id;
    this.channel = channel;
    this.subscriptions = new Subscriptions(limits.waitingPerSession, tell);
    this.#asks = new OpenAsks(limits.waitingPerSession);
  }

  get era(): string | undefined {
    return !this.#isGreeted && this.subscriptions.isSettled ? mcp2026 : undefined;
  }

  deliver(message: OutgoingText): void {
    if (this.#isGreeted) this.channel.send(message);
    else this.subscriptions.deliver(message);
  }

  deliverWaiting(): void {
    if (!this.#isGreeted) return;
    for (const message of this.subscriptions.takeAll()) this.channel.send(message);
  }

  greet(): void {
    this.#isGreeted = true;
    this.deliverWaiting();
  }

  expectAnswer(ask: string): void {
    this.#asks.expect(ask);
  }

  takeAsk(id: Value): string | undefined {
    return this.#asks.take(id);
  }

  beat(): void {
    this.channel.beat();
  }

  end(): void {
    this.subscriptions.end();
    this.channel.finish();
  }
}

export interface ChannelReplyOptions {
  readonly answers: number;
  readonly isBatch: boolean;
  /** Whether it answers `initialize`. */
  readonly greets: boolean;
}

/** Sends answers over the session's channel; those of a batch together. */
export class ChannelReply implements SessionReply {
  readonly isLost = false;
  readonly canStream = true;
  readonly carriesOthers = false;
  readonly #session: ChannelSession;
  readonly #options: ChannelReplyOptions;
  readonly #answers: OutgoingText[] = [];

  constructor(session: ChannelSession, options: ChannelReplyOptions) {
    this.#session = session;
    this.#options = options;
  }

  send(message: OutgoingText): void {
    this.#session.channel.send(message);
  }

  answer(text: string, written: Answered, _answer?: Answer, rule?: AppliedWireRule): void {
    const { isBatch, greets } = this.#options;
    if (isBatch) this.#answerWithOthers({ text, written });
    else this.#session.channel.send({ text, written, isAnswer: true, ...(rule !== undefined && { rule }) });
    if (greets) this.#session.greet();
  }

  #answerWithOthers(answer: OutgoingText): void {
    this.#answers.push(answer);
    if (this.#answers.length < this.#options.answers) return;
    this.#session.channel.send({
      text: `[${this.#answers.map(({ text }) => text).join(',')}]`,
      written: (_wire, cut) => {
        for (const { written } of this.#answers) written(undefined, cut);
      },
      isAnswer: true,
    });
  }

  /** Nothing to do: the channel ends with its session. */
  abandon(): void {}
}
