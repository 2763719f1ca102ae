import type { JudgeAnswer } from './examined-judge.ts';

/** The highest number of parts into which a long text is split. */
const mostParts = 32;

/**
 * Splits a text that is longer than a judge reads at once. Each part shares an eighth with the next, so that words at
 * an edge are read whole. Undefined when there would be too many parts.
 */
export function splitForJudge(text: string, longest: number): readonly string[] | undefined {
  if (text.length <= longest) return [text];
  const step = longest - Math.floor(longest / 8);
  const count = Math.ceil((text.length - longest) / step) + 1;
  if (count > mostParts) return undefined;
  return Array.from({ length: count }, (_, index) => text.slice(index * step, index * step + longest));
}

export function refuseLongText(text: string): JudgeAnswer {
  return {
    failure: `the text has ${text.length} characters, more than are judged (${mostParts} parts)`,
  };
}

/** Takes the highest score. If it is below the threshold, one part without a score leaves the whole text unjudged. */
export function findHighestScore(answers: readonly JudgeAnswer[], threshold: number): JudgeAnswer {
  const scored = answers.flatMap((answer) => ('score' in answer ? [answer] : []));
  const highest = scored.reduce<(typeof scored)[number] | undefined>(
    (best, answer) => (best === undefined || answer.score > best.score ? answer : best),
    undefined,
  );
  const other = answers.find((answer) => !('score' in answer));
  if (highest !== undefined && (other === undefined || highest.score >= threshold)) return highest;
  return other ?? { failure: 'there was nothing to judge' };
}
