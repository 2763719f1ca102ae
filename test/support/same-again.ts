import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import {
  evaluateTrace,
  type NormalizedDocument,
  readRecord,
  type TraceEvaluation,
  type TraceRecord,
} from '../../src/index.ts';

/** The records of a stored trace. */
export function readTrace(path: string, document: NormalizedDocument): readonly TraceRecord[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const read = readRecord(JSON.parse(line), document);
      if (!read.ok) throw new Error(`${path}: ${read.message}`);
      return read.record;
    });
}

type Judged = Pick<TraceEvaluation, 'verdict' | 'outcome' | 'coverage'>;

/** Verdict and outcome of a stored trace are those of the run. */
export function expectSameAgain(
  document: NormalizedDocument,
  trace: readonly TraceRecord[],
  run: Judged,
): void {
  expectSame(evaluateTrace(document, trace), run);
}

/** Only when they were found may differ. */
export function expectSame(again: Judged, run: Judged): void {
  expect(timeless(again)).toEqual(timeless(run));
}

function timeless({ verdict, outcome, coverage }: Judged) {
  const { timestamp: _, indicatorVerdicts, ...rest } = verdict;
  return {
    verdict: rest,
    indicators: indicatorVerdicts.map(({ timestamp: __, ...each }) => each),
    outcome,
    coverage,
  };
}
