import type { Usage } from '../../agent/agent.ts';
import type { JudgeFunction } from '../../agent/judging.ts';

/** Somebody who can be asked, before any exam. */
export interface SemanticJudge {
  /** Which engine or model it is, for results. */
  readonly name: string;
  readonly judge: JudgeFunction;
  /** The most characters that it reads at once; longer texts are judged part by part. As many as there are if left out. */
  readonly longestText?: number | undefined;
  /** What it has taken so far, where it counts. */
  usage?(): Usage;
}
