import { isMessageRecord, type TraceRecord } from '../model/trace.ts';
import type { Value } from '../model/value.ts';
import { described, hasGenerated, replacingGenerated } from '../transport/expanded.ts';

/** Parts of a record that may contain what we sent. */
const parts = ['content', 'request', 'wire'] as const;

/** Removes generated values from a record: the trace keeps how each was made, and its digest. */
export function withoutGenerated(record: TraceRecord): TraceRecord {
  if (!isMessageRecord(record)) return record;
  const told: { [part in (typeof parts)[number]]?: Value } = {};
  for (const part of parts) {
    const value = record[part];
    if (value !== undefined && hasGenerated(value)) told[part] = replacingGenerated(value, described);
  }
  return { ...record, ...told };
}
