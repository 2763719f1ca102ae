import type { Coverage, Delivery } from '../../judge/coverage.ts';
import type { RunOutcome } from '../../judge/outcome.ts';
import type { NormalizedDocument } from '../../model/normalized.ts';
import type { AttackVerdict } from '../../model/verdict.ts';

/** Everything that `evaluate` has to tell about a run. */
export interface Judgement {
  readonly document: NormalizedDocument;
  readonly file: string;
  readonly trace: string;
  readonly verdict: AttackVerdict;
  readonly delivery: Delivery;
  readonly coverage: Coverage;
  readonly outcome: RunOutcome;
  readonly records: number;
  readonly skippedLines: number;
}
