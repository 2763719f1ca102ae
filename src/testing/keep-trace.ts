import type { TraceRecord } from '../format/model/trace-record.ts';

const mostRecords = 10_000;
const mostCharacters = 32 * 1024 * 1024;

export interface KeptTrace {
  add(record: TraceRecord): void;
  readonly records: readonly TraceRecord[];
  readonly leftOut: number;
}

/** Keeps the beginning of a trace, within bounds: a result stays in memory for as long as its test holds it. */
export function keepTrace(): KeptTrace {
  const records: TraceRecord[] = [];
  let characters = 0;
  let leftOut = 0;
  return {
    add(record) {
      if (leftOut === 0 && records.length < mostRecords) characters += measureRecord(record);
      if (leftOut > 0 || records.length === mostRecords || characters > mostCharacters) leftOut += 1;
      else records.push(record);
    },
    records,
    get leftOut() {
      return leftOut;
    },
  };
}

function measureRecord(record: TraceRecord): number {
  try {
    return JSON.stringify(record).length;
  } catch {
    // Too deeply nested for JSON.stringify, so a test could not print it either.
    return Number.POSITIVE_INFINITY;
  }
}
