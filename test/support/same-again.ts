import { expect } from 'vitest';
import type { NormalizedDocument } from '../../src/format/model/normalized.ts';
import { evaluateTrace, type TraceEvaluation, type TraceRecord } from '../../src/index.ts';

type Judged = Pick<TraceEvaluation, 'verdict' | 'outcome' | 'reason' | 'cause' | 'causes' | 'coverage'>;

/** Verdict and outcome of a stored trace are those of the run. */
export function expectSameAgain(document: NormalizedDocument, trace: readonly TraceRecord[], run: Judged): void {
  expectSame(evaluateTrace(document, trace), run);
}

/** Only when they were found may differ. */
export function expectSame(again: Judged, run: Judged): void {
  expect(timeless(again)).toEqual(timeless(run));
}

function timeless({ verdict, outcome, reason, cause, causes, coverage }: Judged) {
  const { timestamp: _, indicatorVerdicts, ...rest } = verdict;
  return {
    verdict: rest,
    indicators: indicatorVerdicts.map(({ timestamp: __, ...each }) => each),
    outcome,
    reason,
    cause,
    causes,
    coverage,
  };
}
