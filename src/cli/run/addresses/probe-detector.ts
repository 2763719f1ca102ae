import { isEndRecord, isMessageRecord, type TraceRecord } from '../../../format/model/trace-record.ts';

// Some clients launch a server twice: once to ask for its version with `server/discover`, in a process that they
// discard, and once to use it. The first launch is not a run.

const probe = 'server/discover';

/** Watches the records of a launched process and reports when it is more than a probe, so that the run is stored. */
export function createProbeDetector(): (record: TraceRecord) => boolean {
  let hasProbed = false;
  return (record) => {
    // A client that sent nothing did not probe either.
    if (isEndRecord(record)) return !hasProbed;
    if (!isMessageRecord(record)) return record.kind === 'malformed';
    if (record.origin === 'attacker') return false;
    const isProbe = record.method === probe || record.within === probe;
    hasProbed ||= isProbe;
    return !isProbe;
  };
}
