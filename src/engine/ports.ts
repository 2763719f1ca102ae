import type { Value } from '../model/value.ts';
import type { WireOrder, WirePerformed } from '../model/wire.ts';
import type { Answer, Incoming, Recipient, Sending } from './messages.ts';

// What the engine needs of the outside. Transports and clocks implement it; tests bring their own.

/**
 * Told of each session that a message was written to; `era` is left out for the first of the protocol, and `wire` where
 * the era spells the message as it is recorded; `cut` says what of it the transport cannot carry.
 */
export type Sent = (
  session: string,
  era?: string,
  wire?: Value,
  cut?: string,
  performed?: WirePerformed,
) => void;

/**
 * Told when an answer, or a part of one, was written; `performed` says what became of an order for it. Who says nothing of
 * it has done nothing of what the order leaves to the transport.
 */
export type Answered = (wire?: Value, cut?: string, performed?: WirePerformed) => void;

/** An actor's connection to its peers: how bytes move, and nothing of what they mean. */
export interface Transport {
  /** Resolves once peers can connect. From then on everything that comes in goes to `receive`. */
  open(receive: (message: Incoming) => void): Promise<Endpoint>;
  /** Answers an open request and ends its exchange. `sent` is not called when the peer is gone. */
  answer(exchange: string, answer: Answer, sent: Answered, order?: WireOrder): void;
  /** Sends a part of an answer that is streamed; only transports of protocols that have such answers do. */
  part?(exchange: string, content: Value, sent: Answered): void;
  /**
   * Sends a notification into an exchange, or to every session; with none open it waits for the first.
   * `sent` is called for each session that the message was written to, when it was.
   */
  notify(target: Recipient, method: string, params: Value | undefined, sent: Sent, how?: Sending): void;
  /** The same for a request; its answers come in under the key `ask`. */
  ask(
    target: Recipient,
    ask: string,
    method: string,
    params: Value | undefined,
    sent: Sent,
    how?: Sending,
  ): void;
  /** Whether peers open sessions and end them; without, nobody can tell that a peer has left for good. */
  readonly hasSessions?: boolean;
  /** Sessions that a peer has opened and not yet ended. */
  openSessions(): number;
  /** Whether any peer is connected at this moment, in the middle of a session or without one. */
  isConnected(): boolean;
  /** Whether a peer has begun a message and not come to its end. */
  isReceiving?(): boolean;
  /** Ends every session and connection, and gives the port back. */
  close(): Promise<void>;
}

/** Where an actor listens. */
export interface Endpoint {
  /** Where peers connect, such as `http://127.0.0.1:40123/mcp`. */
  readonly url: string;
  /** What of it opens the door, where it is not open to all: it is recorded nowhere. */
  readonly secret?: string;
}

/** Time as a run sees it. Tests give a run a clock of their own. */
export interface Clock {
  /** Milliseconds; only differences matter. */
  now(): number;
  /** Wall-clock time for records, as ISO 8601. */
  timestamp(): string;
  /** Calls back at or after a time of `now`; the returned function calls it off. */
  wakeAt(time: number, callback: () => void): () => void;
}
