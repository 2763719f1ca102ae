import type { AttackVerdict } from '../../format/model/attack-verdict.ts';
import type { NormalizedDocument } from '../../format/model/normalized.ts';
import type { Judgement as RunJudgement } from '../../judgement/judge/judge-run.ts';

/** Everything that `evaluate` reports about a run. */
export interface EvaluationReport extends RunJudgement {
  readonly document: NormalizedDocument;
  readonly file: string;
  readonly trace: string;
  readonly verdict: AttackVerdict;
  readonly records: number;
  readonly skippedLines: number;
  /** Whether the benign twin was played: a match is then a false positive. */
  readonly twin?: boolean;
}
