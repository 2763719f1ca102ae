import type { MessageRecord } from './trace-record.ts';
import type { Value } from './value.ts';

// Observations of the agent besides its messages: whether it answered, how its process ended, what it consumed. The trace
// carries them as one message of a protocol of their own, so that indicators can look at them (docs/extensions/availability.md).

/** The protocol that indicators name to look at observations. */
export const observedProtocol = 'x_agent';

/** The one operation of that protocol. */
const observedMethod = 'observed';

/** How the agent ended. */
export type AgentEnd = 'answered' | 'gave_up' | 'crashed' | 'exhausted' | 'hung' | 'looped' | 'silent';

/** Fields that could not be observed are absent. */
export interface Observation {
  /** Absent if no client asked the agent for an answer, so that none can be observed. */
  readonly ended?: AgentEnd;
  /** The reason in words, unless `ended` is `answered`. */
  readonly reason?: string;
  readonly duration_ms: number;
  /** The duration of the longest answer, even if it did not finish. */
  readonly answer_ms?: number;
  /** The number of answers that the agent still owed when the run ended. */
  readonly owed: number;
  /** The number of times that the agent used what servers offer. */
  readonly calls: number;
  /** How often the agent made its most frequent call. */
  readonly repeats: number;
  readonly exit_code?: number | null;
  readonly signal?: string | null;
  /** The highest memory use that was measured of the agent's process. */
  readonly memory_bytes?: number;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cost?: number;
}

export function createObservationRecord(seq: number, timestamp: string, seen: Observation): MessageRecord {
  return {
    seq,
    timestamp,
    // No actor of a document can have this name.
    actor: '@agent',
    protocol: observedProtocol,
    mode: `${observedProtocol}_client`,
    kind: 'event',
    origin: 'agent',
    method: observedMethod,
    content: { ...seen } as Value,
  };
}
