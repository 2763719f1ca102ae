import { evaluateTrace } from '../evaluate-trace.ts';
import type { Playable } from '../suite/plan.ts';
import { cancelled } from './cancelled.ts';
import type { AttackRun } from './result.ts';

/** A run that was cancelled before it began: nothing was said, so there is nothing to see. */
export function unbegunRun({ document }: Playable, signal = AbortSignal.abort()): AttackRun {
  const { verdict, coverage } = evaluateTrace(document, []);
  return {
    ...cancelled(signal),
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
