import { isMessageRecord, type TraceRecord } from '../model/trace.ts';
import type { Value } from '../model/value.ts';
import { described, hasGenerated, replacingGenerated } from '../transport/expanded.ts';

/** Parts of a record that may be what we sent. */
const parts = ['content', 'request', 'wire'] as const;

/** A record without the values that were made for it: a trace tells how they were made, and what they are known by. */
export function withoutGenerated(record: TraceRecord): TraceRecord {
  if (!isMessageRecord(record)) return record;
  const told: { [part in (typeof parts)[number]]?: Value } = {};
  for (const part of parts) {
    const value = record[part];
    if (value !== undefined && hasGenerated(value)) told[part] = replacingGenerated(value, described);
  }
  return { ...record, ...told };
}
