import type { Redactor } from '../secrets/redactor.ts';
import type { PlannedAttack, PlannedRun } from '../suite/plan/plan.ts';
import type { PlayedRun, SuiteObserver } from '../suite/play-suite.ts';
import { collectEvidence } from './collect-evidence.ts';
import { type KeptTrace, keepTrace } from './keep-trace.ts';
import type { ChosenAgent } from './resolve-agent.ts';
import type { AttackRun } from './result.ts';

export interface KeptRuns {
  readonly observer: SuiteObserver;
  /** The runs in the order in which they finished. */
  runsOf(attack: PlannedAttack): readonly AttackRun[];
}

/** The data collected during one try of a run. */
interface RunObservations {
  readonly trace: KeptTrace;
  /** The error that the agent threw, if it is a function and threw one. */
  thrown?: { readonly error: unknown };
}

/** Collects runs, with their traces, in the form that tests read. */
export function keepRuns(chosen: ChosenAgent, redactor: Redactor | undefined): KeptRuns {
  const seen = new Map<PlannedRun, RunObservations>();
  const runs = new Map<number, AttackRun[]>();
  return {
    observer: {
      begin(task) {
        const own: RunObservations = { trace: keepTrace() };
        seen.set(task, own);
        return {
          agent: chosen.forRun((error) => {
            // An error object cannot be rewritten, so only its redacted text is kept.
            own.thrown ??= { error: redactor?.text(String(error)) ?? error };
          }),
          record: (record) => own.trace.add(redactor?.record(record) ?? record),
        };
      },
      finished(task, played) {
        const own = seen.get(task) ?? { trace: keepTrace() };
        seen.delete(task);
        const { index } = task.attack;
        runs.set(index, [...(runs.get(index) ?? []), toRun(played, own, redactor)]);
      },
    },
    runsOf: ({ index }) => runs.get(index) ?? [],
  };
}

function toRun(
  { playable, result }: PlayedRun,
  { trace, thrown }: RunObservations,
  redactor: Redactor | undefined,
): AttackRun {
  const { judged: _, end, ...told } = result;
  const seen = { ...told, diagnostics: end.diagnostics };
  const run = redactor?.judged(seen) ?? seen;
  return {
    ...run,
    evidence: collectEvidence(playable.document, run.verdict, trace.records),
    end: end.reason,
    trace: trace.records,
    traceLeftOut: trace.leftOut,
    ...(thrown !== undefined && { thrown: thrown.error }),
  };
}
