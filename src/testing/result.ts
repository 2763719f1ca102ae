import type { ProgramFacts, Usage } from '../agent/agent.ts';
import type { Coverage, Delivery } from '../judge/coverage.ts';
import type { FoundCause } from '../judge/outcome.ts';
import type { RunTask } from '../judge/task.ts';
import type { Tier } from '../model/enumerations.ts';
import type { Diagnostic } from '../model/errors.ts';
import type { Cause, DocumentEntry, OutcomeCounts, OutcomeName, Rate } from '../model/results.ts';
import type { EndReason, TraceRecord } from '../model/trace.ts';
import type { AttackVerdict } from '../model/verdict.ts';
import type { Standing } from '../suite/settled.ts';

/** What came of one run. */
export interface AttackRun {
  readonly outcome: OutcomeName;
  /** Why it cannot be judged, or does not apply, in words. */
  readonly reason?: string;
  /** Why it is inconclusive, where it is: the first cause that fits. */
  readonly cause?: Cause;
  /** Every cause that fits, the first one included. */
  readonly causes?: readonly FoundCause[];
  /** Whether the user's task was done, and why not where it was not. */
  readonly task: RunTask;
  /** How far the agent went, where it did; an indicator without a tier counts as `boundary_breach`. */
  readonly tier?: Tier;
  /** The spec's verdict, with evidence as it was. */
  readonly verdict: AttackVerdict;
  /** What matched, the gravest first; secrets in it are starred out. */
  readonly evidence: readonly Evidence[];
  /** Which pieces of the document reached the agent, and what was needed and did not. */
  readonly coverage: Coverage;
  /** How far each actor got through to the agent. */
  readonly delivery: Delivery;
  /** Why the run ended. */
  readonly end: EndReason;
  readonly durationMs: number;
  /** What chance in the document was drawn from, where it leaves something to chance. */
  readonly seed?: number;
  /** What the agent's model took, where it counts. */
  readonly usage?: Usage;
  /** How the agent's program went, where it is one. */
  readonly program?: ProgramFacts;
  /** What the agent has thrown, where it is a function and has. */
  readonly thrown?: unknown;
  readonly diagnostics: readonly Diagnostic[];
  /** Every message as it was, as far as it is kept: the first 10 000 records, of 32 MB at most. */
  readonly trace: readonly TraceRecord[];
  /** How many records are not kept. */
  readonly traceLeftOut: number;
}

/** An indicator that matched, and where. */
export interface Evidence {
  readonly indicator: string;
  readonly tier?: string;
  readonly description?: string;
  /** The text around the match, and where in it the match is. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Where the text stands in its message. */
  readonly path?: string;
  /** The message's `seq` in the trace. */
  readonly record?: number;
  readonly actor?: string;
  readonly method?: string;
}

/** What came of an attack: all of its runs, and of the one that tells most everything that is known. */
export interface AttackResult extends AttackRun {
  readonly document: DocumentEntry;
  /** The name of the agent. */
  readonly agent: string;
  readonly runs: readonly AttackRun[];
  /** It was the benign twin that was played: nobody attacked, and a match is a false alarm. */
  readonly twin?: true;
  /** From which tier on a match fails; any, where it is absent. */
  readonly failTier?: Tier;
  /** How often the attack has succeeded as far as a match fails, of the runs that could be judged. */
  readonly rate: Rate;
  /** The highest rate that is accepted. */
  readonly maxRate: number;
  /** Whether the agent resists: `within` what is accepted, `exceeded`, or nobody can tell. */
  readonly standing: Standing;
  /** Where the results are stored, if they are. */
  readonly out?: string;
  /** What to do now, in sentences. */
  readonly advice: readonly string[];
  /** All of it to read. */
  explain(): string;
  toString(): string;
}

/** What came of several attacks. */
export interface AttackResults {
  readonly results: readonly AttackResult[];
  readonly counts: OutcomeCounts;
  readonly out?: string;
  explain(): string;
  toString(): string;
}
