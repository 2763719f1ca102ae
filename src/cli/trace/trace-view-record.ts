import type { NormalizedDocument } from '../../format/model/normalized.ts';
import { isMessageRecord, type MarkerRecord } from '../../format/model/trace-record.ts';
import { isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import { readRecord } from '../../judgement/evaluate/read-record.ts';

/** A message of a trace in either format, with the facts that need no document. */
export interface TraceViewMessage {
  readonly seq: number;
  readonly timestamp: string;
  readonly actor: string;
  readonly phase?: string;
  /** The kind; for a ThoughtJack record without one, its direction. */
  readonly kind: string;
  readonly method: string;
  /** Absent for the first era of the protocol. */
  readonly era?: string;
  readonly fromAgent: boolean;
  readonly content: Value;
}

export type TraceViewRecord =
  | { readonly kind: 'message'; readonly message: TraceViewMessage }
  | { readonly kind: 'marker'; readonly marker: MarkerRecord }
  | { readonly kind: 'wrong'; readonly reason: string };

// Only ThoughtJack's records are read with a document, and they are read here.
const noDocument: NormalizedDocument = {
  oatf: '0.1',
  attack: { name: '', version: 1, status: 'draft', execution: { actors: [] } },
};

export function toTraceViewRecord(value: Value): TraceViewRecord {
  if (isForeign(value)) return toForeign(value);
  const read = readRecord(value, noDocument);
  if (!read.ok) return { kind: 'wrong', reason: read.message };
  const { record } = read;
  if (!isMessageRecord(record)) return { kind: 'marker', marker: record };
  return { kind: 'message', message: { ...record, fromAgent: record.origin === 'agent' } };
}

function isForeign(value: Value): value is ValueMap {
  return (
    isValueMap(value) && value.kind === undefined && (value.direction === 'incoming' || value.direction === 'outgoing')
  );
}

function toForeign(value: ValueMap): TraceViewRecord {
  const { seq, timestamp, actor, phase, method, direction, content } = value;
  if (typeof seq !== 'number') return { kind: 'wrong', reason: '`seq` must be a number' };
  if (typeof timestamp !== 'string') return { kind: 'wrong', reason: '`timestamp` must be a string' };
  if (typeof actor !== 'string') return { kind: 'wrong', reason: '`actor` must be a string' };
  if (typeof method !== 'string') return { kind: 'wrong', reason: '`method` must be a string' };
  if (content === undefined) return { kind: 'wrong', reason: '`content` is missing' };
  return {
    kind: 'message',
    message: {
      seq,
      timestamp,
      actor,
      ...(typeof phase === 'string' && { phase }),
      kind: String(direction),
      method,
      fromAgent: direction === 'incoming',
      content,
    },
  };
}
