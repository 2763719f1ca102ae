import { type EvaluationError, evaluationError, isEvaluationError } from '../model/errors.ts';
import type { AsyncSemanticEvaluator, SemanticEvaluator } from '../model/extension-points.ts';
import type { NormalizedIndicator } from '../model/normalized.ts';
import { compileWildcardPath } from '../primitives/resolve-wildcard-path.ts';
import type { MessageView } from './message-view.ts';
import { failed, type IndicatorOutcome, notMatched } from './outcome.ts';

export type SemanticBlock = NonNullable<NormalizedIndicator['semantic']>;

/** The threshold for a document that names none. It is not written into the document. */
export const defaultThreshold = 0.7;

type Score = number | EvaluationError;

interface Candidate {
  readonly path: string;
  readonly text: string;
  readonly own: boolean;
}

/** Scores every resolved value. The highest score decides (SDK spec §4.4). */
export function semanticOutcome(
  semantic: SemanticBlock,
  view: MessageView,
  evaluator: SemanticEvaluator,
): IndicatorOutcome {
  const candidates = candidatesOf(semantic, view);
  return decide(
    semantic,
    candidates,
    candidates.map(({ text }) => scoreNow(() => evaluator.evaluate(...input(semantic, text)))),
  );
}

export async function semanticOutcomeAsync(
  semantic: SemanticBlock,
  view: MessageView,
  evaluator: AsyncSemanticEvaluator,
): Promise<IndicatorOutcome> {
  const candidates = candidatesOf(semantic, view);
  const scores: Score[] = [];
  for (const { text } of candidates)
    try {
      scores.push(checked(await evaluator.evaluate(...input(semantic, text))));
    } catch (thrown) {
      scores.push(failure(thrown));
    }
  return decide(semantic, candidates, scores);
}

export function candidatesOf({ target }: SemanticBlock, view: MessageView): readonly Candidate[] {
  const path = compileWildcardPath(target);
  const places = path.located(view.message);
  return view.resolve({ target, path }).map((resolved, index) => {
    const place = resolved.path ?? places[index]?.path ?? '';
    return { path: place, text: resolved.text(), own: resolved.own ?? view.isOwn(place) };
  });
}

function input(semantic: SemanticBlock, text: string): Parameters<SemanticEvaluator['evaluate']> {
  const { intent, intentClass, threshold, examples } = semantic;
  return [text, intent, intentClass, threshold ?? defaultThreshold, examples];
}

/** Decides by the highest score of the agent's own text. Our text decides only if the agent's does not match. */
export function decide(
  semantic: SemanticBlock,
  candidates: readonly Candidate[],
  scores: readonly Score[],
  evidenceOf: (score: number, threshold: number) => string = (score) => `score ${score}`,
): IndicatorOutcome {
  const best: { theirs?: Scored; ours?: Scored } = {};
  for (const [index, score] of scores.entries()) {
    if (typeof score !== 'number') return failed(score);
    const candidate = candidates[index];
    if (candidate === undefined) continue;
    const whose = candidate.own ? 'ours' : 'theirs';
    if (score > (best[whose]?.score ?? -1)) best[whose] = { score, candidate };
  }
  const { theirs, ours } = best;
  const threshold = semantic.threshold ?? defaultThreshold;
  const decisive = [theirs, ours].find((scored) => scored !== undefined && scored.score >= threshold);
  if (decisive !== undefined) return matchOf(decisive, evidenceOf(decisive.score, threshold));
  const score = theirs?.score ?? ours?.score;
  return score === undefined
    ? notMatched
    : { result: 'not_matched', evidence: evidenceOf(score, threshold), isThere: true, score };
}

interface Scored {
  readonly score: number;
  readonly candidate: Candidate;
}

function matchOf({ candidate: { path, text, own } }: Scored, evidence: string): IndicatorOutcome {
  const match = { path, from: 0, to: text.length, ...(own && { own }) };
  return { result: 'matched', evidence, match };
}

function scoreNow(evaluate: () => Score): Score {
  try {
    return checked(evaluate());
  } catch (thrown) {
    return failure(thrown);
  }
}

function checked(score: unknown): Score {
  if (isEvaluationError(score)) return score;
  if (typeof score === 'number' && score >= 0 && score <= 1) return score;
  const found = score instanceof Promise ? 'a promise; use the asynchronous entry point' : String(score);
  return evaluationError('semantic_error', `evaluator must give a score from 0 to 1, not ${found}`);
}

function failure(thrown: unknown): EvaluationError {
  return evaluationError('semantic_error', thrown instanceof Error ? thrown.message : String(thrown));
}
