import type { Diagnostic } from '../model/errors.ts';
import type { EndReason, WaitingFor } from '../model/trace.ts';

// When a run is over: a decision from what has happened so far, without a clock.

/** How long a run may last, and how much it may record. */
export interface RunLimits {
  /** From the first traffic until the run ends, whatever happens; a grace period follows. */
  readonly sessionMs: number;
  /** How long terminal phases are served once every actor is in its own. */
  readonly terminalMs: number;
  /** How long a peer has to answer what it is asked within a request. */
  readonly askMs: number;
  /** A run of more records than this is cut short: its agent is flooding us. */
  readonly records: number;
  /** So is one whose trace would be longer than this. */
  readonly traceBytes: number;
  /** How many bytes of generated values a run sends at most. */
  readonly generatedBytes: number;
  /** Takes the place of the document's grace period. */
  readonly graceMs?: number | undefined;
}

/** The limits of a run where nobody says otherwise. */
export const defaultRunLimits: RunLimits = {
  sessionMs: 120_000,
  terminalMs: 300_000,
  askMs: 30_000,
  records: 250_000,
  traceBytes: 256 * 1024 * 1024,
  generatedBytes: 4 * 1024 ** 3,
};

/** How a run ended. */
export interface RunEnd {
  readonly reason: EndReason;
  /** What failed the run, and where. */
  readonly error?: string;
  /** What the agent failed at before it could be spoken to. */
  readonly trouble?: string;
  /** By actor, how far the trigger of the phase that it was in had come. */
  readonly waiting: { readonly [actor: string]: WaitingFor };
  readonly diagnostics: readonly Diagnostic[];
  /** Actors that no binding could play. */
  readonly skipped: readonly string[];
}

/** Quiet before a run is over, where neither the document nor the caller says how long to observe. */
const defaultQuietMs = 2_000;

/**
 * Most clients leave without ending their session. When none has been connected for this long, they are gone:
 * an agent that thinks between two calls keeps its connection, or comes back sooner.
 */
const abandonedMs = 30_000;

/** What the end of a run depends on. */
export interface RunFacts {
  readonly limits: RunLimits;
  readonly graceMs: number | undefined;
  readonly firstTraffic: number;
  readonly lastTraffic: number;
  /** Garbage alone is no agent. */
  readonly hadAgent: boolean;
  /** When the last actor entered its terminal phase; nothing while any has not. */
  readonly terminalSince: number | undefined;
  /** Since when every client actor has been done; `none` where there is no client. */
  readonly clientsDoneSince: number | undefined | 'none';
  /** Nothing more can come of the agent until somebody speaks to it. */
  readonly isSettled: boolean;
  readonly openSessions: number;
  readonly isConnected: boolean;
}

/** Why and when the run ends, as things stand. */
export function endOfRun(facts: RunFacts): readonly [EndReason, number] {
  const { limits, firstTraffic, lastTraffic, terminalSince, clientsDoneSince, graceMs } = facts;
  const ends: [EndReason, number][] = [['session_limit', firstTraffic + limits.sessionMs]];
  if (terminalSince !== undefined)
    ends.push(['terminal_limit', Math.max(terminalSince, firstTraffic) + limits.terminalMs]);
  if (clientsDoneSince !== 'none') {
    if (clientsDoneSince !== undefined) ends.push(['finished', lookOnUntil(facts, clientsDoneSince)]);
  } else if (facts.hadAgent && facts.openSessions === 0)
    ends.push(['idle', lastTraffic + (graceMs ?? defaultQuietMs)]);
  else if (facts.hadAgent && !facts.isConnected)
    ends.push(['idle', lastTraffic + Math.max(abandonedMs, graceMs ?? 0)]);
  return ends.reduce((first, next) => (next[1] < first[1] ? next : first));
}

/** An agent may act on what it has read after it has answered, unless it is known that it cannot. */
function lookOnUntil({ graceMs, isSettled, lastTraffic }: RunFacts, clientsDone: number): number {
  if (graceMs !== undefined) return clientsDone + graceMs;
  return isSettled ? clientsDone : Math.max(clientsDone, lastTraffic) + defaultQuietMs;
}

/** Why the end of the run is too early for an agent that is still answering. */
export function cutOffBy(
  reason: EndReason,
  { sessionMs, terminalMs, records, traceBytes }: RunLimits,
): string {
  const seconds: { readonly [limit: string]: number } = {
    session_limit: sessionMs / 1_000,
    terminal_limit: terminalMs / 1_000,
  };
  if (reason === 'flood')
    return `it sent more than the ${records} messages or ${traceBytes} bytes that a run may record`;
  const limit = seconds[reason];
  return `${limit === undefined ? 'the run ended' : `the run’s ${limit} s were over`} before it had finished its answer`;
}
