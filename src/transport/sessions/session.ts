import type { Answer } from '../../engine/messages.ts';
import type { Answered } from '../../engine/ports.ts';
import type { Value } from '../../model/value.ts';
import type { WireOrder } from '../../model/wire.ts';
import type { Call } from './questions.ts';
import type { Subscriptions } from './subscriptions.ts';

/** A message of ours on its way; `written` is called when it has gone out, or has been cut off on its way. */
export interface Outgoing {
  readonly text: string;
  readonly written: Answered;
  /** What the document orders to be done to it. */
  readonly order?: WireOrder;
  readonly isAnswer?: true;
  /** The answer turns a message away, so it carries nothing of the document. */
  readonly isRefusal?: true;
  /** What it says, where it is no answer. */
  readonly own?: OwnMessage;
}

/** A notification of ours, or a request; `ask` names it, if it is one. */
export interface OwnMessage {
  readonly method: string;
  readonly params: Value | undefined;
  readonly ask?: string;
  /** How the document orders it to be sent since 2026-07-28, where that is against the protocol. */
  readonly manner?: Value | undefined;
}

/** Where the answers to what came in together go. */
export interface Reply {
  /** Whether it reaches nobody any more. */
  readonly isLost: boolean;
  /** Whether it can carry other messages before its answers. */
  readonly canStream: boolean;
  /** Whether it can carry a message that belongs to no request, right now. */
  readonly carriesOthers: boolean;
  send(message: Outgoing): void;
  /** `answer` is what the text says, for what depends on it. */
  answer(text: string, written: Answered, answer?: Answer, order?: WireOrder): void;
  /** There will be no answer. */
  abandon(reason: string): void;
  /** Shows that a silent stream is still there. */
  beat?(): void;
}

/** A request of the peer's that is not yet answered. */
export interface Exchange {
  readonly key: string;
  /** That of the repetition, where the call was repeated. */
  id: Value;
  readonly session: PeerSession;
  reply: Reply;
  /** What was called; kept of calls since 2026-07-28. */
  readonly call?: Call | undefined;
}

/** One peer's session: its open requests, and how messages reach it. */
export interface PeerSession {
  readonly id: string;
  /** The era of all that it says; left out where that may be either. */
  readonly era?: string | undefined;
  /** What goes to it since 2026-07-28; left out where it speaks an earlier version for good. */
  readonly subscriptions?: Subscriptions;
  readonly exchanges: Set<Exchange>;
  /** Sends a message that belongs to no request, now or as soon as it can be. */
  deliver(message: Outgoing): void;
  /** Sends what has waited, if it can be sent now. */
  deliverWaiting(): void;
  expectAnswer(ask: string): void;
  /** The request of ours that a response with this id answers. Each is answered once. */
  takeAsk(id: Value): string | undefined;
  /** Shows that a silent connection is still there. */
  beat(): void;
  end(): void;
}
