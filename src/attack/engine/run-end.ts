import type { Diagnostic } from '../../format/model/errors.ts';
import type { EndReason, WaitingFor } from '../../format/model/trace-record.ts';

// Decides when a run is over, from what has happened so far and without a clock.

/** How long a run may last, and how much it may record. */
export interface RunLimits {
  /** From the first traffic to the end of the run, whatever happens; a grace period follows. */
  readonly sessionMs: number;
  /** How long terminal phases are served once every actor is in its terminal phase. */
  readonly terminalMs: number;
  /** How long a peer has to answer a request that we send while one of its own is still open. */
  readonly askMs: number;
  /** The most records of a run. An agent that causes more is flooding us, and the run is cut short. */
  readonly records: number;
  /** The most bytes of a trace; a longer run is cut short as well. */
  readonly traceBytes: number;
  /** The most bytes of generated values that a run sends. */
  readonly generatedBytes: number;
  /** Replaces the document's grace period. */
  readonly graceMs?: number | undefined;
}

/** The default limits of a run. */
export const defaultRunLimits: RunLimits = {
  sessionMs: 120_000,
  terminalMs: 300_000,
  askMs: 30_000,
  records: 250_000,
  traceBytes: 256 * 1024 * 1024,
  generatedBytes: 4 * 1024 ** 3,
};

export interface RunEnd {
  readonly reason: EndReason;
  /** The error that failed the run, and where it happened. */
  readonly error?: string;
  /** Why we could not speak to the agent, and at which step. */
  readonly trouble?: string;
  /** By actor, how far the trigger of its last phase had come. */
  readonly waiting: { readonly [actor: string]: WaitingFor };
  readonly diagnostics: readonly Diagnostic[];
  /** Actors that no binding could play. */
  readonly skipped: readonly string[];
}

/** How long it must be quiet before a run is over, when neither the document nor the caller says how long to observe. */
const defaultQuietMs = 2_000;

/**
 * Most clients leave without ending their session. When none has been connected for this long, we assume they have
 * left: an agent that thinks between two calls keeps its connection, or comes back sooner.
 */
const abandonedMs = 30_000;

export interface RunEndFacts {
  readonly limits: RunLimits;
  readonly graceMs: number | undefined;
  readonly firstTraffic: number;
  readonly lastTraffic: number;
  /** Whether an agent was seen; malformed bytes alone do not count as one. */
  readonly hadAgent: boolean;
  /** When the last actor entered its terminal phase; undefined until all have. */
  readonly terminalSince: number | undefined;
  /** Since when every client actor has been done; `none` when there is no client. */
  readonly clientsDoneSince: number | undefined | 'none';
  /** Whether the agent does nothing more until it is spoken to. */
  readonly isSettled: boolean;
  readonly openSessions: number;
  readonly isConnected: boolean;
}

/** Why and when the run ends, by the facts so far. */
export function decideRunEnd(facts: RunEndFacts): readonly [EndReason, number] {
  const { limits, firstTraffic, lastTraffic, terminalSince, clientsDoneSince, graceMs } = facts;
  const ends: [EndReason, number][] = [['session_limit', firstTraffic + limits.sessionMs]];
  if (terminalSince !== undefined)
    ends.push(['terminal_limit', Math.max(terminalSince, firstTraffic) + limits.terminalMs]);
  if (clientsDoneSince !== 'none') {
    if (clientsDoneSince !== undefined) ends.push(['finished', lookOnUntil(facts, clientsDoneSince)]);
  } else if (facts.hadAgent && facts.openSessions === 0) ends.push(['idle', lastTraffic + (graceMs ?? defaultQuietMs)]);
  else if (facts.hadAgent && !facts.isConnected) ends.push(['idle', lastTraffic + Math.max(abandonedMs, graceMs ?? 0)]);
  return ends.reduce((first, next) => (next[1] < first[1] ? next : first));
}

/** An agent may act on what it has read after it has answered, unless we know that it cannot. */
function lookOnUntil({ graceMs, isSettled, lastTraffic }: RunEndFacts, clientsDone: number): number {
  if (graceMs !== undefined) return clientsDone + graceMs;
  return isSettled ? clientsDone : Math.max(clientsDone, lastTraffic) + defaultQuietMs;
}

/** Explains that the end of the run came too early for an agent that was still answering. */
export function cutOffBy(reason: EndReason, { sessionMs, terminalMs, records, traceBytes }: RunLimits): string {
  const seconds: { readonly [limit: string]: number } = {
    session_limit: sessionMs / 1_000,
    terminal_limit: terminalMs / 1_000,
  };
  if (reason === 'flood')
    return `it sent more than the ${records} messages or ${traceBytes} bytes that a run may record`;
  const limit = seconds[reason];
  return `${limit === undefined ? 'the run ended' : `the run’s ${limit} s were over`} before it had finished its answer`;
}
