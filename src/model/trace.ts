import type { Mode, Protocol } from './enumerations.ts';
import type { Value } from './value.ts';

/** One message of a recorded run, as it stands in a trace file. */
export interface MessageRecord {
  readonly seq: number;
  readonly timestamp: string;
  readonly actor: string;
  readonly protocol: Protocol;
  readonly mode: Mode;
  readonly phase?: string;
  readonly session?: string;
  readonly kind: 'request' | 'response' | 'notification' | 'event';
  readonly origin: 'agent' | 'attacker';
  readonly method: string;
  readonly id?: Value;
  readonly content: Value;
  /** A response's originating params. */
  readonly request?: Value;
}

/** What stands among the messages and is never shown to indicators. */
export interface MarkerRecord {
  readonly seq: number;
  readonly timestamp: string;
  readonly actor?: string;
  readonly phase?: string;
  readonly session?: string;
  readonly kind: 'phase' | 'log' | 'connection' | 'malformed';
  readonly [key: string]: Value | undefined;
}

/** One line of a trace. */
export type TraceRecord = MessageRecord | MarkerRecord;

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
