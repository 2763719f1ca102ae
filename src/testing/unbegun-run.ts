import { evaluateTrace } from '../evaluate-trace.ts';
import type { RunOutcome } from '../judge/outcome.ts';
import type { Playable } from '../suite/plan.ts';
import type { AttackRun } from './result.ts';

/** The outcome of a run that was cancelled because the agent could not be reached in the runs before it. */
export function notThere(absence: string): RunOutcome {
  const trouble = {
    cause: 'trouble',
    reason: `not run: the agent was not there, three runs in a row: ${absence}`,
  } as const;
  return { outcome: 'inconclusive', ...trouble, causes: [trouble] };
}

/** A run that was cancelled before it began, so it has no messages. */
export function unbegunRun({ document }: Playable, outcome: RunOutcome): AttackRun {
  const { verdict, coverage, task } = evaluateTrace(document, []);
  return {
    ...outcome,
    task,
    verdict,
    evidence: [],
    coverage,
    delivery: {},
    end: 'stopped',
    durationMs: 0,
    diagnostics: [],
    trace: [],
    traceLeftOut: 0,
  };
}
