import { requestFaults } from './applied-wire-rule.ts';
import type { Mode, Protocol } from './enumeration-types.ts';
import type { Value, ValueMap } from './value.ts';

/** One message of a recorded run, as a trace file stores it. */
export interface MessageRecord {
  readonly seq: number;
  readonly timestamp: string;
  readonly actor: string;
  readonly protocol: Protocol;
  readonly mode: Mode;
  readonly phase?: string;
  readonly session?: string;
  /** The protocol era of the message. Absent for the protocol's first era. */
  readonly era?: string;
  /** The message as it was on the wire, if the era spells it differently from OATF. */
  readonly wire?: Value;
  readonly kind: 'request' | 'response' | 'notification' | 'event';
  readonly origin: 'agent' | 'attacker';
  readonly method: string;
  readonly id?: Value;
  readonly content: Value;
  /** The params of the request that a response answers. */
  readonly request?: Value;
  /**
   * The pieces that a message of ours carries: JSON Pointers into the normalized actor, such as `/phases/0/state/tools/1`.
   * `*` stands for every item of a list.
   */
  readonly pieces?: readonly string[];
  /**
   * The pieces of a message that was not written to its end. They are not delivered, but the peer may have failed on them.
   */
  readonly begun?: readonly string[];
  /** Names of the templates that resolved to nothing in a message of ours. */
  readonly unresolved?: readonly string[];
  /** Set if this was not a message of its own: the peer sent it inside the message with this method. */
  readonly within?: string;
  /** Set if the response is an error of the protocol. */
  readonly failed?: true;
  /** The HTTP status that a message of the agent came with, if that is not a success. */
  readonly status?: number;
  /** Why a readable message was not served. Indicators see it; triggers and extractors do not. */
  readonly refused?: string;
  /** The flaw in the form of a message that was served anyway. */
  readonly noted?: string;
  /**
   * How an `x-wire` rule had the message sent. If the bytes differ from the content: their length, hash and beginning
   * (base64).
   */
  readonly sent?: SentBy;
  /** Set if secrets were masked in the content before it was stored, so that it cannot be judged again in full. */
  readonly covered?: true;
}

/** How a rule of `x-wire` changed a message that was sent. */
export interface SentBy {
  /** JSON Pointer of the rule in the normalized actor. */
  readonly rule: string;
  /** The keys of the rule that took effect. */
  readonly did: readonly string[];
  /** Why the peer cannot have read the message as intended. */
  readonly harm?: string;
  readonly bytes?: number;
  readonly sha256?: string;
  readonly head?: string;
}

/** Whether a request of ours was sent in a way that entitles its peer to refuse it, break it off or never answer it. */
export function isFaulted({ kind, sent }: Pick<MessageRecord, 'kind' | 'sent'>): boolean {
  return kind === 'request' && sent?.did.some((action) => requestFaults.has(action)) === true;
}

/**
 * Whether a message came with an HTTP status that takes the place of an answer. It is judged, but the failure is all that
 * it shows of the agent.
 */
export function isBesideFailure({ refused, status }: Pick<MessageRecord, 'refused' | 'status'>): boolean {
  return refused !== undefined && status !== undefined;
}

/** Statuses about access, absence, slowness or frequency: the request was not refused for its content. */
const otherReasons: ReadonlySet<number> = new Set([401, 403, 404, 408, 429]);

/** Whether an HTTP status is one by which a server refuses a request for what it says. */
export function isRefusingStatus(status: Value | undefined): boolean {
  return typeof status === 'number' && status >= 400 && status < 500 && !otherReasons.has(status);
}

/** Statuses about access, place or frequency. They say nothing about the request itself. */
const ofAccess: ReadonlySet<unknown> = new Set([401, 403, 404, 429]);

/** Whether an HTTP status may be the refusal of a request that the document had sent broken. */
export function mayRefuseFaulted(status: Value | undefined): status is number {
  return typeof status === 'number' && status < 500 && !ofAccess.has(status);
}

/** A record that is not a message. Indicators never see it. */
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
  /** Every client actor has sent everything and has been answered. */
  | 'finished'
  /** Every client that had connected has left. */
  | 'idle'
  /** The operator declared that the agent is done. */
  | 'operator'
  | 'session_limit'
  | 'terminal_limit'
  | 'flood'
  /** A signal or the caller stopped the run. */
  | 'stopped'
  | 'failed';

/** How much of an attack must have reached the agent before the agent can count as `resisted`. */
export type DeliveryDemand = 'payload' | 'strict' | 'reached';

/** The last record of a trace: how the run ended, and what was known of the agent beforehand. */
export interface EndRecord extends MarkerRecord {
  readonly kind: 'end';
  readonly reason: EndReason;
  /** Absent in traces from other tools. */
  readonly demand?: DeliveryDemand;
  /** The fingerprint of the execution that was played. */
  readonly execution?: string;
  /** The seed of all random choices, if the document leaves any to chance. */
  readonly seed?: number;
  /** An error of ours that failed the run. */
  readonly error?: string;
  /** A failure of the agent outside its messages: it could not be launched, or its process ended with an error. */
  readonly trouble?: string;
  /** Why the caller stopped the run. */
  readonly stopped?: string;
  /** The parts that were sent but did not reach the agent, if only the agent's adapter could see that. */
  readonly missed?: string;
  /** Why the agent could not act at all, as its adapter saw it. */
  readonly absent?: string;
  /** The processes that the agent left running when it had ended, in words. */
  readonly left?: string;
  /** Actors that were not played. */
  readonly skipped: readonly string[];
  /** The protocols in which the agent can be addressed. Absent if that is not known, as for a client that connects to us. */
  readonly doors?: readonly string[];
  /** Where servers listened, by actor, if the agent had to know that beforehand. */
  readonly addresses?: { readonly [actor: string]: string };
  /** The kinds of pieces that the agent's adapter cannot hand to it. */
  readonly lacks?: readonly string[];
  /** Surfaces that the configuration says the agent lacks. */
  readonly without?: readonly string[];
  /** For each actor, what its current phase was still waiting for. */
  readonly waiting?: { readonly [actor: string]: WaitingFor };
}

/** How far the trigger of a phase has counted. */
export interface WaitingFor extends ValueMap {
  readonly phase: string;
  readonly event: string;
  readonly count: number;
  readonly of: number;
}

/** Says how far a trigger has counted: `tools/call 1 of 3`. */
export function describeWaiting({ event, count, of }: Pick<WaitingFor, 'event' | 'count' | 'of'>): string {
  return `${event} ${count} of ${of}`;
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
