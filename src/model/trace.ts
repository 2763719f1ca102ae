import type { Direction, Mode, Protocol } from './enumerations.ts';
import { isValueMap, type Value } from './value.ts';

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

/**
 * What evaluation sees of a message. A response does not say which call it answers, so on the client's side
 * it carries the originating params under `_request`, unless it has a field of that name itself.
 */
export function messageValue(record: Pick<MessageRecord, 'content' | 'request' | 'kind' | 'mode'>): Value {
  const { content, request, kind, mode } = record;
  const answers = kind === 'response' || kind === 'event';
  if (request === undefined || !answers || !mode.endsWith('_client')) return content;
  if (!isValueMap(content) || Object.hasOwn(content, '_request')) return content;
  return { ...content, _request: request };
}

/** The side of the exchange, seen from the actor's role (§6.1): what a server-mode actor receives is a request. */
export function directionOf({ mode, origin }: MessageRecord): Direction {
  return mode.endsWith('_client') === (origin === 'attacker') ? 'request' : 'response';
}
