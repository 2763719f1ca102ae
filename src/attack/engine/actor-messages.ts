import type { AppliedWireRule } from '../../format/model/applied-wire-rule.ts';
import type { LogLevel } from '../../format/model/enumeration-types.ts';
import type { Diagnostic } from '../../format/model/errors.ts';
import type { MarkerRecord, MessageRecord } from '../../format/model/trace-record.ts';
import type { Value } from '../../format/model/value.ts';

/** An answer to a request, before it is framed. */
export type Answer =
  | { readonly kind: 'result'; readonly result: Value }
  | { readonly kind: 'error'; readonly error: Value };

export function readAnswerContent(answer: Answer): Value {
  return answer.kind === 'result' ? answer.result : answer.error;
}

/** The `failed` field in the record of an answer. */
export function readFailedField({ kind }: Answer): Pick<MessageRecord, 'failed'> {
  return kind === 'error' ? { failed: true } : {};
}

/** The readable content of a message that is not served. */
export interface RefusedMessage {
  readonly kind: MessageRecord['kind'];
  /** Undefined when the message names no method; a response then takes the method of its request. */
  readonly method?: string;
  readonly id?: Value;
  readonly content: Value;
  readonly failed?: true;
  /** The era that the message declares; undefined for the first era. */
  readonly era?: string;
}

/** A message from a transport to an actor, without its framing. */
export type Incoming =
  /** The messages that are served. */
  | ({
      readonly session: string;
      /** The faults in its form. */
      readonly noted?: string | undefined;
      /** The protocol era of the message; undefined for the first era. */
      readonly era?: string | undefined;
      /** The params or the answer as written, when the era spells them differently. */
      readonly wire?: Value | undefined;
    } & (
      | {
          readonly kind: 'request';
          /** Names the open request to the transport, for every message that is sent within it. */
          readonly exchange: string;
          readonly method: string;
          readonly id: Value;
          readonly params: Value | undefined;
          /** Params that the request repeats outside its body, where the protocol asks for that. */
          readonly repeated?: { readonly [name: string]: string } | undefined;
        }
      | { readonly kind: 'notification'; readonly method: string; readonly params: Value | undefined }
      /** The peer's answer to a request of ours; `ask` is the key that the request went out with. */
      | {
          readonly kind: 'answer';
          readonly ask: string;
          readonly answer: Answer;
          /** The HTTP status of an error, if it is not a success. */
          readonly status?: number | undefined;
        }
      /** A part of a streamed answer to a request of ours. */
      | {
          readonly kind: 'part';
          readonly ask: string;
          readonly part: Value;
          /** The bytes of the part in base64; read only when the part has no meaning. */
          raw(): string;
        }
    ))
  /**
   * The end of the answer to a request of ours. `reason` says why it is too early. `absent` says that no agent was
   * there: the connection was refused, or was accepted with nothing behind it. `failed` says that the peer failed for
   * good, even if it had begun to answer. `status` is the HTTP status that took the place of an answer.
   */
  | {
      readonly kind: 'end';
      readonly session: string;
      readonly ask: string;
      readonly reason?: string;
      readonly absent?: boolean;
      readonly failed?: boolean;
      readonly status?: number;
    }
  /** A readable message that is not served: only indicators see it. */
  | {
      readonly kind: 'refused';
      readonly session?: string;
      /** The key of our request that it came in answer to. */
      readonly ask?: string;
      readonly message: RefusedMessage;
      /** The fault in the message. */
      readonly reason: string;
      /** The HTTP status that it came with, if that is not a success. */
      readonly status?: number | undefined;
    }
  /** Bytes that cannot be read, or not completely; `ask` is set when they answer a request of ours. */
  | {
      readonly kind: 'malformed';
      readonly session?: string;
      readonly ask?: string;
      readonly raw: string;
      readonly reason: string;
      /** Set when the peer disconnected in the middle of the message. */
      readonly cause?: 'cut_off';
    }
  | { readonly kind: 'connection'; readonly session: string; readonly event: 'opened' | 'closed' }
  /** A line of log: from a peer, such as a program's standard error, or about a peer that was not let in. */
  | { readonly kind: 'log'; readonly session?: string; readonly level: LogLevel; readonly message: string }
  /** A fault of ours, after which nobody can tell what the peer was sent. */
  | { readonly kind: 'fault'; readonly reason: string }
  /** An instruction that the transport could not carry out. */
  | { readonly kind: 'warning'; readonly code: string; readonly message: string };

/** The recipient of a message: the stream of an open request, or every session. */
export type Recipient = { readonly exchange: string } | 'every session';

/** How a message is sent when it is not sent in the ordinary way. */
export interface Sending {
  /** Params for a peer that refuses the first ones, in protocols with peers older than their versions. */
  readonly older?: Value;
  /** The binding's instructions to its transports, in their own terms. */
  readonly manner?: Value;
  /** The `x-wire` rule that applies to the message. */
  readonly order?: AppliedWireRule;
}

/** A record before the loop gives it its number and time. */
export type Unstamped<T> = Omit<T, 'seq' | 'timestamp'>;
export type UnstampedRecord = Unstamped<MessageRecord> | Unstamped<MarkerRecord>;

export type Effect =
  | { readonly kind: 'record'; readonly record: UnstampedRecord }
  /** `record` is written when the message reaches a session, once for each session. */
  | {
      readonly kind: 'answer';
      readonly exchange: string;
      readonly answer: Answer;
      readonly record: Unstamped<MessageRecord>;
      readonly order?: AppliedWireRule;
    }
  | {
      readonly kind: 'part';
      readonly exchange: string;
      readonly content: Value;
      readonly record: Unstamped<MessageRecord>;
    }
  | {
      readonly kind: 'notify';
      readonly target: Recipient;
      readonly method: string;
      readonly params: Value | undefined;
      readonly record: Unstamped<MessageRecord>;
      readonly how?: Sending;
    }
  | {
      readonly kind: 'ask';
      readonly target: Recipient;
      readonly ask: string;
      readonly method: string;
      readonly params: Value | undefined;
      readonly record: Unstamped<MessageRecord>;
      readonly how?: Sending;
    }
  /** Asks for a tick at this time, in milliseconds of the run's clock. */
  | { readonly kind: 'wake'; readonly at: number }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly message: string }
  /** Ends the run as failed. */
  | { readonly kind: 'fail'; readonly message: string }
  | { readonly kind: 'warn'; readonly diagnostic: Diagnostic };
