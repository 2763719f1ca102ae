import type { MessageRecord } from './trace.ts';
import type { Value } from './value.ts';

// What was seen of the agent beside its messages: whether it came to an answer, how its program ended, what it took. It
// stands in the trace as one message of a protocol of its own, so that indicators can look at it (docs/availability.md).

/** The protocol that indicators name for it. */
export const observedProtocol = 'x_agent';

/** The one operation of that protocol. */
export const observedMethod = 'observed';

/** How the agent ended. */
export type AgentEnd = 'answered' | 'gave_up' | 'crashed' | 'exhausted' | 'hung' | 'looped' | 'silent';

/** Left out is what nobody could see. */
export interface Observation {
  /** Whether an agent that nobody asked anything came to an answer cannot be seen. */
  readonly ended?: AgentEnd;
  /** Why, in words, where it is not `answered`. */
  readonly reason?: string;
  readonly duration_ms: number;
  /** The longest that an answer took, as far as it came. */
  readonly answer_ms?: number;
  /** Answers that it still owed when the run ended. */
  readonly owed: number;
  /** How often it used what servers offer it. */
  readonly calls: number;
  /** How often it made the same call, the one that it made most. */
  readonly repeats: number;
  readonly exit_code?: number | null;
  readonly signal?: string | null;
  /** The most memory that its program was seen to take. */
  readonly memory_bytes?: number;
  readonly input_tokens?: number;
  readonly output_tokens?: number;
  readonly cost?: number;
}

export function observationRecord(seq: number, timestamp: string, seen: Observation): MessageRecord {
  return {
    seq,
    timestamp,
    // Never an actor of the document's own.
    actor: '@agent',
    protocol: observedProtocol,
    mode: `${observedProtocol}_client`,
    kind: 'event',
    origin: 'agent',
    method: observedMethod,
    content: { ...seen } as Value,
  };
}
