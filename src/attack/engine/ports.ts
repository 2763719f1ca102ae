import type { AppliedWireRule, WirePerformed } from '../../format/model/applied-wire-rule.ts';
import type { Value } from '../../format/model/value.ts';
import type { Answer, Incoming, Recipient, Sending } from './actor-messages.ts';

// The interfaces that the engine needs from outside. Transports and clocks implement it; tests bring their own.

/**
 * Called for each session that a message was written to. `era` is undefined for the first era of the protocol, and
 * `wire` when the era spells the message as it is recorded. `cut` names the part that the transport cannot carry.
 */
export type Sent = (session: string, era?: string, wire?: Value, cut?: string, performed?: WirePerformed) => void;

/**
 * Called when an answer, or a part of one, was written. `performed` reports on the rule for it. A transport that
 * reports nothing has carried out none of the rule's actions.
 */
export type Answered = (wire?: Value, cut?: string, performed?: WirePerformed) => void;

/** An actor's connection to its peers: it moves bytes, and knows nothing of their meaning. */
export interface Transport {
  /** Resolves once peers can connect. From then on every incoming message goes to `receive`. */
  open(receive: (message: Incoming) => void): Promise<Endpoint>;
  /** Answers an open request and ends its exchange. `sent` is not called when the peer has left. */
  answer(exchange: string, answer: Answer, sent: Answered, order?: AppliedWireRule): void;
  /** Sends a part of a streamed answer; only transports of protocols with such answers have it. */
  part?(exchange: string, content: Value, sent: Answered): void;
  /**
   * Sends a notification into an exchange, or to every session; with no session open it waits for the first. `sent` is
   * called for each session, when the message was written to it.
   */
  notify(target: Recipient, method: string, params: Value | undefined, sent: Sent, how?: Sending): void;
  /** Sends a request in the same way; its answers come in under the key `ask`. */
  ask(target: Recipient, ask: string, method: string, params: Value | undefined, sent: Sent, how?: Sending): void;
  /** Whether peers open and end sessions; without sessions we cannot tell that a peer has left for good. */
  readonly hasSessions?: boolean;
  /** The number of sessions that peers have opened and not yet ended. */
  openSessions(): number;
  /** Whether any peer is connected now, within a session or without one. */
  isConnected(): boolean;
  /** Whether a peer has begun a message and not finished it. */
  isReceiving?(): boolean;
  /** Resolves once everything that has happened to its connections is known here. */
  settled?(): Promise<void>;
  /** Ends every session and connection, and releases the port. */
  close(): Promise<void>;
}

/** The address at which an actor listens. */
export interface Endpoint {
  /** The address for peers, such as `http://127.0.0.1:40123/mcp`. */
  readonly url: string;
  /** The part of the URL that grants access, if access is limited; it is never recorded. */
  readonly secret?: string;
}

/** Time as a run sees it. Tests give a run a clock of their own. */
export interface Clock {
  /** Milliseconds; only differences matter. */
  now(): number;
  /** Wall-clock time for records, as ISO 8601. */
  timestamp(): string;
  /** Calls back at or after a time of `now`; the returned function cancels it. */
  wakeAt(time: number, callback: () => void): () => void;
}
