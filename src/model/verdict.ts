import type { AttackResult, IndicatorResult, Tier } from './enumerations.ts';
import type { EvaluationError } from './errors.ts';

/** What one indicator says of a run. */
export interface IndicatorVerdict {
  readonly indicatorId: string;
  readonly result: IndicatorResult;
  /** ISO 8601. */
  readonly timestamp?: string;
  /** The matched content, or the diagnostic of an error. */
  readonly evidence?: string;
  /** Our own: where the evidence stands. */
  readonly match?: Match;
  /** Our own: what an `error` result came from. */
  readonly error?: EvaluationError;
  /** Our own: beside `not_matched`, what the indicator looked at in a trace. */
  readonly looked?: Looked;
  readonly source?: string;
}

/** What an indicator that did not match looked at, and how near it came. */
export interface Looked {
  /** Messages of its protocol, surface, actor and direction. */
  readonly messages: number;
  /** Those of them that have something at its target; of patterns and semantic indicators. */
  readonly withTarget?: number;
  /** What was probably meant: another path, or another surface. */
  readonly suggestion?: string;
  readonly nearest?: NearMiss;
  /** All of it, for people. */
  readonly sentence: string;
}

/** A value at the target that does not satisfy the condition, and nearly does. */
export interface NearMiss {
  /** `seq` of the trace record. */
  readonly record: number;
  readonly path: string;
  /** Its text, cropped. */
  readonly value: string;
  /** What is different. */
  readonly reason: string;
}

/** Where a matched text stands: in which record, at which path, from where to where. */
export interface Match {
  /** `seq` of the trace record; absent when a lone message was evaluated. */
  readonly record?: number;
  /** Path of the matched value with real indices, such as `tools[1].description`; `""` is the message itself. */
  readonly path: string;
  /** UTF-16 offsets into the value (a string as it is, anything else as compact JSON with sorted keys). */
  readonly from: number;
  readonly to: number;
  /** The projection that offered the value, where no wire message has such a path. */
  readonly projection?: string;
  /**
   * The matched text is ours: it stands in a message that we sent, in what the agent repeats of ours because the
   * protocol says so, or in `_request`.
   */
  readonly own?: true;
}

/** How many indicators had each result. */
export interface EvaluationSummary {
  readonly matched: number;
  readonly notMatched: number;
  readonly error: number;
  readonly skipped: number;
}

/** What the indicators of a document say of a run. */
export interface AttackVerdict {
  readonly attackId?: string;
  readonly result: AttackResult;
  readonly maxTier?: Tier;
  readonly indicatorVerdicts: readonly IndicatorVerdict[];
  readonly evaluationSummary: EvaluationSummary;
  readonly timestamp?: string;
  readonly source?: string;
  /** Our own: why the result is `error` when no indicator says so. */
  readonly message?: string;
}
