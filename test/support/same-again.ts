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

/** Verdict and outcome of a stored trace are those of the run; only when they were found differs. */
export function expectSameAgain(
  document: NormalizedDocument,
  trace: readonly TraceRecord[],
  run: Pick<TraceEvaluation, 'verdict' | 'outcome' | 'coverage'>,
): void {
  expect(timeless(evaluateTrace(document, trace))).toEqual(timeless(run));
}

function timeless({ verdict, outcome, coverage }: Pick<TraceEvaluation, 'verdict' | 'outcome' | 'coverage'>) {
  const { timestamp: _, indicatorVerdicts, ...rest } = verdict;
  return {
    verdict: rest,
    indicators: indicatorVerdicts.map(({ timestamp: __, ...each }) => each),
    outcome,
    coverage,
  };
}
