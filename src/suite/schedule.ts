import type { Clock } from '../attack/engine/ports.ts';
import type { PlannedAttack, PlannedRun } from './plan/plan.ts';
import {
  createScheduleState,
  type ScheduleEffect,
  type ScheduleEnd,
  type ScheduleEvent,
  type ScheduleRules,
  stepSchedule,
  type TryResult,
} from './schedule-step.ts';

/** The rules of a schedule, and what it performs. The caller defines what a run is. */
export interface Schedule<R> extends ScheduleRules {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** `makeRoom` says that the run only waits from now on, so that another may begin in its place. */
  playRun(task: PlannedRun, attempt: number, makeRoom: () => void): Promise<TryResult<R>>;
  /** Called once for each run, when no further try is made. */
  storeRun(task: PlannedRun, result: R, attempts: number): void | Promise<void>;
  /** Called when no further run of an attack follows: all its repeats are finished, skipped or cancelled. */
  closeAttack?(attack: PlannedAttack): void | Promise<void>;
}

/** Runs every attack as often as asked: performs the effects of its steps. Resolves when nothing is running any more. */
export async function scheduleRuns<R>(schedule: Schedule<R>): Promise<ScheduleEnd<R>> {
  const { clock, signal } = schedule;
  const events: ScheduleEvent<R>[] = signal?.aborted
    ? [{ kind: 'interrupted' }, { kind: 'begin' }]
    : [{ kind: 'begin' }];
  let state = createScheduleState<R>(schedule, clock.now());
  let hear = (): void => {};
  let cancelWake = (): void => {};
  /** Attacks are closed one after the other. */
  let closing = Promise.resolve();

  function take(event: ScheduleEvent<R>): void {
    events.push(event);
    hear();
  }
  /** Reports how an effect ended that takes a while. */
  function follow<T>(effect: ScheduleEffect<R>, done: Promise<T>, event: (value: T) => ScheduleEvent<R>): void {
    done.then(
      (value) => take(event(value)),
      (error) => take({ kind: 'failed', error, effect }),
    );
  }

  const interrupt = (): void => take({ kind: 'interrupted' });
  signal?.addEventListener('abort', interrupt, { once: true });
  try {
    for (;;) {
      const event = events.shift();
      if (event === undefined) {
        await new Promise<void>((resolve) => {
          hear = resolve;
        });
        continue;
      }
      const step = stepSchedule(state, event, clock.now(), schedule);
      state = step.state;
      cancelWake();
      for (const effect of step.effects)
        switch (effect.kind) {
          case 'play': {
            const { run, task, attempt } = effect;
            const makeRoom = (): void => take({ kind: 'waits', run, attempt });
            follow(effect, schedule.playRun(task, attempt, makeRoom), (tried) => ({
              kind: 'tried',
              run,
              tried,
            }));
            break;
          }
          case 'store': {
            const { run, task, result, attempts } = effect;
            const stored = Promise.resolve().then(() => schedule.storeRun(task, result, attempts));
            follow(effect, stored, () => ({ kind: 'stored', run }));
            break;
          }
          case 'close': {
            const { attack, run } = effect;
            const closed = closing.then(() => schedule.closeAttack?.(attack));
            closing = closed.catch(() => {});
            follow(effect, closed, () => ({ kind: 'closed', run }));
            break;
          }
          case 'wake':
            cancelWake = clock.wakeAt(effect.at, () => take({ kind: 'woken' }));
            break;
          case 'end':
            return effect.end;
          case 'fail':
            throw effect.error;
        }
    }
  } finally {
    cancelWake();
    signal?.removeEventListener('abort', interrupt);
  }
}
