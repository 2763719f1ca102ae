import type { BindingViews } from '../../format/model/binding-views.ts';
import { createEvaluationError } from '../../format/model/errors.ts';
import type { SemanticEvaluator } from '../../format/model/extension-points.ts';
import type { TraceRecord } from '../../format/model/trace-record.ts';
import { createErrorOutcome, excerptMatch, type IndicatorOutcome } from './indicator-outcome.ts';
import type { MessageView } from './message-view.ts';
import { decideByScores, listCandidates, type SemanticBlock } from './semantic.ts';
import {
  createCore,
  type EvaluableDocument,
  type EvaluatedTrace,
  type OpenJudgement,
  type TraceOptions,
} from './trace-evaluator.ts';

// A judge of semantic indicators is slow. So that the run does not wait for it, the texts are kept and judged at the end.

/** The judge's score for a text, why it failed, or why it is not used. */
export type JudgeReply =
  | { readonly score: number; readonly words?: string | undefined }
  | { readonly unused: string }
  | { readonly failure: string };

interface JudgedTraceEvaluator {
  add(record: TraceRecord): void;
  finish(ask: (semantic: SemanticBlock, text: string) => Promise<JudgeReply>, name: string): Promise<EvaluatedTrace>;
}

/** The number of messages of one run that are kept for the judge. Beyond it, the indicator fails. */
const mostKept = 1_000;

/** Marks the semantic evaluator as present: the judge is asked later, so this score is never used. */
const judgeAskedLater: SemanticEvaluator = { evaluate: () => 0 };

export function createJudgedTraceEvaluator(
  evaluable: EvaluableDocument,
  views: readonly BindingViews[],
  options: Omit<TraceOptions<SemanticEvaluator>, 'semantic'>,
): JudgedTraceEvaluator {
  const core = createCore(evaluable, views, { ...options, semantic: judgeAskedLater });
  const kept: OpenJudgement[] = [];
  const keep = (judgements: readonly OpenJudgement[]): void => {
    for (const judgement of judgements)
      if (kept.length < mostKept) kept.push(judgement);
      else judgement.settle(createErrorOutcome(tooMany));
  };
  return {
    add: (record) => keep(core.add(record)),
    async finish(ask, name) {
      keep(core.end());
      await Promise.all(
        kept.map(async ({ semantic, view, settle }) => settle(await judgeOutcome(semantic, view, ask, name))),
      );
      return core.conclude();
    },
  };
}

const tooMany = createEvaluationError('semantic_error', `there are more than ${mostKept} messages to judge`);

async function judgeOutcome(
  semantic: SemanticBlock,
  view: MessageView,
  ask: (semantic: SemanticBlock, text: string) => Promise<JudgeReply>,
  name: string,
): Promise<IndicatorOutcome> {
  const candidates = listCandidates(semantic, view);
  const replies = await Promise.all(candidates.map(({ text }) => ask(semantic, text)));
  const unused = replies.find((reply) => 'unused' in reply);
  if (unused !== undefined) return { result: 'skipped', evidence: unused.unused };
  const scores = replies.map((reply) =>
    'score' in reply
      ? reply.score
      : createEvaluationError('semantic_error', `${name}: ${'failure' in reply ? reply.failure : reply.unused}`),
  );
  const words = replies.flatMap((reply) => ('score' in reply && reply.words ? [reply] : []));
  return decideByScores(semantic, candidates, scores, (score, threshold) => {
    const reply = words.find((reply) => reply.score === score)?.words;
    const why = reply === undefined ? '' : `: ${excerptMatch(reply, 0, 0)}`;
    return `score ${score} of ${threshold} by ${name}${why}`;
  });
}
