import type { Judgement as RunJudgement } from '../../judge/judge.ts';
import type { NormalizedDocument } from '../../model/normalized.ts';
import type { AttackVerdict } from '../../model/verdict.ts';

/** Everything that `evaluate` has to tell about a run. */
export interface Judgement extends RunJudgement {
  readonly document: NormalizedDocument;
  readonly file: string;
  readonly trace: string;
  readonly verdict: AttackVerdict;
  readonly records: number;
  readonly skippedLines: number;
  /** It was the benign twin that was played: a match in it is a false alarm. */
  readonly twin?: boolean;
}
