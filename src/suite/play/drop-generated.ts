import { describeGeneratedValue, hasGenerated, replaceGenerated } from '../../attack/transport/expand-generated.ts';
import { isMessageRecord, type TraceRecord } from '../../format/model/trace-record.ts';
import type { Value } from '../../format/model/value.ts';

/** Parts of a record that may contain what we sent. */
const parts = ['content', 'request', 'wire'] as const;

/** Removes generated values from a record: the trace keeps how each was made, and its digest. */
export function dropGenerated(record: TraceRecord): TraceRecord {
  if (!isMessageRecord(record)) return record;
  const told: { [part in (typeof parts)[number]]?: Value } = {};
  for (const part of parts) {
    const value = record[part];
    if (value !== undefined && hasGenerated(value)) told[part] = replaceGenerated(value, describeGeneratedValue);
  }
  return { ...record, ...told };
}
