import type { TraceRecord } from '../model/trace.ts';
import type { Redacted } from '../secrets/redactor.ts';
import type { SuitePlan, Task } from './plan.ts';
import type { OpenSink, RunSink } from './sink.ts';
import { TraceFile } from './trace-file.ts';

/**
 * A sink that is opened when a record shows that there is a run to store; until then it creates nothing. `open` returns
 * undefined when the folder is refused, and is not called again.
 */
export function openedLate(
  open: (plan: SuitePlan, texts: readonly string[]) => RunSink | undefined,
  beginsRun: (record: TraceRecord) => boolean,
): OpenSink {
  return (plan, texts) => {
    let sink: RunSink | undefined;
    let isAsked = false;
    const heard: Redacted<TraceRecord>[] = [];

    const begin = (): void => {
      isAsked = true;
      sink = open(plan, texts);
    };
    const writeHeard = (task: Task): void => {
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
        // An attack may succeed before any record began the run; such a run is stored as well.
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
