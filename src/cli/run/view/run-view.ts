import { join } from 'node:path';
import type { Diagnostic } from '../../../model/errors.ts';
import type { PlannedAttack, Playable, Task } from '../../../suite/plan.ts';
import type { PlayOptions } from '../../../suite/play.ts';
import type { Onlooker } from '../../../suite/play-suite.ts';
import type { EvaluationReport } from '../../verdict/judgement.ts';
import { overStdio } from '../places/stdio.ts';
import type { RunSettings } from '../play/run-settings.ts';

/** A finished run, as the view shows it. */
export interface ToldRun {
  readonly judgement: EvaluationReport;
  readonly durationMs: number;
  /** Warnings from the run. */
  readonly warnings: readonly Diagnostic[];
}

/** The view of runs while they go on. */
export interface RunView {
  /** Returns the callbacks of the run that the view needs. */
  begin(task: Task, playable: Playable): Promise<Pick<PlayOptions, 'ready' | 'record' | 'control'>>;
  finished(task: Task, run: ToldRun): Promise<void>;
  /** Called when an attack has no further runs. */
  closed?(attack: PlannedAttack): Promise<void>;
  /** Called after the last run. */
  ended?(): Promise<void>;
}

/** The default way to play runs. */
type Way = Pick<PlayOptions, 'modes' | 'limits'>;

/** Shows runs in the view, with secrets removed. */
export function lookingOn(view: RunView, settings: RunSettings, way: Way): Onlooker {
  const { values, stdio, notices, stored } = settings;
  // The view masks well-known shapes itself.
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
      const judgement: EvaluationReport = {
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
