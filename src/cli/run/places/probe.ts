import { isEndRecord, isMessageRecord, type TraceRecord } from '../../../model/trace.ts';

// Some clients launch a server twice: once to ask for its version with `server/discover`, in a process that they throw
// away, and once to use it. The first of them is no run.

const probe = 'server/discover';

/** Tells by its records when a process that a client has launched is more than a probe: then there is a run to store. */
export function beyondProbe(): (record: TraceRecord) => boolean {
  let hasProbed = false;
  return (record) => {
    // A client that never said anything was not there to probe, either.
    if (isEndRecord(record)) return !hasProbed;
    if (!isMessageRecord(record)) return record.kind === 'malformed';
    if (record.origin === 'attacker') return false;
    const isProbe = record.method === probe || record.within === probe;
    hasProbed ||= isProbe;
    return !isProbe;
  };
}
