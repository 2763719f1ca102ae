import type { Mode, Protocol } from './enumerations.ts';
import type { Value, ValueMap } from './value.ts';
import { requestFaults } from './wire.ts';

/** One message of a recorded run, as it stands in a trace file. */
export interface MessageRecord {
  readonly seq: number;
  readonly timestamp: string;
  readonly actor: string;
  readonly protocol: Protocol;
  readonly mode: Mode;
  readonly phase?: string;
  readonly session?: string;
  /** The era of the protocol that the message came in; left out for the protocol's first. */
  readonly era?: string;
  /** What was on the wire, where the era spells it otherwise than OATF does. */
  readonly wire?: Value;
  readonly kind: 'request' | 'response' | 'notification' | 'event';
  readonly origin: 'agent' | 'attacker';
  readonly method: string;
  readonly id?: Value;
  readonly content: Value;
  /** A response's originating params. */
  readonly request?: Value;
  /**
   * Where in the document the content of a message of ours stands: JSON Pointers into the normalized actor, such as
   * `/phases/0/state/tools/1`; `*` stands for every item of a list.
   */
  readonly pieces?: readonly string[];
  /** The same of a message that was not written to its end: it has delivered nothing, but its peer may have choked on it. */
  readonly begun?: readonly string[];
  /** Names of templates that resolved to nothing in a message of ours. */
  readonly unresolved?: readonly string[];
  /** It was no message of its own: the peer said it within the message of this name. */
  readonly within?: string;
  /** The answer is an error of the protocol. */
  readonly failed?: true;
  /** Why a message that could be read was not served. Indicators see it; triggers and extractors do not. */
  readonly refused?: string;
  /** What was wrong with the form of a message that was served all the same. */
  readonly noted?: string;
  /** How `x-wire` had it sent, and what was really written where that is not the content: its length, hash and head (base64). */
  readonly sent?: SentBy;
  /** Secrets were taken out of the content before it was stored, so not all of it can be judged again. */
  readonly covered?: true;
}

/** A message that went out by a rule of `x-wire`. */
export interface SentBy {
  /** JSON Pointer into the normalized actor. */
  readonly rule: string;
  /** What was done, by the keys of the rule. */
  readonly did: readonly string[];
  /** Why it cannot have been read as what it is. */
  readonly harm?: string;
  readonly bytes?: number;
  readonly sha256?: string;
  readonly head?: string;
}

/** Whether a request of ours went out so that its peer may turn it down, break it off or never answer it. */
export function isFaulted({ kind, sent }: Pick<MessageRecord, 'kind' | 'sent'>): boolean {
  return kind === 'request' && sent?.did.some((deed) => requestFaults.has(deed)) === true;
}

/** What stands among the messages and is never shown to indicators. */
export interface MarkerRecord {
  readonly seq: number;
  readonly timestamp: string;
  readonly actor?: string;
  readonly phase?: string;
  readonly session?: string;
  readonly kind: 'phase' | 'log' | 'connection' | 'malformed' | 'wire' | 'end';
  readonly [key: string]: Value | undefined;
}

/** Why a run ended. */
export type EndReason =
  /** Every client actor has said what it had to say, and has been answered. */
  | 'finished'
  /** Whoever had connected has left. */
  | 'idle'
  /** The operator said that the agent is done. */
  | 'operator'
  | 'session_limit'
  | 'terminal_limit'
  | 'flood'
  /** A signal, or a caller that had enough. */
  | 'stopped'
  | 'failed';

/** How much of an attack must have reached the agent before its failure is called `resisted`. */
export type DeliveryDemand = 'payload' | 'strict' | 'reached';

/** The last record of a trace: how the run ended, and what was known beforehand of the agent. */
export interface EndRecord extends MarkerRecord {
  readonly kind: 'end';
  readonly reason: EndReason;
  /** Absent in traces of other tools. */
  readonly demand?: DeliveryDemand;
  /** The fingerprint of the execution that was played. */
  readonly execution?: string;
  /** What chance was drawn from, where the document leaves something to it. */
  readonly seed?: number;
  /** A fault of ours that failed the run. */
  readonly error?: string;
  /** What the agent failed at beside its messages: it could not be launched, or its program ended badly. */
  readonly trouble?: string;
  /** Why the caller stopped the run. */
  readonly stopped?: string;
  /** What did not reach the agent although it was sent, where only its adapter could see it. */
  readonly missed?: string;
  /** Actors that were not played. */
  readonly skipped: readonly string[];
  /** The protocols in which the agent can be spoken to; absent where nobody knows, as of whoever connects. */
  readonly doors?: readonly string[];
  /** Kinds of pieces that the agent's adapter cannot hand over. */
  readonly lacks?: readonly string[];
  /** Surfaces that the target's configuration says the agent is without. */
  readonly without?: readonly string[];
  /** By actor, what the phase that it was in still waited for. */
  readonly waiting?: { readonly [actor: string]: WaitingFor };
}

/** How far the trigger of a phase had come. */
export interface WaitingFor extends ValueMap {
  readonly phase: string;
  readonly event: string;
  readonly count: number;
  readonly of: number;
}

/** One line of a trace. */
export type TraceRecord = MessageRecord | MarkerRecord;

export function isEndRecord(record: TraceRecord): record is EndRecord {
  return record.kind === 'end';
}

export function isMessageRecord(record: TraceRecord): record is MessageRecord {
  switch (record.kind) {
    case 'request':
    case 'response':
    case 'notification':
    case 'event':
      return true;
    default:
      return false;
  }
}
