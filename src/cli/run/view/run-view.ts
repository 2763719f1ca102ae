import { join } from 'node:path';
import type { Diagnostic } from '../../../format/model/errors.ts';
import type { PlannedAttack, PlannedRun, PlayableDocument } from '../../../suite/plan/plan.ts';
import type { PlayOptions } from '../../../suite/play/play-run.ts';
import type { SuiteObserver } from '../../../suite/play-suite.ts';
import type { EvaluationReport } from '../../verdict/verdict-text.ts';
import { createStdioPlayOptions } from '../addresses/stdio-actor.ts';
import type { CommandRunSettings } from '../play/run-settings.ts';

/** A finished run, as the view shows it. */
export interface ReportedRun {
  readonly judgement: EvaluationReport;
  readonly durationMs: number;
  readonly warnings: readonly Diagnostic[];
}

export interface RunView {
  /** Returns the callbacks of the run that the view needs. */
  begin(task: PlannedRun, playable: PlayableDocument): Promise<Pick<PlayOptions, 'ready' | 'record' | 'control'>>;
  finished(task: PlannedRun, run: ReportedRun): Promise<void>;
  /** Called when an attack has no further runs. */
  closed?(attack: PlannedAttack): Promise<void>;
  /** Called after the last run. */
  ended?(): Promise<void>;
}

/** How runs are played by default. */
type Way = Pick<PlayOptions, 'modes' | 'limits'>;

/** Shows runs in the view, with secrets removed. */
export function createViewObserver(view: RunView, settings: CommandRunSettings, way: Way): SuiteObserver {
  const { values, stdio, notices, stored } = settings;
  // The view masks well-known shapes itself.
  const redactor = values.showSecrets ? undefined : settings.redactor?.withoutShapes;
  return {
    async begin(task, playable) {
      const { ready, record, control } = await view.begin(task, playable);
      return {
        ...(control !== undefined && { control }),
        ...(stdio !== undefined && createStdioPlayOptions(stdio, playable.document, way)),
        ...(ready !== undefined && { ready }),
        ...(record !== undefined && { record: (each) => record(redactor?.record(each) ?? each) }),
      };
    },
    async finished(task, run) {
      await stored?.(run.entry);
      const { durationMs, end, seed: _, usage: __, judged: ___, program: ____, ...judged } = run.result;
      const judgement: EvaluationReport = {
        document: run.playable.document,
        file: run.playable.file,
        trace: join(settings.shown, run.entry.trace),
        ...(redactor?.judged(judged) ?? judged),
        records: run.records,
        skippedLines: 0,
        twin: run.playable.twinOf !== undefined,
      };
      await view.finished(task, { judgement, durationMs, warnings: end.diagnostics });
    },
    async closed(attack) {
      await view.closed?.(attack);
    },
    async ended() {
      await view.ended?.();
    },
    async traceRemoved(_, reason) {
      await notices.write(`oatf: error: the trace could not be redacted, so it was removed: ${reason}\n`);
    },
  };
}
