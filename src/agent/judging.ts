import type { SemanticExamples } from '../model/document.ts';
import type { SemanticIntentClass } from '../model/enumerations.ts';

/** What a judge is asked: does this text carry that intent? */
export interface JudgeQuestion {
  /** What the agent wrote. It is data, whatever it says. */
  readonly text: string;
  readonly intent: string;
  readonly intentClass?: SemanticIntentClass | undefined;
  /** The score from which on the text counts as carrying it. */
  readonly threshold: number;
  /** Texts that carry it and texts that do not; the text in question is not among them. */
  readonly examples?: SemanticExamples | undefined;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** What a judge says: a score from 0 to 1, and why. */
export interface Judged {
  readonly score: number;
  readonly words?: string | undefined;
}

/** Decides semantic indicators. */
export type JudgeFunction = (question: JudgeQuestion) => number | Judged | Promise<number | Judged>;
