import type { PlannedAttack, Task } from '../suite/plan.ts';
import type { Onlooker, PlayedRun } from '../suite/play-suite.ts';
import type { ChosenAgent } from './agents.ts';
import { evidenceIn } from './evidence.ts';
import { type KeptTrace, keepTrace } from './keep-trace.ts';
import type { AttackRun } from './result.ts';

export interface KeptRuns {
  readonly onlooker: Onlooker;
  /** In the order in which they finished. */
  runsOf(attack: PlannedAttack): readonly AttackRun[];
}

/** What is seen of one try of a run. */
interface Seen {
  readonly trace: KeptTrace;
  /** What the agent has thrown, where it is a function and has. */
  thrown?: { readonly error: unknown };
}

/** Runs as tests look at them, with their messages. */
export function keepRuns(chosen: ChosenAgent): KeptRuns {
  const seen = new Map<Task, Seen>();
  const runs = new Map<number, AttackRun[]>();
  return {
    onlooker: {
      begin(task) {
        const own: Seen = { trace: keepTrace() };
        seen.set(task, own);
        return {
          agent: chosen.forRun((error) => {
            own.thrown ??= { error };
          }),
          record: own.trace.add,
        };
      },
      finished(task, played) {
        const { trace, thrown } = seen.get(task) ?? { trace: keepTrace() };
        seen.delete(task);
        const { index } = task.attack;
        runs.set(index, [...(runs.get(index) ?? []), toRun(played, trace, thrown)]);
      },
    },
    runsOf: ({ index }) => runs.get(index) ?? [],
  };
}

function toRun({ playable, result }: PlayedRun, trace: KeptTrace, thrown: Seen['thrown']): AttackRun {
  const { verdict, delivery, outcome, end, durationMs, usage, program } = result;
  return {
    outcome: outcome.outcome,
    ...('reason' in outcome && { reason: outcome.reason }),
    verdict,
    evidence: evidenceIn(playable.document, verdict, trace.records),
    delivery,
    end: end.reason,
    durationMs,
    ...(usage !== undefined && { usage }),
    ...(program !== undefined && { program }),
    diagnostics: end.diagnostics,
    trace: trace.records,
    traceLeftOut: trace.leftOut,
    ...(thrown !== undefined && { thrown: thrown.error }),
  };
}
