import { isSuccess, type OutcomeName, type Results, type RunEntry } from '../../format/model/results-file.ts';
import type { TraceRecord } from '../../format/model/trace-record.ts';
import type { Redacted } from '../../secrets/redactor.ts';
import type { PlannedAttack, PlannedRun, SuitePlan } from '../plan/plan.ts';
import { TraceFile } from '../play/trace-file.ts';
import { makeResults, type ResultsFacts } from './make-results.ts';

/** Takes the runs of a suite as they finish, and its results at the end. */
export interface SuiteSink {
  /** The finished runs, in the order in which they finished, including those of an earlier process. */
  readonly entries: readonly RunEntry[];
  /** The finished runs of an attack. */
  runsOf(attack: PlannedAttack): readonly RunEntry[];
  /**
   * The file for the trace of a run in progress. A sink without this function keeps no traces; one that returns
   * undefined is asked again.
   */
  traceFile?(task: PlannedRun): string | undefined;
  /** Called for every record, even when the trace has no file yet. */
  recorded?(record: Redacted<TraceRecord>): void;
  /** Whether the run that ended is to be stored; otherwise it is neither stored nor reported. Default: every run is. */
  takes?(task: PlannedRun, outcome: OutcomeName): boolean;
  /** Adds a complete run, whose trace is written. */
  add(entry: Redacted<RunEntry>): void;
  finish(facts: ResultsFacts): Promise<Results>;
  /** Deletes everything again if no run has finished. */
  discard(): Promise<void>;
}

/** Opens a sink before anything runs; `texts` are the sources of the plan's documents, in their order. */
export type OpenSuiteSink = (plan: SuitePlan, texts: readonly string[]) => SuiteSink;

/** Keeps runs in memory, without their traces, and writes nothing. */
export const createMemorySink: OpenSuiteSink = (plan) => {
  const entries: RunEntry[] = [];
  return {
    entries,
    runsOf: (attack) => selectRunsOfAttack(entries, attack),
    add: (entry) => void entries.push(entry),
    finish: async (facts) => makeResults(plan, entries, facts),
    discard: async () => {},
  };
};

export function selectRunsOfAttack(
  entries: readonly RunEntry[],
  { document, agent }: PlannedAttack,
): readonly RunEntry[] {
  return entries.filter((entry) => entry.agent === agent.name && entry.document.source === document.entry.source);
}

/**
 * A sink that is opened when a record shows that there is a run to store; until then it creates nothing. `open` returns
 * undefined when the folder is refused, and is not called again.
 */
export function createLateSink(
  open: (plan: SuitePlan, texts: readonly string[]) => SuiteSink | undefined,
  beginsRun: (record: TraceRecord) => boolean,
): OpenSuiteSink {
  return (plan, texts) => {
    let sink: SuiteSink | undefined;
    let isAsked = false;
    const heard: Redacted<TraceRecord>[] = [];

    const begin = (): void => {
      isAsked = true;
      sink = open(plan, texts);
    };
    const writeHeard = (task: PlannedRun): void => {
      const path = sink?.traceFile?.(task);
      if (path === undefined) return;
      const trace = new TraceFile(path, (reason) => {
        throw new Error(reason);
      });
      for (const record of heard) trace.write(record);
      trace.close();
    };

    return {
      get entries() {
        return sink?.entries ?? [];
      },
      runsOf: (attack) => sink?.runsOf(attack) ?? [],
      traceFile: (task) => sink?.traceFile?.(task),
      recorded(record) {
        if (isAsked) return;
        heard.push(record);
        if (beginsRun(record)) begin();
      },
      takes(task, outcome) {
        // An attack may succeed before a record shows that there is a run; such a run is stored as well.
        if (!isAsked && isSuccess({ outcome })) {
          begin();
          writeHeard(task);
        }
        return sink !== undefined;
      },
      add: (entry) => sink?.add(entry),
      async finish(facts) {
        if (sink === undefined) throw new Error('nothing was stored');
        return sink.finish(facts);
      },
      discard: async () => sink?.discard(),
    };
  };
}
