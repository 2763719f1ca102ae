import type { TraceRecord } from '../../format/model/trace-record.ts';
import type { Redacted } from '../../secrets/redactor.ts';
import type { PlannedRun, SuitePlan } from '../plan/plan.ts';
import { TraceFile } from '../play/trace-file.ts';
import type { OpenSuiteSink, SuiteSink } from './run-sink.ts';

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
        if (!isAsked && (outcome === 'exploited' || outcome === 'partial')) {
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
