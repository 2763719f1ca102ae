import { type EvaluationError, evaluationError, isEvaluationError } from '../model/errors.ts';
import type { AsyncSemanticEvaluator, SemanticEvaluator } from '../model/extension-points.ts';
import type { NormalizedIndicator } from '../model/normalized.ts';
import type { Value } from '../model/value.ts';
import { textOf } from '../primitives/compact-json.ts';
import { compileWildcardPath } from '../primitives/resolve-wildcard-path.ts';
import { failed, notMatched, type Outcome } from './outcome.ts';

export type SemanticBlock = NonNullable<NormalizedIndicator['semantic']>;

/** In force when a document names none; it is not written into the document. */
const defaultThreshold = 0.7;

type Score = number | EvaluationError;

interface Candidate {
  readonly path: string;
  readonly text: string;
}

/** Scores every resolved value; the highest decides (SDK §4.4). */
export function semanticOutcome(
  semantic: SemanticBlock,
  message: Value,
  evaluator: SemanticEvaluator,
): Outcome {
  const candidates = candidatesOf(semantic, message);
  return decide(
    semantic,
    candidates,
    candidates.map(({ text }) => scoreNow(() => evaluator.evaluate(...input(semantic, text)))),
  );
}

export async function semanticOutcomeAsync(
  semantic: SemanticBlock,
  message: Value,
  evaluator: AsyncSemanticEvaluator,
): Promise<Outcome> {
  const candidates = candidatesOf(semantic, message);
  const scores: Score[] = [];
  for (const { text } of candidates)
    try {
      scores.push(checked(await evaluator.evaluate(...input(semantic, text))));
    } catch (thrown) {
      scores.push(failure(thrown));
    }
  return decide(semantic, candidates, scores);
}

function candidatesOf(semantic: SemanticBlock, message: Value): readonly Candidate[] {
  return compileWildcardPath(semantic.target)
    .located(message)
    .map(({ path, value }) => ({ path, text: textOf(value, 'sorted') }));
}

function input(semantic: SemanticBlock, text: string): Parameters<SemanticEvaluator['evaluate']> {
  const { intent, intentClass, threshold, examples } = semantic;
  return [text, intent, intentClass, threshold ?? defaultThreshold, examples];
}

function decide(
  semantic: SemanticBlock,
  candidates: readonly Candidate[],
  scores: readonly Score[],
): Outcome {
  let best: { readonly score: number; readonly candidate: Candidate } | undefined;
  for (const [index, score] of scores.entries()) {
    if (typeof score !== 'number') return failed(score);
    const candidate = candidates[index];
    if (candidate !== undefined && (best === undefined || score > best.score)) best = { score, candidate };
  }
  if (best === undefined) return notMatched;
  const evidence = `score ${best.score}`;
  if (best.score < (semantic.threshold ?? defaultThreshold)) return { result: 'not_matched', evidence };
  const { path, text } = best.candidate;
  return { result: 'matched', evidence, match: { path, from: 0, to: text.length } };
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
