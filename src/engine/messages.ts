import type { LogLevel } from '../model/enumerations.ts';
import type { Diagnostic } from '../model/errors.ts';
import type { MarkerRecord, MessageRecord } from '../model/trace.ts';
import type { Value } from '../model/value.ts';
import type { WireOrder } from '../model/wire.ts';

/** An answer to a request, before it is framed. */
export type Answer =
  | { readonly kind: 'result'; readonly result: Value }
  | { readonly kind: 'error'; readonly error: Value };

export function answerContent(answer: Answer): Value {
  return answer.kind === 'result' ? answer.result : answer.error;
}

/** What the record of an answer says of it. */
export function failedOf({ kind }: Answer): Pick<MessageRecord, 'failed'> {
  return kind === 'error' ? { failed: true } : {};
}

/** What can be read of something that is not served. */
export interface RefusedMessage {
  readonly kind: MessageRecord['kind'];
  /** Left out where it names none; an answer then has that of what it answers. */
  readonly method?: string;
  readonly id?: Value;
  readonly content: Value;
  readonly failed?: true;
  /** The era that it says it is written in; left out for the first. */
  readonly era?: string;
}

/** What a transport hands to an actor, already taken out of its framing. `noted` says what was wrong with its form. */
export type Incoming =
  | {
      readonly kind: 'request';
      readonly session: string;
      /** Names the open request to the transport, for everything that is sent within it. */
      readonly exchange: string;
      readonly method: string;
      readonly id: Value;
      readonly params: Value | undefined;
      readonly noted?: string | undefined;
      /** The era of the protocol that it came in; left out for the first. */
      readonly era?: string | undefined;
      /** What it repeats of its params beside itself, where the protocol asks for that. */
      readonly repeated?: { readonly [name: string]: string } | undefined;
      /** The params as they were written, where the era spells them otherwise. */
      readonly wire?: Value | undefined;
    }
  | {
      readonly kind: 'notification';
      readonly session: string;
      readonly method: string;
      readonly params: Value | undefined;
      readonly noted?: string | undefined;
      readonly era?: string | undefined;
    }
  /** The peer's answer to a request of ours; `ask` is the key that the request went out with. */
  | {
      readonly kind: 'answer';
      readonly session: string;
      readonly ask: string;
      readonly answer: Answer;
      readonly noted?: string | undefined;
      readonly era?: string | undefined;
      /** What was on the wire, where the era spells it otherwise. */
      readonly wire?: Value | undefined;
    }
  /** A part of the answer to a request of ours that is answered by a stream. */
  | {
      readonly kind: 'part';
      readonly session: string;
      readonly ask: string;
      readonly part: Value;
      readonly noted?: string | undefined;
      readonly era?: string | undefined;
      readonly wire?: Value | undefined;
      /** The bytes it was made of, in base64; asked for when it means nothing. */
      raw(): string;
    }
  /**
   * Nothing more comes in answer to a request of ours; `reason` says why that is too early, and `absent` that nobody
   * was there to answer: the connection was refused, or whoever took it let us in to nothing. With `failed` the peer
   * failed for good, even if it had begun to answer. `status` is that of HTTP, where one took the place of an answer.
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
  /** What is not served although it can be read: indicators see it, and nothing else does. */
  | {
      readonly kind: 'refused';
      readonly session?: string;
      /** The request of ours in answer to which it came. */
      readonly ask?: string;
      readonly message: RefusedMessage;
      /** What was wrong with it. */
      readonly reason: string;
    }
  /** What cannot be read, or not all of it; `ask` where it came in answer to a request of ours. */
  | {
      readonly kind: 'malformed';
      readonly session?: string;
      readonly ask?: string;
      readonly raw: string;
      readonly reason: string;
      /** The peer broke off in the middle of it. */
      readonly cause?: 'cut_off';
    }
  | { readonly kind: 'connection'; readonly session: string; readonly event: 'opened' | 'closed' }
  /** What is told beside the messages: by a peer, such as a program on its standard error, or of one that was not let in. */
  | { readonly kind: 'log'; readonly session?: string; readonly level: LogLevel; readonly message: string }
  /** What the transport could not do as it was told. */
  | { readonly kind: 'warning'; readonly code: string; readonly message: string };

/** Where something of ours goes: into the stream of an open request, or to every session. */
export type Recipient = { readonly exchange: string } | 'every session';

/** How a message is sent that is not sent like others. */
export interface Sending {
  /** Takes the place of the params where a peer refuses them, in protocols that have peers of before they had versions. */
  readonly older?: Value;
  /** How the binding wants it sent: a matter between it and its transports. */
  readonly manner?: Value;
  /** What the document orders to be done to it on its way out. */
  readonly order?: WireOrder;
}

/** A record before the loop gives it its number and time. */
export type Unstamped<T> = Omit<T, 'seq' | 'timestamp'>;
export type UnstampedRecord = Unstamped<MessageRecord> | Unstamped<MarkerRecord>;

export type Effect =
  | { readonly kind: 'record'; readonly record: UnstampedRecord }
  /** `record` is written once for each session that a message reaches, when it does. */
  | {
      readonly kind: 'answer';
      readonly exchange: string;
      readonly answer: Answer;
      readonly record: Unstamped<MessageRecord>;
      readonly order?: WireOrder;
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
  /** Ask for a tick at this time, in milliseconds of the run's clock. */
  | { readonly kind: 'wake'; readonly at: number }
  | { readonly kind: 'log'; readonly level: LogLevel; readonly message: string }
  | { readonly kind: 'warn'; readonly diagnostic: Diagnostic };
