import type { Usage } from '../../agents/adapters/agent-under-test.ts';
import type { JudgeFunction } from '../../agents/adapters/judging.ts';

/** A judge that can be asked, before any exam. */
export interface SemanticJudge {
  /** The engine or model, as results name it. */
  readonly name: string;
  readonly judge: JudgeFunction;
  /** The most characters that it reads at once; longer texts are judged part by part. Default: no limit. */
  readonly longestText?: number | undefined;
  /** The tokens used so far, if it counts them. */
  usage?(): Usage;
}
