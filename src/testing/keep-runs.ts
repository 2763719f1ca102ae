import type { Redactor } from '../secrets/redactor.ts';
import type { PlannedAttack, Task } from '../suite/plan.ts';
import type { Onlooker, PlayedRun } from '../suite/play-suite.ts';
import type { ChosenAgent } from './agents.ts';
import { evidenceIn } from './evidence.ts';
import { type KeptTrace, keepTrace } from './keep-trace.ts';
import type { AttackRun } from './result.ts';

export interface KeptRuns {
  readonly onlooker: Onlooker;
  /** The runs in the order in which they finished. */
  runsOf(attack: PlannedAttack): readonly AttackRun[];
}

/** The data collected during one try of a run. */
interface Seen {
  readonly trace: KeptTrace;
  /** The error that the agent threw, if it is a function and threw one. */
  thrown?: { readonly error: unknown };
}

/** Collects runs, with their traces, in the form that tests read. */
export function keepRuns(chosen: ChosenAgent, redactor: Redactor | undefined): KeptRuns {
  const seen = new Map<Task, Seen>();
  const runs = new Map<number, AttackRun[]>();
  return {
    onlooker: {
      begin(task) {
        const own: Seen = { trace: keepTrace() };
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
  { trace, thrown }: Seen,
  redactor: Redactor | undefined,
): AttackRun {
  const { end, durationMs, usage, seed } = result;
  const told = <T extends object>(judged: T): T => redactor?.judged(judged) ?? judged;
  const { verdict, outcome, task, coverage, delivery, program, diagnostics } = told({
    verdict: result.verdict,
    outcome: result.outcome,
    task: result.task,
    coverage: result.coverage,
    delivery: result.delivery,
    program: result.program,
    diagnostics: end.diagnostics,
  });
  return {
    ...outcome,
    task,
    ...(result.tier !== undefined && { tier: result.tier }),
    verdict,
    evidence: evidenceIn(playable.document, verdict, trace.records),
    coverage,
    delivery,
    end: end.reason,
    durationMs,
    ...(seed !== undefined && { seed }),
    ...(usage !== undefined && { usage }),
    ...(program !== undefined && { program }),
    diagnostics,
    trace: trace.records,
    traceLeftOut: trace.leftOut,
    ...(thrown !== undefined && { thrown: thrown.error }),
  };
}
