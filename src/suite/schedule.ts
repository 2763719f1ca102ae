import type { Clock } from '../engine/ports.ts';
import type { NotRunReason, OutcomeName } from '../model/results.ts';
import { absencesAfter, mostAbsences } from './not-there.ts';
import type { PlannedAttack, Task } from './plan.ts';
import { createRateLimit } from './rate-limit.ts';
import { counted, nothingYet, repeatsToSettle, type Tally } from './settled.ts';

// Decides which run begins when: a limited number at once, no agent more often than allowed, no run that is not needed.
// The caller defines what a run is.

/** The result of one try of a run. */
export interface Tried<R> {
  /** `unavailable`: the run could not begin, and no other run would. */
  readonly outcome: OutcomeName | 'unavailable';
  /** Whether another try may succeed. */
  readonly isFault: boolean;
  /** The reason why the agent was absent; undefined if it was there. */
  readonly absence?: string | undefined;
  readonly result: R;
}

/** How runs follow one another. */
export interface Spacing {
  /** The number of runs at any time. Default: one. */
  readonly concurrency?: number | undefined;
  /** How often a run that failed through the infrastructure is tried again. */
  readonly retries?: number | undefined;
  /** The least time between the starts of two runs against the same agent. */
  readonly intervalMs?: number | undefined;
  /** After this time no run begins. */
  readonly budgetMs?: number | undefined;
  /** Tells, from the repeats of an attack so far, whether no more runs should begin. */
  isEnough?(attack: PlannedAttack, tally: Tally): boolean;
}

export interface Schedule<R> extends Spacing {
  readonly attacks: readonly PlannedAttack[];
  readonly repeat: number;
  /** The repeats of an attack that finished earlier. */
  done?(attack: PlannedAttack): readonly { readonly repeat: number; readonly outcome: OutcomeName }[];
  /** Whether repeats are left out once the standing of an attack is settled. */
  readonly earlyStop: boolean;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** `makeRoom` says that the run only waits from now on, so that another may begin in its place. */
  play(task: Task, attempt: number, makeRoom: () => void): Promise<Tried<R>>;
  /** Called once for each run, when no further try is made. */
  finished(task: Task, result: R, attempts: number): void | Promise<void>;
  /** Called when no further run of an attack follows: all its repeats are finished, settled or cancelled. */
  closed?(attack: PlannedAttack): void | Promise<void>;
}

export interface ScheduleEnd<R> {
  /** The reason why not everything has run; undefined when everything has. */
  readonly stopped?: NotRunReason;
  /** The try that showed that no run would begin. */
  readonly unavailable?: R;
  /** Agents that were absent several runs in a row, and why; their remaining runs were cancelled. */
  readonly absent?: ReadonlyMap<string, string>;
}

interface Room {
  make(): void;
  takeBack(): void;
}

interface AttackState {
  readonly attack: PlannedAttack;
  readonly queue: number[];
  inFlight: number;
  tally: Tally;
  isClosed: boolean;
}

/** The most runs that wait at a time, because each has ports and connections. */
const mostWaiting = 128;

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/** Runs every attack as often as asked. Resolves when nothing is running any more. */
export function scheduleRuns<R>(options: Schedule<R>): Promise<ScheduleEnd<R>> {
  const { clock, signal, repeat, retries = 0, concurrency = 1 } = options;
  const limit = createRateLimit(options.intervalMs ?? 0);
  const deadline = clock.now() + (options.budgetMs ?? Number.POSITIVE_INFINITY);
  const states = options.attacks.map((attack) => begin(attack, options));
  const pauses = new Set<() => void>();
  let first = 0;
  let inFlight = 0;
  /** The runs in flight that only wait. */
  let waiting = 0;
  let isOver = false;
  let stopped: NotRunReason | undefined;
  let unavailable: R | undefined;
  let thrown: { readonly error: unknown } | undefined;
  const absences = new Map<string, number>();
  const absent = new Map<string, string>();
  let callOff = (): void => {};

  return new Promise<ScheduleEnd<R>>((resolve, reject) => {
    const interrupt = (): void => stop('interrupted');
    signal?.addEventListener('abort', interrupt, { once: true });
    if (signal?.aborted) stopped = 'interrupted';
    start().catch(reject);

    /** Attacks that are already finished are closed at once. */
    async function start(): Promise<void> {
      for (const state of states) if (!isOpen(state)) await close(state);
      await pump();
    }

    function stop(reason: NotRunReason): void {
      stopped ??= reason;
      for (const wake of [...pauses]) wake();
      goOn();
    }

    function goOn(): void {
      pump().catch(reject);
    }

    async function pump(): Promise<void> {
      callOff();
      for (;;) {
        if (stopped === undefined && clock.now() >= deadline && states.some(isDue)) stopped = 'budget';
        if (stopped !== undefined || inFlight - waiting >= concurrency) break;
        const next = pick();
        if (next === undefined) break;
        if (typeof next === 'number') {
          callOff = clock.wakeAt(Math.min(next, deadline), goOn);
          break;
        }
        perform(next).catch(reject);
      }
      const isDone = stopped !== undefined || !states.some(isDue);
      if (isOver || inFlight > 0 || !isDone) return;
      isOver = true;
      signal?.removeEventListener('abort', interrupt);
      if (thrown !== undefined) return reject(thrown.error);
      for (const state of states) await close(state);
      resolve({
        ...(stopped !== undefined && states.some(isDue) && { stopped }),
        ...(unavailable !== undefined && { unavailable }),
        ...(absent.size > 0 && { absent }),
      });
    }

    /** An agent that is absent several times in a row is not tried again. */
    function noteAbsence(name: string, outcome: OutcomeName, absence: string | undefined): void {
      const inRow = absencesAfter(absences.get(name) ?? 0, absence !== undefined, outcome);
      absences.set(name, inRow);
      if (absence !== undefined && inRow >= mostAbsences) absent.set(name, absence);
    }

    /** Closes the attacks on agents that were given up, if none of their runs is in flight. */
    async function closeAbsent(): Promise<void> {
      for (const state of states)
        if (absent.has(state.attack.agent.name) && state.inFlight === 0) await close(state);
    }

    function isDue(state: AttackState): boolean {
      return isOpen(state) && !absent.has(state.attack.agent.name);
    }

    /** Picks the next run that may begin; or the time at which one may, if its agent must not be visited yet. */
    function pick(): AttackState | number | undefined {
      let soonest: number | undefined;
      for (let head = states[first]; head !== undefined && !isDue(head); head = states[first]) first += 1;
      for (let at = first; at < states.length; at++) {
        const state = states[at];
        if (state === undefined || !isDue(state) || !mayBegin(state)) continue;
        const ready = limit.readyAt(state.attack.agent.name);
        if (ready <= clock.now()) return state;
        soonest = Math.min(soonest ?? ready, ready);
      }
      return soonest;
    }

    function mayBegin({ attack, tally, inFlight: own }: AttackState): boolean {
      const maxRate = settling(attack, options);
      return maxRate === undefined || own < repeatsToSettle(tally, maxRate, repeat);
    }

    async function perform(state: AttackState): Promise<void> {
      const task: Task = { attack: state.attack, repeat: state.queue.shift() ?? 0 };
      inFlight += 1;
      state.inFlight += 1;
      limit.take(state.attack.agent.name, clock.now());
      const room = roomFor();
      try {
        const { tried, attempts } = await persist(task, room);
        if (tried.outcome === 'unavailable') {
          unavailable ??= tried.result;
          stopped ??= 'unavailable';
          state.queue.unshift(task.repeat);
        } else {
          state.tally = counted(state.tally, tried.outcome);
          if (isSettledNow(state, options)) state.queue.length = 0;
          await options.finished(task, tried.result, attempts);
          noteAbsence(task.attack.agent.name, tried.outcome, tried.absence);
          if (options.isEnough?.(state.attack, state.tally)) stopped ??= 'fail_fast';
        }
        if (!isOpen(state) && state.inFlight === 1) await close(state);
      } catch (error) {
        thrown ??= { error };
        stopped ??= 'interrupted';
      }
      room.takeBack();
      state.inFlight -= 1;
      if (absent.has(state.attack.agent.name)) await closeAbsent();
      // This comes last: with nothing in flight the suite may be over.
      inFlight -= 1;
      await pump();
    }

    /**
     * The slot of a run. While the run only waits, its slot goes to the next run. With a concurrency of one, slots are
     * never passed on.
     */
    function roomFor(): Room {
      let isGiven = false;
      return {
        make() {
          if (isGiven || concurrency === 1 || waiting >= mostWaiting) return;
          isGiven = true;
          waiting += 1;
          goOn();
        },
        takeBack() {
          if (isGiven) waiting -= 1;
          isGiven = false;
        },
      };
    }

    async function persist(
      task: Task,
      room: Room,
    ): Promise<{ readonly tried: Tried<R>; readonly attempts: number }> {
      for (let attempt = 1; ; attempt++) {
        const tried = await options.play(task, attempt, room.make);
        room.takeBack();
        const isLast = attempt > retries || stopped !== undefined || absent.has(task.attack.agent.name);
        if (!tried.isFault || isLast) return { tried, attempts: attempt };
        await pause(Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs), task.attack.agent.name);
        if (stopped !== undefined) return { tried, attempts: attempt };
      }
    }

    /** Waits before another try. The rate limit of the agent applies to retries, too. */
    async function pause(milliseconds: number, agent: string): Promise<void> {
      const until = limit.take(agent, clock.now() + milliseconds);
      await new Promise<void>((wake) => {
        const cancel = clock.wakeAt(until, done);
        pauses.add(done);
        function done(): void {
          cancel();
          pauses.delete(done);
          wake();
        }
      });
    }

    async function close(state: AttackState): Promise<void> {
      if (state.isClosed) return;
      state.isClosed = true;
      await options.closed?.(state.attack);
    }
  });
}

function begin<R>(attack: PlannedAttack, options: Schedule<R>): AttackState {
  const done = options.done?.(attack) ?? [];
  const repeats = new Set(done.map(({ repeat }) => repeat));
  const all = Array.from({ length: options.repeat }, (_, index) => index + 1);
  const state: AttackState = {
    attack,
    queue: all.filter((each) => !repeats.has(each)),
    inFlight: 0,
    tally: done.reduce((tally, { outcome }) => counted(tally, outcome), nothingYet),
    isClosed: false,
  };
  if (isSettledNow(state, options)) state.queue.length = 0;
  return state;
}

function isOpen({ queue }: AttackState): boolean {
  return queue.length > 0;
}

/** The rate by which an attack can be settled early; undefined if it cannot. */
function settling<R>({ document }: PlannedAttack, { earlyStop }: Schedule<R>): number | undefined {
  return earlyStop ? document.max_rate : undefined;
}

function isSettledNow<R>({ attack, tally }: AttackState, options: Schedule<R>): boolean {
  const maxRate = settling(attack, options);
  return maxRate !== undefined && repeatsToSettle(tally, maxRate, options.repeat) === 0;
}
