import type { SemanticExamples } from './attack-document.ts';
import type { IndicatorVerdict, Match } from './attack-verdict.ts';
import type { BindingViews } from './binding-views.ts';
import type { Mark } from './document-mark.ts';
import type { Protocol, SemanticIntentClass } from './enumeration-types.ts';
import type { EvaluationError, GenerationError } from './errors.ts';
import type { NormalizedDocument, NormalizedPattern } from './normalized.ts';
import type { DisclosureDetails, DisclosureState } from './results-file.ts';
import type { TraceRecord } from './trace-record.ts';
import type { Value, ValueMap } from './value.ts';

// The parts that a host may supply (SDK spec §6). The SDK has a default for `CelEvaluator` only.

/** Evaluates CEL expressions. `createCelEvaluator` makes the default one. */
export interface CelEvaluator {
  /** `context` holds `message` and the indicator's variables. */
  evaluate(expression: string, context: ValueMap): Value | EvaluationError;
}

/**
 * Scores from 0 to 1 how strongly a text carries an intent. A `threshold` is given only if the document has one; without
 * one, a score of 0.7 matches.
 */
export interface SemanticEvaluator {
  evaluate(
    text: string,
    intent: string,
    intentClass?: SemanticIntentClass,
    threshold?: number,
    examples?: SemanticExamples,
  ): number | EvaluationError;
}

/** A `SemanticEvaluator` that may answer with a promise. The asynchronous entry points accept it. */
export interface AsyncSemanticEvaluator {
  evaluate(
    ...input: Parameters<SemanticEvaluator['evaluate']>
  ): number | EvaluationError | Promise<number | EvaluationError>;
}

/**
 * Looks for a pattern behind disguises, for indicators with `x-decode`. It receives each message in which the plain pattern
 * was not found, without the agent's echoes of our text. Messages with the same `source` may be parts of one text. `proofs` are
 * set for indicators with `x-canary`: texts of which one is looked for instead, or several that stand near each other.
 */
export type DisguiseFinder = (
  pattern: NormalizedPattern,
  expressionSteps?: number,
  proofs?: readonly (readonly string[])[],
) => (message: Value, source: string) => DisguisedMatch | EvaluationError | undefined;

/** A match behind a disguise. */
export interface DisguisedMatch {
  /** The text behind the disguise, and the name of the disguise. */
  readonly evidence: string;
  readonly match: Match;
}

/** What is known of a run when it is decided whether the agent told its user of the attack. */
export interface DisclosureCase {
  /** The marks of the document, at least one. */
  readonly marks: readonly Mark[];
  /** The record with which the last needed part of the attack arrived; undefined if one did not arrive. */
  readonly arrival: number | undefined;
  /** Why a needed part did not arrive. */
  readonly lack?: string | undefined;
  /** Why something that the agent said may be missing from the trace. */
  readonly gap?: string | undefined;
  /** The verdicts of the checks in `x-disclosure`; none if the document has no such checks. */
  readonly checks: readonly IndicatorVerdict[];
}

/** Whether the agent told its user of the attack, with the field names of stored results. */
export interface DisclosureFinding {
  readonly disclosure: DisclosureState;
  readonly disclosure_details: DisclosureDetails;
}

/** Sees every record of a run, and decides whether the agent told its user of the attack. */
export interface DisclosureTracker {
  add(record: TraceRecord): void;
  decide(run: DisclosureCase): DisclosureFinding;
  /** What the agent said to its user after the attack had reached it. It is known once that is decided. */
  wordsAfterPayload(): readonly string[];
}

/** Begins to follow a run. `trackDisclosure` of `oatf/runtime` is the one that suites use. */
export type TrackDisclosure = (document: NormalizedDocument, views: readonly BindingViews[]) => DisclosureTracker;

/** Generates content from a prompt. Reserved, like `synthesize` itself. */
export interface GenerationProvider {
  generate(prompt: string, protocol: Protocol, responseContext: Value): Promise<Value | GenerationError>;
}
