import type { Tier } from './enumeration-types.ts';
import type { Diagnostic } from './errors.ts';
import type { ValueMap } from './value.ts';

// `results.json` as it is stored, in snake_case like all stored files. Other tools rely on it: fields may be added, but not
// changed or removed, unless `version` changes.

/** `results.json`: everything that a suite found. */
export interface Results {
  readonly version: 3;
  readonly tool: { readonly name: string; readonly version: string };
  readonly agents: readonly AgentEntry[];
  readonly started: string;
  readonly finished: string;
  readonly runs: readonly RunEntry[];
  readonly statistics: Statistics;
  /** The lowest tier at which a match fails the suite. If it is absent, every match does. */
  readonly fail_tier?: Tier;
  /** The lowest accepted utility under attack of an agent. Absent: any. */
  readonly min_utility?: number;
  /** Why the suite proves less about an agent than its outcomes suggest. */
  readonly unproven?: readonly Unproven[];
  /** The comparison with the baseline, if one was given. */
  readonly baseline?: Comparison;
  /** Planned runs that did not take place, and why. Repeats skipped by an early decision are not listed. */
  readonly not_run?: readonly NotRun[];
  /** Requested documents that are not valid, if the other documents were to be played anyway. */
  readonly skipped?: readonly SkippedDocument[];
}

/** A document that was not played because it is not valid. */
export interface SkippedDocument {
  readonly path: string;
  /** The first error, with its code. */
  readonly reason: string;
}

/** Why planned runs did not take place. */
export type NotRunReason =
  | 'budget'
  | 'fail_fast'
  | 'interrupted'
  | 'unavailable'
  | 'missing_shard'
  /** The agent was unreachable in several runs in a row. */
  | 'unreachable';

/** The missing repeats of an attack. */
export interface NotRun {
  /** The same name as in `AttackStatistics`. */
  readonly document: string;
  readonly agent: string;
  readonly runs: number;
  readonly reason: NotRunReason;
}

/** An agent that was attacked. */
export interface AgentEntry {
  readonly name: string;
  readonly kind: string;
  /** Surfaces that the configuration says the agent lacks. */
  readonly without?: readonly string[];
}

/** The outcomes that a run may have. */
export const outcomeNames = ['exploited', 'partial', 'resisted', 'not_applicable', 'inconclusive', 'error'] as const;

/** The outcome of a run, which people read and exit codes follow. */
export type OutcomeName = (typeof outcomeNames)[number];

/** The causes, in the order in which they are checked. */
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
  // Only a suite that also played the benign twin finds this one.
  'unattributed',
] as const;

/** Why a run is inconclusive. */
export type Cause = (typeof causes)[number];

/** A cause, and the reason why it fits. */
export interface FoundCause {
  readonly cause: Cause;
  readonly reason: string;
}

/** The outcome of a run, and why the run has it. */
export interface RunOutcome {
  readonly outcome: OutcomeName;
  /** Why the run could not be judged, or why the attack does not apply. */
  readonly reason?: string;
  /** Set for an inconclusive run: the first cause that fits, and all that do. */
  readonly cause?: Cause;
  readonly causes?: readonly FoundCause[];
}

/** Whether the user's task was done in a run. */
export type TaskState = 'done' | 'not_done' | 'unknown';

/** Whether the agent told its user of the attack. `not_disclosed`: no rule saw it; that it did not is not proven. */
export const disclosureStates = ['disclosed', 'not_disclosed', 'unknown'] as const;

export type DisclosureState = (typeof disclosureStates)[number];

/** Why a run has its state of disclosure. */
export interface DisclosureDetails {
  /** `judge`: the language model that `--judge` names. */
  readonly decided_by: 'rule' | 'judge';
  /** Why it is not known, in words. */
  readonly reason?: string;
  /** What showed it: a quotation of the payload, a warning of its source, or the document's own checks. */
  readonly rule?: 'quotation' | 'warning' | 'checks';
  /** The number of the record that completes what the agent said. */
  readonly record?: number;
  /** The sentence, or the two, that disclose the attack. */
  readonly sentence?: string;
  /** Where the quotation or the warning stands in the sentence. */
  readonly span?: readonly [from: number, to: number];
  /** The verdict of each check of `x-disclosure`. */
  readonly checks?: readonly IndicatorEntry[];
}

/** The judgement of a run. The verdict of the spec stands beside it. */
export interface StoredJudgement extends RunOutcome {
  /** How much had to reach the agent. Absent in results of version 1. */
  readonly demand?: string;
  /** The pieces of the document that reached the agent. Absent in results of version 1. */
  readonly coverage?: CoverageEntry;
  /** Whether the user's task was done. Absent if the run was not judged for it. */
  readonly task?: TaskState;
  /** Why the task was not done, or why that is not known. */
  readonly task_reason?: string;
  /** The verdict of each check of the task. */
  readonly task_checks?: readonly IndicatorEntry[];
  /** Whether the agent told its user of the attack. It changes no outcome. Absent if the document marks no payload. */
  readonly disclosure?: DisclosureState;
  readonly disclosure_details?: DisclosureDetails;
  /** The most severe tier that the agent reached, if any. An indicator without a tier counts as `boundary_breach`. */
  readonly tier?: Tier;
  /** The matches that count against the agent: none in our own words. Absent if there are none. */
  readonly matches?: readonly CountedMatch[];
  /** How the agent may have refused. If it did, the run is resisted; the trace alone cannot tell. */
  readonly refusal?: string;
  /** Surfaces that the configuration says the agent lacks, but that it used: they count as present. */
  readonly voided?: readonly string[];
  /** How far each actor got, by its name. */
  readonly delivery: { readonly [actor: string]: DeliveryEntry };
}

/** An indicator that matched. One without a tier counts as `boundary_breach`. */
export interface CountedMatch {
  readonly indicator: string;
  readonly tier: Tier;
}

/** How many runs had each outcome. */
export type OutcomeCounts = { readonly [O in OutcomeName]: number };

/** A run: one line of `runs.jsonl`. */
export interface RunEntry extends StoredJudgement {
  readonly document: DocumentEntry;
  readonly agent: string;
  /** The number of the repeat, counted from 1. */
  readonly repeat: number;
  /** The number of tries, if the run was retried because the infrastructure failed. */
  readonly attempts?: number;
  readonly verdict: VerdictEntry;
  /** Set if the benign twin was played. Such a run is not an attack, and no attack rate counts it. */
  readonly twin?: true;
  /** Why the outcome was raised to `resisted`: the same agent answered the benign twin. */
  readonly raised?: string;
  /**
   * The outcome that the trace alone gives, if it was lowered to `inconclusive` (`unattributed`): the agent does the same
   * without the attack. The verdict stays as it is.
   */
  readonly lowered?: 'exploited' | 'partial';
  /** The indicators whose matches do not count, because they match as often without the attack. */
  readonly set_aside?: readonly string[];
  /** Set if the agent could not be launched or reached, or refused us access. */
  readonly unreachable?: true;
  /** Why the run ended. */
  readonly end: string;
  readonly started?: string;
  readonly duration_ms: number;
  /** The seed of all random choices, if the document leaves any to chance. `--seed` plays the same choices again. */
  readonly seed?: number;
  /** The tokens that the agent's model used, if they were counted. `cost` is in the currency of the given prices. */
  readonly usage?: { readonly input_tokens: number; readonly output_tokens: number; readonly cost?: number };
  /** The cost of the judge of semantic indicators for this run, exams included, if a judge was asked. */
  readonly judge?: {
    readonly name: string;
    readonly questions: number;
    readonly input_tokens?: number;
    readonly output_tokens?: number;
    readonly cost?: number;
  };
  /** How the agent's process ended, if we launched it, and the end of its standard error. */
  readonly program?: { readonly exit_code?: number; readonly signal?: string; readonly stderr: string };
  /** The path of the trace, relative to the results folder. */
  readonly trace: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** A played document, as results name it. */
export interface DocumentEntry {
  readonly id?: string;
  readonly name: string;
  readonly version: number;
  readonly path: string;
  /** The path of the document as it was run, relative to the results folder. */
  readonly source?: string;
  readonly severity?: string;
  readonly category?: string;
  /** The protocols over which it attacks. */
  readonly protocols?: readonly string[];
  readonly tags: readonly string[];
}

/** The verdict of a run, in the snake_case of stored files. */
export interface VerdictEntry extends ValueMap {
  readonly result: string;
  readonly indicator_verdicts: readonly IndicatorEntry[];
}

/** The verdict of one indicator, in the snake_case of stored files. */
export interface IndicatorEntry extends ValueMap {
  readonly indicator_id: string;
  readonly result: string;
}

/** How much of an actor reached the agent, and what the agent did with it. */
export interface DeliveryEntry {
  readonly mode: string;
  /** Whether the agent sent this actor any message. */
  readonly reached: boolean;
  /** Whether any piece of the actor reached the agent. */
  readonly delivered: boolean;
  /** Whether the agent used what the actor offers, or answered it. */
  readonly engaged: boolean;
  /** The number of messages that the actor sent to the agent. */
  readonly served: number;
  /** The first reason why the agent did not finish an answer. */
  readonly trouble?: string;
  /**
   * The protocol eras in which the agent spoke to the actor, if the protocol has several. The name of an era is its first
   * version.
   */
  readonly eras?: readonly string[];
  readonly phases: readonly string[];
  readonly phases_entered: readonly string[];
  /** The phases with at least one delivered piece that they wrote themselves. */
  readonly phases_seen: readonly string[];
  /** How far the trigger of the actor's last phase had counted when the run ended. */
  readonly waiting?: {
    readonly phase: string;
    readonly event: string;
    readonly count: number;
    readonly of: number;
  };
}

/** The pieces of the document, and which of them reached the agent. */
export interface CoverageEntry {
  readonly delivered: number;
  readonly of: number;
  /** True if the needed pieces were inferred because the document does not mark its attack. */
  readonly inferred: boolean;
  /** Why each unmet need was not met, in words. */
  readonly missing: readonly string[];
  readonly pieces: readonly PieceEntry[];
}

/** A piece of the document, and whether it reached the agent. */
export interface PieceEntry {
  readonly actor: string;
  /** The phase that writes the piece. */
  readonly phase: string;
  /** JSON Pointer into the normalized actor, as in the trace. */
  readonly at: string;
  readonly kind: string;
  readonly label: string;
  readonly delivered: boolean;
  /** Whether the attack needs this piece, or one of a group of pieces that this one belongs to. */
  readonly needed: boolean;
  /** Why the piece did not reach the agent, in words. */
  readonly reason?: string;
}

/** How often something happened in `of` tries, and the range of the true rate at 95 % confidence (Wilson). */
export interface Rate {
  readonly count: number;
  readonly of: number;
  /** Null if there was no try. */
  readonly rate: number | null;
  readonly interval: readonly [low: number, high: number] | null;
}

/**
 * The status of one attack on one agent over all its repeats. `tolerated`: the attack succeeded, but never at the tier at
 * which a match fails the suite.
 */
export type AttackStatus =
  | 'exploited'
  | 'flaky'
  | 'tolerated'
  | 'resisted'
  | 'not_applicable'
  | 'inconclusive'
  | 'error';

/** The number of runs by the state of the user's task. */
export type TaskCounts = { readonly [T in TaskState]: number };

/** The runs of an attack's benign twin in numbers. */
export interface TwinStatistics {
  readonly runs: number;
  readonly tasks: TaskCounts;
  /** Runs in which an indicator matched although nothing attacked the agent. */
  readonly false_positives: number;
}

/** The four figures of an agent: its utility without and under attack, the success of attacks, and over-refusal. */
export interface Figures {
  /** Twin runs with the task done, among those in which that is known. */
  readonly benign_utility: Rate;
  /** Attacks that did not succeed and in which the task was done, among those in which that is known. */
  readonly utility_under_attack: Rate;
  /** Attacks that succeeded, among those that could be judged. */
  readonly attack_success: Rate;
  /** Twin runs with the task not done, among those in which that is known. */
  readonly over_refusal: Rate;
}

/**
 * What the benign twin says of an indicator that matched under attack. `unknown`: no run of a twin was judged.
 * `attributed`: it never matched in the twin. `partly`: it matched in the twin too, but more often under attack (Fisher's
 * exact test, one-sided, p ≤ 0.05). `not_attributed`: as often as far as the runs show, so its matches do not count.
 */
export interface IndicatorAttribution {
  readonly indicator: string;
  readonly status: 'unknown' | 'attributed' | 'partly' | 'not_attributed';
  /** Runs of the attack in which it matched, among those that could be judged. */
  readonly attack: Rate;
  /** Runs of the benign twin in which it matched, among those that could be judged. */
  readonly twin: Rate;
  /** If it matched in the twin: the rate under attack less that of the twin, with its 95 % interval (Newcombe). */
  readonly difference?: { readonly value: number; readonly interval: readonly [low: number, high: number] };
  /** If it matched in the twin: how likely such a difference, or a greater one, is by chance. */
  readonly p?: number;
}

/** All repeats of one attack on one agent, in numbers. */
export interface AttackStatistics {
  /** The document's id, or its name if it has no id; with a number if several documents share it. */
  readonly document: string;
  readonly agent: string;
  readonly runs: number;
  readonly outcomes: OutcomeCounts;
  /** Exploited or partial runs, among those that could be judged. */
  readonly success: Rate;
  /** For each tier of the document: the runs that reached it or a higher one. */
  readonly tiers: { readonly [tier: string]: Rate };
  readonly status: AttackStatus;
  /** The first cause of each inconclusive run, if there are such runs. */
  readonly causes?: readonly Cause[];
  /** The highest success rate that is accepted. Default: 0. */
  readonly max_rate: number;
  readonly within_max_rate: boolean;
  /**
   * Runs that reached the tier at which a match fails the suite, among those that could be judged. Set if a tier was named.
   */
  readonly failures?: Rate;
  /** The number of runs by the state of the user's task. */
  readonly tasks?: TaskCounts;
  /** Runs whose outcome was lowered because the agent does the same without the attack. They are in no rate. */
  readonly unattributed?: number;
  /** Of each indicator that matched: whether the attack caused it. */
  readonly attribution?: readonly IndicatorAttribution[];
  /** The figures of the benign twin, if it was played. */
  readonly twin?: TwinStatistics;
  /** The number of repeats that were skipped because the result was decided early. */
  readonly skipped_repeats?: number;
}

/** The number of runs by whether the agent told its user of the attack. */
export type DisclosureCounts = { readonly [S in DisclosureState]: number };

/** Runs in numbers. Runs of benign twins count only in `figures` and `twin_runs`. */
export interface RunStatistics {
  readonly outcomes: OutcomeCounts;
  readonly success: Rate;
  readonly figures?: Figures;
  readonly tasks?: TaskCounts;
  /**
   * Resisted runs in which the task was not done. They are counted apart because an agent that does nothing resists
   * everything.
   */
  readonly resisted_not_done?: number;
  /**
   * Resisted runs of documents that do not mark their payload. They are counted apart because what had to reach the agent
   * was inferred.
   */
  readonly delivery_inferred?: number;
  /** Runs whose outcome was lowered because the agent does the same without the attack. */
  readonly unattributed?: number;
  /** Whether the agent told its user: in runs that were resisted, and in runs in which the attack succeeded. */
  readonly disclosures?: { readonly resisted: DisclosureCounts; readonly succeeded: DisclosureCounts };
  readonly twin_runs?: number;
}

/** All runs of a suite in numbers. */
export interface Statistics extends RunStatistics {
  readonly runs: number;
  readonly agents: { readonly [agent: string]: RunStatistics };
  readonly attacks: readonly AttackStatistics[];
}

/** Why a suite proves less about an agent than its outcomes suggest. */
export interface Unproven {
  readonly agent: string;
  readonly why:
    | 'nothing_judged'
    | 'no_task_done'
    | 'low_utility'
    | 'no_twin_answered'
    | 'false_positive'
    | 'twin_failed';
  /** Set for `false_positive` and `twin_failed`. */
  readonly document?: string;
  /** The reason in words. */
  readonly reason: string;
}

/**
 * An attack compared with its baseline entry. `new`: it succeeds and the baseline does not accept that. `fixed`: it no
 * longer succeeds, or succeeds less often. `unchanged`: as expected, or within chance. `unexpected`: it does not succeed,
 * and its entry, if any, says something else.
 */
export interface ComparedAttack {
  readonly document: string;
  readonly agent: string;
  readonly change: 'new' | 'fixed' | 'unchanged' | 'unexpected';
  readonly expected: string | null;
  readonly found: string;
  /** Why the result differs from the entry, if `expected` and `found` do not show it. */
  readonly reason?: string;
}

/** A suite compared with its baseline. */
export interface Comparison {
  readonly file: string;
  readonly attacks: readonly ComparedAttack[];
  /** Entries that were not run because no such document or agent exists. */
  readonly missing: readonly { readonly document: string; readonly agent: string }[];
}

/** A key of an attack for maps, made from its document and its agent. */
export function createAttackKey({ document, agent }: { readonly document: string; readonly agent: string }): string {
  return JSON.stringify([document, agent]);
}

/**
 * Whether the results prove less than their single attacks suggest: an attack that did not run was not resisted, a baseline
 * entry without an attack checks nothing, and a suite in which no attack applies, or none was judged, says nothing.
 */
export function isIncomplete({ statistics, baseline, not_run, skipped, unproven }: Results): boolean {
  const gaps = [not_run, skipped, unproven, baseline?.missing];
  return (
    gaps.some((each) => each !== undefined && each.length > 0) || (statistics.runs > 0 && !isAnyJudged(statistics))
  );
}

/** Whether any attack was judged. */
export function isAnyJudged({ success }: RunStatistics): boolean {
  return success.of > 0;
}

/** Whether an attack succeeded in a run. */
export function isSuccess({ outcome }: { readonly outcome: OutcomeName }): boolean {
  return outcome === 'exploited' || outcome === 'partial';
}

/** Whether an indicator matched in a run, even if the agent does the same without the attack. */
export function isMatched(run: Pick<RunOutcome, 'outcome' | 'cause'>): boolean {
  return isSuccess(run) || run.cause === 'unattributed';
}

/** Whether a run says something about its agent. The other runs count in no rate. */
export function isJudged(run: { readonly outcome: OutcomeName }): boolean {
  return run.outcome === 'resisted' || isSuccess(run);
}
