import type { AppliedWireRule } from '../../../../format/model/applied-wire-rule.ts';
import type { Value } from '../../../../format/model/value.ts';
import type { Answer } from '../../../engine/actor-messages.ts';
import type { Answered } from '../../../engine/ports.ts';
import type { IncomingCall } from './question-rounds.ts';
import type { Subscriptions } from './subscriptions.ts';

/** An outgoing message of ours; `written` is called when it has gone out, or was cut off. */
export interface OutgoingText {
  readonly text: string;
  readonly written: Answered;
  /** The `x-wire` rule that applies to the message. */
  readonly rule?: AppliedWireRule;
  readonly isAnswer?: true;
  /** True when the answer refuses a message, so it carries nothing of the document. */
  readonly isRefusal?: true;
  /** The content of a message that is not an answer. */
  readonly own?: OwnMessage;
}

/** A notification or request of ours; `ask` is the key of a request. */
export interface OwnMessage {
  readonly method: string;
  readonly params: Value | undefined;
  readonly ask?: string;
  /** How the document wants it sent since 2026-07-28, if that is against the protocol. */
  readonly manner?: Value | undefined;
}

/** Carries the answers to messages that came in together. */
export interface SessionReply {
  /** Whether the peer has left. */
  readonly isLost: boolean;
  /** Whether it can carry other messages before its answers. */
  readonly canStream: boolean;
  /** Whether it can now carry a message that belongs to no request. */
  readonly carriesOthers: boolean;
  send(message: OutgoingText): void;
  /** `answer` is the content of the text, for code that depends on it. */
  answer(text: string, written: Answered, answer?: Answer, rule?: AppliedWireRule): void;
  /** Called when there will be no answer. */
  abandon(reason: string): void;
  /** Shows that a silent stream is still alive. */
  beat?(): void;
}

/** A request of the peer without an answer so far. */
export interface PeerExchange {
  readonly key: string;
  /** The id of the call, or of its last repetition. */
  id: Value;
  readonly session: PeerSession;
  reply: SessionReply;
  /** The call; kept for calls since 2026-07-28. */
  readonly call?: IncomingCall | undefined;
}

/** One peer's session: its open requests, and how messages reach it. */
export interface PeerSession {
  readonly id: string;
  /** The era of all its messages; undefined when both eras are possible. */
  readonly era?: string | undefined;
  /** The subscriptions since 2026-07-28; undefined for a session that only speaks an earlier version. */
  readonly subscriptions?: Subscriptions;
  readonly exchanges: Set<PeerExchange>;
  /** Whether its peer may be gone without a word: it waits for nothing. Absent: its end is always noticed. */
  readonly isIdle?: boolean;
  /** Sends a message that belongs to no request, now or as soon as possible. */
  deliver(message: OutgoingText): void;
  /** Sends the waiting messages, if that is possible now. */
  deliverWaiting(): void;
  expectAnswer(ask: string): void;
  /** Takes the request of ours that a response with this id answers. Each is answered once. */
  takeAsk(id: Value): string | undefined;
  /** Shows that a silent connection is still alive. */
  beat(): void;
  end(): void;
}

/** Requests of ours that a peer has still to answer; past a limit the oldest are forgotten. */
export class OpenAsks {
  readonly #open = new Set<string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  expect(ask: string): void {
    this.#open.add(ask);
    const [oldest] = this.#open;
    if (this.#open.size > this.#most && oldest !== undefined) this.#open.delete(oldest);
  }

  /** Takes the request that a response with this id answers. Each is answered once. */
  take(id: Value): string | undefined {
    return typeof id === 'string' && this.#open.delete(id) ? id : undefined;
  }
}
