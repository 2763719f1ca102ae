import type { IndicatorVerdict, Match } from '../../format/model/attack-verdict.ts';
import type { EvaluationError } from '../../format/model/errors.ts';

export type IndicatorOutcome =
  | { readonly result: 'matched'; readonly evidence: string; readonly match?: Match }
  | {
      readonly result: 'not_matched';
      readonly evidence?: string;
      /** Set if the message has a value at the target. */
      readonly isThere?: true;
      /** The highest score that a semantic evaluator gave. */
      readonly score?: number;
    }
  | { readonly result: 'skipped'; readonly evidence: string }
  | { readonly result: 'error'; readonly error: EvaluationError };

export const notMatched: IndicatorOutcome = { result: 'not_matched' };
/** The target has values, and none of them satisfies the condition. */
export const missed: IndicatorOutcome = { result: 'not_matched', isThere: true };

export function createErrorOutcome(error: EvaluationError): IndicatorOutcome {
  return { result: 'error', error };
}

/** The beginning of the evidence of an indicator that was skipped because the agent sent nothing that it could look at. */
export const outOfReach = 'insufficient data';

/** The evidence of an indicator that was skipped for lack of a judge, although a judge would have had no text to read. */
export const nothingToJudge = 'nothing to judge';

const longestEvidence = 500;

/** The matched text, or an excerpt around the match if the text is long. */
export function excerptMatch(text: string, from: number, to: number): string {
  if (text.length <= longestEvidence) return text;
  const margin = Math.max(0, Math.floor((longestEvidence - (to - from)) / 2));
  const start = Math.max(0, from - margin);
  const end = Math.min(text.length, start + longestEvidence);
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}

export function toVerdict(indicatorId: string, outcome: IndicatorOutcome): IndicatorVerdict {
  const common = { indicatorId, result: outcome.result, timestamp: new Date().toISOString() };
  switch (outcome.result) {
    case 'matched':
      return {
        ...common,
        evidence: outcome.evidence,
        ...(outcome.match !== undefined && { match: outcome.match }),
      };
    case 'error':
      return { ...common, evidence: outcome.error.message, error: { ...outcome.error, indicatorId } };
    case 'skipped':
    case 'not_matched':
      return { ...common, ...(outcome.evidence !== undefined && { evidence: outcome.evidence }) };
  }
}
