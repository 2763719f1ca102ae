import type { OutcomeName, Results, RunEntry } from '../model/results.ts';
import type { TraceRecord } from '../model/trace.ts';
import type { Redacted } from '../secrets/redactor.ts';
import { makeResults, type ResultsFacts } from './make-results.ts';
import type { Plan, PlannedAttack, Task } from './plan.ts';

/** Where the runs of a suite go as they finish, and its results at the end. */
export interface RunSink {
  /** The runs that have finished, in the order in which they did; also those of a process that began it. */
  readonly entries: readonly RunEntry[];
  /** The runs of an attack that have finished. */
  runsOf(attack: PlannedAttack): readonly RunEntry[];
  /**
   * The file that the trace of a run is written to while it goes on; a sink without it keeps no traces, and one that
   * names none yet is asked again.
   */
  traceFile?(task: Task): string | undefined;
  /** Hears of every record, also of those whose trace has no file yet. */
  recorded?(record: Redacted<TraceRecord>): void;
  /** Whether what has ended was a run; if not, it is neither stored nor told of. Everything is, if left out. */
  takes?(task: Task, outcome: OutcomeName): boolean;
  /** Takes a run that is complete: its trace is written. */
  add(entry: Redacted<RunEntry>): void;
  finish(facts: ResultsFacts): Promise<Results>;
  /** Takes everything away again, where nothing has finished. */
  discard(): Promise<void>;
}

/** Opens a sink before anything runs; `texts` are the sources of the plan's documents, in their order. */
export type OpenSink = (plan: Plan, texts: readonly string[]) => RunSink;

/** Runs are kept in memory, without their traces, and nothing is written. */
export const inMemory: OpenSink = (plan) => {
  const entries: RunEntry[] = [];
  return {
    entries,
    runsOf: (attack) => runsOf(entries, attack),
    add: (entry) => void entries.push(entry),
    finish: async (facts) => makeResults(plan, entries, facts),
    discard: async () => {},
  };
};

export function runsOf(
  entries: readonly RunEntry[],
  { document, agent }: PlannedAttack,
): readonly RunEntry[] {
  return entries.filter(
    (entry) => entry.agent === agent.name && entry.document.source === document.entry.source,
  );
}
