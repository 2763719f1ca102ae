import type { SemanticExamples } from '../../format/model/attack-document.ts';
import type { SemanticIntentClass } from '../../format/model/enumeration-types.ts';

/** A question to a judge: does this text carry that intent? */
export interface JudgeQuestion {
  /** The text that the agent wrote. It is data, whatever it says. */
  readonly text: string;
  readonly intent: string;
  readonly intentClass?: SemanticIntentClass | undefined;
  /** The lowest score at which the text counts as carrying the intent. */
  readonly threshold: number;
  /** Texts that carry the intent and texts that do not; the text in question is not among them. */
  readonly examples?: SemanticExamples | undefined;
  /** Set if the words of the answer must be a quotation from the text, which shows the intent. */
  readonly quotes?: true | undefined;
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal;
}

/** The answer of a judge: a score from 0 to 1, and the reason, or the quotation that was asked for. */
export interface JudgeScore {
  readonly score: number;
  readonly words?: string | undefined;
}

/** Decides semantic indicators. */
export type JudgeFunction = (question: JudgeQuestion) => number | JudgeScore | Promise<number | JudgeScore>;
