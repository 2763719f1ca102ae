import { evaluateTrace } from '../evaluate-trace.ts';
import type { RunOutcome } from '../format/model/results-file.ts';
import type { PlayableDocument } from '../suite/plan/plan.ts';
import type { AttackRun } from './result.ts';

/** The outcome of a run that was cancelled because the agent could not be reached in the runs before it. */
export function createAbsentOutcome(absence: string): RunOutcome {
  const trouble = {
    cause: 'trouble',
    reason: `not run: the agent was not there, three runs in a row: ${absence}`,
  } as const;
  return { outcome: 'inconclusive', ...trouble, causes: [trouble] };
}

/** A run that was cancelled before it began, so it has no messages. */
export function createUnbegunRun({ document }: PlayableDocument, outcome: RunOutcome): AttackRun {
  return {
    ...evaluateTrace(document, []),
    ...outcome,
    delivery: {},
    evidence: [],
    end: 'stopped',
    durationMs: 0,
    diagnostics: [],
    trace: [],
    traceLeftOut: 0,
  };
}
