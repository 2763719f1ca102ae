import type { Judgement as RunJudgement } from '../../judge/judge.ts';
import type { NormalizedDocument } from '../../model/normalized.ts';
import type { AttackVerdict } from '../../model/verdict.ts';

/** Everything that `evaluate` reports about a run. */
export interface EvaluationReport extends RunJudgement {
  readonly document: NormalizedDocument;
  readonly file: string;
  readonly trace: string;
  readonly verdict: AttackVerdict;
  readonly records: number;
  readonly skippedLines: number;
  /** Whether the benign twin was played: a match is then a false alarm. */
  readonly twin?: boolean;
}
