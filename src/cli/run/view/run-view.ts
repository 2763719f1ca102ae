import { join } from 'node:path';
import type { Diagnostic } from '../../../model/errors.ts';
import type { PlannedAttack, Playable, Task } from '../../../suite/plan.ts';
import type { PlayOptions } from '../../../suite/play.ts';
import type { Onlooker } from '../../../suite/play-suite.ts';
import type { Judgement } from '../../verdict/judgement.ts';
import { overStdio } from '../places/stdio.ts';
import type { RunSettings } from '../play/run-settings.ts';

/** A run as it is told. */
export interface ToldRun {
  readonly judgement: Judgement;
  readonly durationMs: number;
  /** What happened in the run that people should know of. */
  readonly warnings: readonly Diagnostic[];
}

/** What is seen of runs while they go on. */
export interface RunView {
  /** Gives what shall hear of the run, where anybody looks. */
  begin(task: Task, playable: Playable): Promise<Pick<PlayOptions, 'ready' | 'record' | 'control'>>;
  finished(task: Task, run: ToldRun): Promise<void>;
  /** Called when nothing more comes of an attack. */
  closed?(attack: PlannedAttack): Promise<void>;
  /** Called when nothing more comes at all. */
  ended?(): Promise<void>;
}

/** How runs are played where nothing else is said. */
type Way = Pick<PlayOptions, 'modes' | 'limits'>;

/** Shows runs in the view, without what must not be shown. */
export function lookingOn(view: RunView, settings: RunSettings, way: Way): Onlooker {
  const { values, stdio, notices, stored } = settings;
  // Whoever shows it masks shapes.
  const redactor = values.showSecrets ? undefined : settings.redactor?.withoutShapes;
  return {
    async begin(task, playable) {
      const { ready, record, control } = await view.begin(task, playable);
      return {
        ...(control !== undefined && { control }),
        ...(stdio !== undefined && overStdio(stdio, playable.document, way)),
        ...(ready !== undefined && { ready }),
        ...(record !== undefined && {
          record: (each) => record(redactor?.record(each) ?? each),
        }),
      };
    },
    async finished(task, run) {
      await stored?.(run.entry);
      const { verdict, delivery, coverage, demand, outcome, voided, durationMs, end } = run.result;
      const judgement: Judgement = {
        document: run.playable.document,
        file: run.playable.file,
        trace: join(settings.shown, run.entry.trace),
        verdict: redactor?.judged(verdict) ?? verdict,
        delivery,
        coverage,
        demand,
        outcome: redactor?.judged(outcome) ?? outcome,
        task: redactor?.judged(run.result.task) ?? run.result.task,
        voided,
        records: run.records,
        skippedLines: 0,
        twin: run.playable.twinOf !== undefined,
      };
      await view.finished(task, { judgement, durationMs, warnings: end.diagnostics });
    },
    async closed(attack) {
      await view.closed?.(attack);
    },
    async traceRemoved(_, reason) {
      await notices.write(`oatf: error: the trace could not be redacted, so it was removed: ${reason}\n`);
    },
  };
}
