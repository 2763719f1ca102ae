import type { ProgramFacts, Usage } from '../agents/adapters/agent-under-test.ts';
import type { AttackVerdict } from '../format/model/attack-verdict.ts';
import type { Tier } from '../format/model/enumeration-types.ts';
import type { Diagnostic } from '../format/model/errors.ts';
import type {
  DocumentEntry,
  IndicatorAttribution,
  OutcomeCounts,
  Rate,
  RunEntry,
} from '../format/model/results-file.ts';
import type { EndReason, TraceRecord } from '../format/model/trace-record.ts';
import type { Judgement } from '../judgement/judge/judge-run.ts';
import type { SuiteStatus } from '../suite/statistics/decided-early.ts';

/** The result of one run. */
export interface AttackRun extends Judgement, Pick<RunEntry, 'raised' | 'lowered' | 'set_aside'> {
  /** The verdict of the format spec. Its evidence is masked only if `redact` asks for it. */
  readonly verdict: AttackVerdict;
  /** The matches that count, highest tier first; secrets in them are masked. */
  readonly evidence: readonly Evidence[];
  /** Why the run ended. */
  readonly end: EndReason;
  readonly durationMs: number;
  /** The seed of the document's random values, if it has any. */
  readonly seed?: number;
  /** The tokens that the agent's model used, if it counts them. */
  readonly usage?: Usage;
  /** How the agent's program ended, if the agent is a program. */
  readonly program?: ProgramFacts;
  /** The error that the agent threw, if it is a function and threw one. */
  readonly thrown?: unknown;
  readonly diagnostics: readonly Diagnostic[];
  /** The messages, masked only if `redact` asks for it. Only the first 10 000 records are kept, and 32 MB at most. */
  readonly trace: readonly TraceRecord[];
  /** How many records were not kept. */
  readonly traceLeftOut: number;
}

/** An indicator that matched, and the place of the match. */
export interface Evidence {
  readonly indicator: string;
  readonly tier?: string;
  readonly description?: string;
  /** The text around the match; the match is from `from` to `to`. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** The path of the text in its message. */
  readonly path?: string;
  /** The `seq` of the message in the trace. */
  readonly record?: number;
  readonly actor?: string;
  readonly method?: string;
}

/** The result of an attack: all of its runs, and the facts of the run that says most. */
export interface AttackReport extends AttackRun {
  readonly document: DocumentEntry;
  /** The name of the agent. */
  readonly agent: string;
  readonly runs: readonly AttackRun[];
  /** Set if the benign twin was played: there was no attack, and a match is a false positive. */
  readonly twin?: true;
  /** The runs of the benign twin, if `twins` asked for them. */
  readonly twinRuns?: readonly AttackRun[];
  /** Of each indicator that matched: whether the attack caused it. Without `twins` that is unknown. */
  readonly attribution?: readonly IndicatorAttribution[];
  /** The lowest tier at which a match fails; if absent, any tier does. */
  readonly failTier?: Tier;
  /** How often the attack succeeded, out of the runs that could be judged. `failTier` decides which matches count. */
  readonly rate: Rate;
  /** The highest accepted rate. */
  readonly maxRate: number;
  /** Whether the agent resists: the rate is `within` the accepted one, it has `exceeded` it, or it is `undecided`. */
  readonly status: SuiteStatus;
  /** The folder in which the results are stored, if they are. */
  readonly out?: string;
  /** Sentences that say what to do next. */
  readonly advice: readonly string[];
  /** The whole result as text for people. */
  explain(): string;
  toString(): string;
}

/** The results of several attacks. */
export interface AttackReports {
  readonly results: readonly AttackReport[];
  readonly counts: OutcomeCounts;
  /** The lowest accepted utility under attack, if one was asked for. */
  readonly minUtility?: number;
  readonly out?: string;
  explain(): string;
  toString(): string;
}
