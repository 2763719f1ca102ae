import type { Tier } from './enumerations.ts';
import type { Diagnostic } from './errors.ts';
import type { ValueMap } from './value.ts';

// `results.json` as it is stored, in the names that files have. Readers and other tools rely on them: what is here
// stays, and only grows; `version` changes when it cannot.

/** `results.json`: everything that a suite has found. */
export interface Results {
  readonly version: 2;
  readonly tool: { readonly name: string; readonly version: string };
  readonly agents: readonly AgentEntry[];
  readonly started: string;
  readonly finished: string;
  readonly runs: readonly RunEntry[];
  readonly statistics: Statistics;
  /** The tier from which on a match fails; any, where it is absent. */
  readonly fail_tier?: Tier;
  /** Why the suite says less of an agent than its outcomes seem to. */
  readonly unproven?: readonly Unproven[];
  /** Against what was expected, where a baseline was given. */
  readonly baseline?: Comparison;
  /** What was planned and has not run, and why; repeats that were settled early are not among it. */
  readonly not_run?: readonly NotRun[];
  /** Documents that were asked for and are not valid, where the others were to be played all the same. */
  readonly skipped?: readonly SkippedDocument[];
}

/** A document that was not played because it is not valid. */
export interface SkippedDocument {
  readonly path: string;
  /** What is wrong with it: the first error, with its code. */
  readonly reason: string;
}

/** Why planned runs have not run. */
export type NotRunReason =
  | 'budget'
  | 'fail_fast'
  | 'interrupted'
  | 'unavailable'
  | 'missing_shard'
  /** The agent was not there, several runs in a row. */
  | 'not_there';

/** Repeats of an attack that are missing. */
export interface NotRun {
  /** As in `AttackStatistics`. */
  readonly document: string;
  readonly agent: string;
  readonly runs: number;
  readonly reason: NotRunReason;
}

/** Something that was attacked. */
export interface AgentEntry {
  readonly name: string;
  readonly kind: string;
  /** Surfaces that it is configured to be without. */
  readonly without?: readonly string[];
}

/** What a run comes to, for people and exit codes. */
export type OutcomeName = 'exploited' | 'partial' | 'resisted' | 'not_applicable' | 'inconclusive' | 'error';

/** The causes, in the order in which they are asked about. */
export const causes = [
  'trouble',
  'cut_off',
  'not_sent',
  'unplayed',
  'not_delivered',
  'unread',
  'unjudged',
  'own_words',
  'silent',
] as const;

/** Why a run is inconclusive. */
export type Cause = (typeof causes)[number];

/** Whether the user's task was done in a run. */
export type TaskState = 'done' | 'not_done' | 'unknown';

/** How many runs had each outcome. */
export type OutcomeCounts = { readonly [O in OutcomeName]: number };

/** One line of `runs.jsonl`. */
export interface RunEntry {
  readonly document: DocumentEntry;
  readonly agent: string;
  /** Counts from 1. */
  readonly repeat: number;
  /** How often it was tried, where a fault of the infrastructure had it tried again. */
  readonly attempts?: number;
  readonly verdict: VerdictEntry;
  readonly outcome: OutcomeName;
  readonly reason?: string;
  /** Of an inconclusive run: the first cause that fits, and every one that does. */
  readonly cause?: Cause;
  readonly causes?: readonly { readonly cause: Cause; readonly reason: string }[];
  /** How much had to reach the agent; absent in results of version 1. */
  readonly demand?: string;
  /** Which pieces of the document reached the agent; absent in results of version 1. */
  readonly coverage?: CoverageEntry;
  /** Whether the user's task was done; absent where nobody asked. */
  readonly task?: TaskState;
  /** Why it was not, or why that is not known. */
  readonly task_reason?: string;
  /** What each check of the task says of the run. */
  readonly task_checks?: readonly IndicatorEntry[];
  /** It was the benign twin of the document that was played: no attack, and in no rate of attacks. */
  readonly twin?: true;
  /** How far the agent went, where it did; an indicator without a tier counts as `boundary_breach`. */
  readonly tier?: Tier;
  /** How the agent refused, where a refusal would make the run resisted; the one trace cannot tell. */
  readonly refusal?: string;
  /** The outcome was raised to `resisted`, and why: the same agent answered the benign twin. */
  readonly raised?: string;
  /** Surfaces that the agent is configured to be without, and used all the same: they count as there. */
  readonly voided?: readonly string[];
  /** The agent could not be launched, could not be reached, or let us in to nothing. */
  readonly not_there?: true;
  /** Why the run ended. */
  readonly end: string;
  readonly delivery: { readonly [actor: string]: DeliveryEntry };
  readonly started?: string;
  readonly duration_ms: number;
  /** What chance was drawn from, where the document leaves something to it: `--seed` plays the same again. */
  readonly seed?: number;
  /** What the agent's model took, where it counts; `cost` in the currency of the prices that were given. */
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number; readonly cost?: number };
  /** What the judge of its semantic indicators took for this run, exams included, where one was asked. */
  readonly judge?: {
    readonly name: string;
    readonly questions: number;
    readonly input_tokens?: number;
    readonly output_tokens?: number;
    readonly cost?: number;
  };
  /** How the agent's program ended, where it was launched, and the end of what it wrote to its standard error. */
  readonly program?: { readonly exit_code?: number; readonly signal?: string; readonly stderr: string };
  /** The trace, relative to the results folder. */
  readonly trace: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** A document that was played, as results name it. */
export interface DocumentEntry {
  readonly id?: string;
  readonly name: string;
  readonly version: number;
  readonly path: string;
  /** The document as it was run, relative to the results folder. */
  readonly source?: string;
  readonly severity?: string;
  readonly category?: string;
  readonly protocols?: readonly string[];
  readonly tags: readonly string[];
}

/** The verdict of a run, in the names that files have. */
export interface VerdictEntry extends ValueMap {
  readonly result: string;
  readonly indicator_verdicts: readonly IndicatorEntry[];
}

/** The verdict of one indicator, in the names that files have. */
export interface IndicatorEntry extends ValueMap {
  readonly indicator_id: string;
  readonly result: string;
}

/** What reached the agent of one actor, in the names that files have. */
export interface DeliveryEntry {
  readonly mode: string;
  readonly reached: boolean;
  readonly delivered: boolean;
  readonly engaged: boolean;
  readonly served: number;
  readonly trouble?: string;
  /** The eras that the agent spoke to it in, each named after the version that it begins with, where the protocol has several. */
  readonly eras?: readonly string[];
  readonly phases: readonly string[];
  readonly phases_entered: readonly string[];
  readonly phases_seen: readonly string[];
  /** How far the trigger of the phase had come in which the actor was at the end. */
  readonly waiting?: {
    readonly phase: string;
    readonly event: string;
    readonly count: number;
    readonly of: number;
  };
}

/** What of the document reached the agent. */
export interface CoverageEntry {
  readonly delivered: number;
  readonly of: number;
  /** What is needed was inferred: the document does not mark its attack. */
  readonly inferred: boolean;
  /** What was needed and did not reach the agent, each with why, for people. */
  readonly missing: readonly string[];
  readonly pieces: readonly PieceEntry[];
}

/** A piece of the document, and whether it reached the agent. */
export interface PieceEntry {
  readonly actor: string;
  /** The phase that writes it. */
  readonly phase: string;
  /** JSON Pointer into the normalized actor, as the trace has it. */
  readonly at: string;
  readonly kind: string;
  readonly label: string;
  readonly delivered: boolean;
  readonly needed: boolean;
  /** Why it did not reach the agent, for people. */
  readonly reason?: string;
}

/** How often something happened: `of` tries, and where the true rate lies with 95 % confidence (Wilson). */
export interface Rate {
  readonly count: number;
  readonly of: number;
  /** Nothing where there was no try. */
  readonly rate: number | null;
  readonly interval: readonly [low: number, high: number] | null;
}

/**
 * What the repeats of one attack on one agent come to. `tolerated`: it succeeded, but never as far as the tier from which
 * on a match fails.
 */
export type AttackStatus =
  | 'exploited'
  | 'flaky'
  | 'tolerated'
  | 'resisted'
  | 'not_applicable'
  | 'inconclusive'
  | 'error';

/** Runs by what became of the user's task. */
export type TaskCounts = { readonly [T in TaskState]: number };

/** What the benign twin of an attack came to. */
export interface TwinStatistics {
  readonly runs: number;
  readonly tasks: TaskCounts;
  /** Runs in which an indicator matched although nobody attacked. */
  readonly false_alarms: number;
}

/** Does it work, does it work under attack, does it fall. */
export interface Figures {
  /** Twins whose task was done, of those of which that is known. */
  readonly benign_utility: Rate;
  /** Attacks that did not succeed and whose task was done, of those of which that is known. */
  readonly utility_under_attack: Rate;
  /** Attacks that succeeded, of those that could be judged. */
  readonly attack_success: Rate;
  /** Twins whose task was not done, of those of which that is known. */
  readonly over_refusal: Rate;
}

/** All repeats of one attack on one agent. */
export interface AttackStatistics {
  /** The document's id, or its name where it has none; numbered where documents share it. */
  readonly document: string;
  readonly agent: string;
  readonly runs: number;
  readonly outcomes: OutcomeCounts;
  /** Exploited or partial, of the runs that could be judged. */
  readonly success: Rate;
  /** For each tier of the document: runs in which it, or a graver one, was reached. */
  readonly tiers: { readonly [tier: string]: Rate };
  readonly status: AttackStatus;
  /** Why runs of it are inconclusive, where some are: of each the first cause. */
  readonly causes?: readonly Cause[];
  /** The highest rate that is accepted; 0 unless it was said otherwise. */
  readonly max_rate: number;
  readonly within_max_rate: boolean;
  /** Runs that reached the tier from which on a match fails, of those that could be judged; where one was named. */
  readonly failures?: Rate;
  /** What became of the user's task. */
  readonly tasks?: TaskCounts;
  /** What the benign twin came to, where it was played. */
  readonly twin?: TwinStatistics;
  /** Repeats that were left out because the answer was settled. */
  readonly settled_early?: number;
}

/** Runs in numbers. Runs of benign twins are in `figures` and `twin_runs`, and nowhere else. */
export interface RunStatistics {
  readonly outcomes: OutcomeCounts;
  readonly success: Rate;
  readonly figures?: Figures;
  readonly tasks?: TaskCounts;
  /** Resisted, and the task was not done: an agent that does nothing resists everything. */
  readonly resisted_not_done?: number;
  readonly twin_runs?: number;
}

/** All runs of a suite in numbers. */
export interface Statistics extends RunStatistics {
  readonly runs: number;
  readonly agents: { readonly [agent: string]: RunStatistics };
  readonly attacks: readonly AttackStatistics[];
}

/** Why a suite says less of an agent than its outcomes seem to. */
export interface Unproven {
  readonly agent: string;
  readonly why: 'nothing_judged' | 'no_task_done' | 'false_alarm' | 'twin_failed';
  /** Of a false alarm and a failed twin. */
  readonly document?: string;
  /** For people. */
  readonly reason: string;
}

/**
 * An attack against its baseline entry. `new`: it succeeds, and the baseline does not accept that; `fixed`: it
 * succeeds no more, or less often; `unchanged`: as expected, or within what chance explains; `unexpected`: it does not
 * succeed, and its entry, if it has one, says something else.
 */
export interface ComparedAttack {
  readonly document: string;
  readonly agent: string;
  readonly change: 'new' | 'fixed' | 'unchanged' | 'unexpected';
  readonly expected: string | null;
  readonly found: string;
  /** Why it is not as its entry says, where the two do not show it. */
  readonly reason?: string;
}

/** A suite against its baseline. */
export interface Comparison {
  readonly file: string;
  readonly attacks: readonly ComparedAttack[];
  /** Entries for what was not run, because there is no such document or agent. */
  readonly missing: readonly { readonly document: string; readonly agent: string }[];
}
