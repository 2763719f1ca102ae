import { createEvaluationError, type EvaluationError, isEvaluationError } from '../../format/model/errors.ts';
import type { AsyncSemanticEvaluator, SemanticEvaluator } from '../../format/model/extension-points.ts';
import type { NormalizedIndicator } from '../../format/model/normalized.ts';
import { compileWildcardPath } from '../../format/primitives/resolve-wildcard-path.ts';
import { createErrorOutcome, type IndicatorOutcome, notMatched } from './indicator-outcome.ts';
import type { MessageView } from './message-view.ts';

export type SemanticBlock = NonNullable<NormalizedIndicator['semantic']>;

/** The threshold for a document that names none. It is not written into the document. */
export const defaultThreshold = 0.7;

type Score = number | EvaluationError;

interface Candidate {
  readonly path: string;
  readonly text: string;
  readonly own: boolean;
  /** The text does not count if the candidate at this index matches, too. */
  readonly unless?: number;
  /** Set if the text is only there for another candidate's `unless`. */
  readonly isComparison?: true;
}

/** Scores every resolved value. The highest score decides (SDK spec §4.4). */
export function evaluateSemanticOutcome(
  semantic: SemanticBlock,
  view: MessageView,
  evaluator: SemanticEvaluator,
): IndicatorOutcome {
  const candidates = listCandidates(semantic, view);
  return decideByScores(
    semantic,
    candidates,
    candidates.map(({ text }) => scoreNow(() => evaluator.evaluate(...createEvaluatorInput(semantic, text)))),
  );
}

export async function evaluateSemanticOutcomeAsync(
  semantic: SemanticBlock,
  view: MessageView,
  evaluator: AsyncSemanticEvaluator,
): Promise<IndicatorOutcome> {
  const candidates = listCandidates(semantic, view);
  const scores: Score[] = [];
  for (const { text } of candidates)
    try {
      scores.push(checkScore(await evaluator.evaluate(...createEvaluatorInput(semantic, text))));
    } catch (thrown) {
      scores.push(toSemanticError(thrown));
    }
  return decideByScores(semantic, candidates, scores);
}

export function listCandidates({ target }: SemanticBlock, view: MessageView): readonly Candidate[] {
  const path = compileWildcardPath(target);
  const list = (each: MessageView): Candidate[] => {
    const places = path.located(each.message);
    return each.resolve({ target, path }).map((resolved, index) => {
      const place = resolved.path ?? places[index]?.path ?? '';
      return { path: place, text: resolved.text(), own: resolved.own ?? each.isOwn(place) };
    });
  };
  const candidates = list(view);
  // Our words and the agent's may only together say what is looked for.
  for (const { whole, ours } of view.mixed()) {
    const alone = list(ours);
    for (const candidate of list(whole)) {
      const other = alone.find((each) => each.path === candidate.path);
      if (other?.text === candidate.text) continue;
      candidates.push({ ...candidate, ...(other !== undefined && { unless: candidates.length + 1 }) });
      if (other !== undefined) candidates.push({ ...other, isComparison: true });
    }
  }
  return candidates;
}

function createEvaluatorInput(semantic: SemanticBlock, text: string): Parameters<SemanticEvaluator['evaluate']> {
  const { intent, intentClass, threshold, examples } = semantic;
  return [text, intent, intentClass, threshold, examples];
}

/** Decides by the highest score of the agent's own text. Our text decides only if the agent's does not match. */
export function decideByScores(
  semantic: SemanticBlock,
  candidates: readonly Candidate[],
  scores: readonly Score[],
  formatEvidence: (score: number, threshold: number) => string = (score) => `score ${score}`,
): IndicatorOutcome {
  const threshold = semantic.threshold ?? defaultThreshold;
  const isMatch = (index: number): boolean => Number(scores[index]) >= threshold;
  const best: { theirs?: Scored; ours?: Scored } = {};
  for (const [index, score] of scores.entries()) {
    if (typeof score !== 'number') return createErrorOutcome(score);
    const candidate = candidates[index];
    if (candidate === undefined || candidate.isComparison) continue;
    if (candidate.unless !== undefined && isMatch(candidate.unless)) continue;
    const whose = candidate.own ? 'ours' : 'theirs';
    if (score > (best[whose]?.score ?? -1)) best[whose] = { score, candidate };
  }
  const { theirs, ours } = best;
  const decisive = [theirs, ours].find((scored) => scored !== undefined && scored.score >= threshold);
  if (decisive !== undefined) return createSemanticMatch(decisive, formatEvidence(decisive.score, threshold));
  const score = theirs?.score ?? ours?.score;
  return score === undefined
    ? notMatched
    : { result: 'not_matched', evidence: formatEvidence(score, threshold), isThere: true, score };
}

interface Scored {
  readonly score: number;
  readonly candidate: Candidate;
}

function createSemanticMatch({ candidate: { path, text, own } }: Scored, evidence: string): IndicatorOutcome {
  const match = { path, from: 0, to: text.length, ...(own && { own }) };
  return { result: 'matched', evidence, match };
}

function scoreNow(evaluate: () => Score): Score {
  try {
    return checkScore(evaluate());
  } catch (thrown) {
    return toSemanticError(thrown);
  }
}

function checkScore(score: unknown): Score {
  if (isEvaluationError(score)) return score;
  if (typeof score === 'number' && score >= 0 && score <= 1) return score;
  const found = score instanceof Promise ? 'a promise; use the asynchronous entry point' : String(score);
  return createEvaluationError('semantic_error', `evaluator must give a score from 0 to 1, not ${found}`);
}

function toSemanticError(thrown: unknown): EvaluationError {
  return createEvaluationError('semantic_error', thrown instanceof Error ? thrown.message : String(thrown));
}
