import type { AttackResult, IndicatorResult, Tier } from './enumeration-types.ts';
import type { EvaluationError } from './errors.ts';

/** The verdict of one indicator on a run. */
export interface IndicatorVerdict {
  readonly indicatorId: string;
  readonly result: IndicatorResult;
  /** In ISO 8601. */
  readonly timestamp?: string;
  /** The matched content, or the message of an error. */
  readonly evidence?: string;
  /** Our addition: the position of the evidence. */
  readonly match?: Match;
  /** Our addition: the error behind an `error` result. */
  readonly error?: EvaluationError;
  /** Our addition: for `not_matched`, what the indicator looked at in the trace. */
  readonly looked?: Looked;
  readonly source?: string;
}

/** The messages that an indicator without a match looked at, and its nearest miss. */
export interface Looked {
  /** The number of messages with the indicator's protocol, surface, actor and direction. */
  readonly messages: number;
  /** The number of those messages that have a value at the target. Set for pattern and semantic indicators. */
  readonly withTarget?: number;
  /** The path or surface that the author probably meant. */
  readonly suggestion?: string;
  readonly nearest?: NearMiss;
  /** All of the above in one sentence. */
  readonly sentence: string;
}

/** A value at the target that nearly satisfies the condition. */
export interface NearMiss {
  /** `seq` of the trace record. */
  readonly record: number;
  readonly path: string;
  /** The text of the value, shortened. */
  readonly value: string;
  /** How the value differs from what the condition asks. */
  readonly reason: string;
}

/** The position of a matched text: its record, path and offsets. */
export interface Match {
  /** `seq` of the trace record. Absent if a single message was evaluated without a trace. */
  readonly record?: number;
  /** The path of the matched value with real indices, such as `tools[1].description`. `""` is the whole message. */
  readonly path: string;
  /** UTF-16 offsets into the value. A string is taken as it is, anything else as compact JSON with sorted keys. */
  readonly from: number;
  readonly to: number;
  /** The projection that supplied the value, if no message on the wire has such a path. */
  readonly projection?: string;
  /**
   * Set if the matched text is ours: it is in a message that we sent, in an echo that the protocol prescribes, or in
   * `_request`.
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

/** The combined verdict of a document's indicators on a run. */
export interface AttackVerdict {
  readonly attackId?: string;
  readonly result: AttackResult;
  readonly maxTier?: Tier;
  readonly indicatorVerdicts: readonly IndicatorVerdict[];
  readonly evaluationSummary: EvaluationSummary;
  readonly timestamp?: string;
  readonly source?: string;
  /** Our addition: why the result is `error`, if no indicator says so. */
  readonly message?: string;
}
