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
  readonly source?: string;
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
  /** It stands in our own words: in what we sent, or in what the protocol makes the agent repeat of it. */
  readonly own?: true;
  /** The projection that offered the value, where no wire message has such a path. */
  readonly projection?: string;
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
