import type { Value } from '../../model/value.ts';

/** A message of ours on its way; `written` is called when it has gone out. */
export interface Outgoing {
  readonly text: string;
  readonly written: () => void;
  readonly isAnswer?: true;
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
  answer(text: string, written: () => void): void;
  /** There will be no answer. */
  abandon(reason: string): void;
}

/** A request of the peer's that is not yet answered. */
export interface Exchange {
  readonly key: string;
  readonly id: Value;
  readonly session: PeerSession;
  readonly reply: Reply;
}

/** One peer's session: its open requests, and how messages reach it. */
export interface PeerSession {
  readonly id: string;
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
