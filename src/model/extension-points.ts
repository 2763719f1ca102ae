import type { SemanticExamples } from './document.ts';
import type { Protocol, SemanticIntentClass } from './enumerations.ts';
import type { EvaluationError, GenerationError } from './errors.ts';
import type { NormalizedPattern } from './normalized.ts';
import type { Value, ValueMap } from './value.ts';
import type { Match } from './verdict.ts';

// §6: what a host may bring. The SDK ships a default `CelEvaluator` and no other.

/** Evaluates CEL expressions; `createCelEvaluator` makes the default one. */
export interface CelEvaluator {
  /** `context` holds `message` and the indicator's variables. */
  evaluate(expression: string, context: ValueMap): Value | EvaluationError;
}

/** Scores from 0 to 1 how much a text carries an intent. */
export interface SemanticEvaluator {
  evaluate(
    text: string,
    intent: string,
    intentClass?: SemanticIntentClass,
    threshold?: number,
    examples?: SemanticExamples,
  ): number | EvaluationError;
}

/** The same for an evaluator that has to wait; used by the asynchronous entry points. */
export interface AsyncSemanticEvaluator {
  evaluate(
    ...input: Parameters<SemanticEvaluator['evaluate']>
  ): number | EvaluationError | Promise<number | EvaluationError>;
}

/**
 * Looks for a pattern behind disguises, where an indicator asks for it with `x-decode`. It is given each message in which
 * the pattern is not found to the letter, without what the agent repeats of ours; `source` tells which messages may be
 * parts of one text.
 */
export type SeeThrough = (
  pattern: NormalizedPattern,
  expressionMs?: number,
) => (message: Value, source: string) => SeenThrough | EvaluationError | undefined;

/** What was found behind a disguise. */
export interface SeenThrough {
  /** The text behind it, and which disguise that was. */
  readonly evidence: string;
  readonly match: Match;
}

/** Generates content from a prompt. Reserved, like `synthesize` itself. */
export interface GenerationProvider {
  generate(prompt: string, protocol: Protocol, responseContext: Value): Promise<Value | GenerationError>;
}
