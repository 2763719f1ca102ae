import type { NotRunReason, OutcomeName } from '../format/model/results-file.ts';
import { failUnreachable } from '../format/model/value.ts';
import {
  type AttackRepeats,
  addRepeat,
  beginAttacks,
  dropNeedless,
  isOpen,
  isPairKnown,
  mayBegin,
  type RepeatRules,
} from './attack-repeats.ts';
import type { PlannedAttack, PlannedRun } from './plan/plan.ts';
import { bookVisit, findNextVisit, type NextVisits } from './plan/rate-limit.ts';
import type { RepeatTally } from './statistics/decided-early.ts';
import { isTwin } from './statistics/statistics.ts';
import { countAbsences, mostAbsences } from './store/absent-agents.ts';

// Decides which run begins when: a limited number at once, no agent more often than allowed, no run that is not needed.
// There is no clock and no wait inside: time comes in with each event, and what has to be done goes out as effects.

export interface TryResult<R> {
  /** `unavailable`: the run could not begin, and no other run would. */
  readonly outcome: OutcomeName | 'unavailable';
  /** Whether an indicator matched, at whatever tier. Default: if the outcome is a success. */
  readonly isMatch?: boolean | undefined;
  /** Whether another try may succeed. */
  readonly isFault: boolean;
  /** The reason why the agent was absent; undefined if it was there. */
  readonly absence?: string | undefined;
  readonly result: R;
}

/** How runs follow one another. */
export interface RunSpacing {
  /** The number of runs at any time. Default: one. */
  readonly concurrency?: number | undefined;
  /** How often a run that failed through the infrastructure is tried again. */
  readonly retries?: number | undefined;
  /** The least time between the starts of two runs against the same agent. */
  readonly intervalMs?: number | undefined;
  /** After this time no run begins. */
  readonly budgetMs?: number | undefined;
  /**
   * Tells, from the repeats of an attack so far, whether no more runs should begin. If the benign twin of an attack with a
   * match is played too, it is asked once that is over.
   */
  isEnough?(attack: PlannedAttack, tally: RepeatTally): boolean;
}

/** The runs of a suite, and the rules by which they begin. */
export interface ScheduleRules extends RunSpacing, RepeatRules {}

export interface ScheduleEnd<R> {
  /** The reason why not everything has run; undefined when everything has. */
  readonly stopped?: NotRunReason;
  /** The try that showed that no run would begin. */
  readonly unavailable?: R;
  /** Agents that were absent several runs in a row, and why; their remaining runs were cancelled. */
  readonly absent?: ReadonlyMap<string, string>;
}

/** What happens to a schedule. `run` is the number of a run in flight. */
export type ScheduleEvent<R> =
  | { readonly kind: 'begin' }
  | { readonly kind: 'interrupted' }
  /** The time of the last `wake` has come. */
  | { readonly kind: 'woken' }
  /** The run only waits from now on, so that another may begin in its place. */
  | { readonly kind: 'waits'; readonly run: number; readonly attempt: number }
  | { readonly kind: 'tried'; readonly run: number; readonly tried: TryResult<R> }
  | { readonly kind: 'stored'; readonly run: number }
  /** The effect `close` is done; `run` is the run that waited for it. */
  | { readonly kind: 'closed'; readonly run?: number | undefined }
  /** An effect threw. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly effect: ScheduleEffect<R> };

export type ScheduleEffect<R> =
  | { readonly kind: 'play'; readonly run: number; readonly task: PlannedRun; readonly attempt: number }
  | {
      readonly kind: 'store';
      readonly run: number;
      readonly task: PlannedRun;
      readonly result: R;
      readonly attempts: number;
    }
  /** No further run of the attack follows. */
  | { readonly kind: 'close'; readonly attack: PlannedAttack; readonly run?: number | undefined }
  /** Asks for `woken` at this time; it replaces any earlier request. */
  | { readonly kind: 'wake'; readonly at: number }
  | { readonly kind: 'end'; readonly end: ScheduleEnd<R> }
  | { readonly kind: 'fail'; readonly error: unknown };

interface RunInFlight<R> {
  /** The index of its attack in the list. */
  readonly at: number;
  readonly task: PlannedRun;
  readonly attempt: number;
  /** Whether it only waits, and has given its slot to another run. */
  readonly isWaiting: boolean;
  /** The pause before another try, with the result of the last one. */
  readonly pause?: { readonly until: number; readonly tried: TryResult<R> } | undefined;
  readonly tried?: TryResult<R> | undefined;
  /** The number of attacks whose closing it waits for. */
  readonly closing: number;
}

export interface ScheduleState<R> {
  /** `opening`: attacks that finished earlier are being closed. `closing`: nothing runs any more. */
  readonly stage: 'new' | 'opening' | 'playing' | 'closing' | 'over';
  readonly attacks: readonly AttackRepeats[];
  /** No attack before this one has a run left. */
  readonly first: number;
  readonly runs: ReadonlyMap<number, RunInFlight<R>>;
  readonly nextRun: number;
  readonly deadline: number;
  readonly visits: NextVisits;
  /** For each agent, in how many runs in a row it was absent. */
  readonly absences: ReadonlyMap<string, number>;
  readonly absent: ReadonlyMap<string, string>;
  /** The number of attacks that are being closed. */
  readonly closing: number;
  readonly stopped?: NotRunReason | undefined;
  readonly unavailable?: R | undefined;
  readonly fault?: { readonly error: unknown } | undefined;
}

export interface ScheduleStep<R> {
  readonly state: ScheduleState<R>;
  readonly effects: readonly ScheduleEffect<R>[];
}

/** The most runs that wait at a time, because each has ports and connections. */
const mostWaiting = 128;

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

/** The state before the first event. */
export function createScheduleState<R>(rules: ScheduleRules, now: number): ScheduleState<R> {
  return {
    stage: 'new',
    attacks: beginAttacks(rules),
    first: 0,
    runs: new Map(),
    nextRun: 1,
    deadline: now + (rules.budgetMs ?? Number.POSITIVE_INFINITY),
    visits: new Map(),
    absences: new Map(),
    absent: new Map(),
    closing: 0,
  };
}

/** A copy of the state that one step changes. */
type Work<R> = { -readonly [K in keyof ScheduleState<R>]: ScheduleState<R>[K] } & {
  readonly attacks: AttackRepeats[];
  readonly runs: Map<number, RunInFlight<R>>;
  readonly visits: Map<string, number>;
  readonly absences: Map<string, number>;
  readonly absent: Map<string, string>;
  readonly effects: ScheduleEffect<R>[];
  readonly rules: ScheduleRules;
  readonly now: number;
};

/** Applies an event to a schedule. */
export function stepSchedule<R>(
  state: ScheduleState<R>,
  event: ScheduleEvent<R>,
  now: number,
  rules: ScheduleRules,
): ScheduleStep<R> {
  const work: Work<R> = {
    ...state,
    attacks: [...state.attacks],
    runs: new Map(state.runs),
    visits: new Map(state.visits),
    absences: new Map(state.absences),
    absent: new Map(state.absent),
    effects: [],
    rules,
    now,
  };
  handle(work, event);
  goOn(work);
  const { effects, rules: _, now: __, ...next } = work;
  return { state: next, effects };
}

function handle<R>(work: Work<R>, event: ScheduleEvent<R>): void {
  switch (event.kind) {
    case 'begin':
      work.stage = 'opening';
      for (const [at, attack] of work.attacks.entries()) if (!isOpen(attack)) closeAttack(work, at);
      break;
    case 'interrupted':
      work.stopped ??= 'interrupted';
      for (const [id, { pause }] of work.runs) if (pause !== undefined) conclude(work, id, pause.tried);
      break;
    case 'woken':
      for (const [id, { pause }] of work.runs)
        if (pause !== undefined && pause.until <= work.now) tryAgain(work, id, pause.tried);
      break;
    case 'waits':
      giveSlot(work, event.run, event.attempt);
      break;
    case 'tried':
      takeTry(work, event.run, event.tried);
      break;
    case 'stored':
      takeStored(work, event.run);
      break;
    case 'closed':
      takeClosed(work, event.run);
      break;
    case 'failed':
      takeFailure(work, event);
      break;
    default:
      failUnreachable(event);
  }
}

/** Begins the runs that may begin now, and ends the schedule once nothing is left. */
function goOn<R>(work: Work<R>): void {
  if (work.stage === 'opening' && work.closing === 0) work.stage = 'playing';
  if (work.stage === 'playing') beginRuns(work);
  if (work.stage !== 'closing' || work.closing > 0) return;
  work.stage = 'over';
  const { stopped, unavailable, absent, fault } = work;
  if (fault !== undefined) work.effects.push({ kind: 'fail', error: fault.error });
  else
    work.effects.push({
      kind: 'end',
      end: {
        ...(stopped !== undefined && hasDue(work) && { stopped }),
        ...(unavailable !== undefined && { unavailable }),
        ...(absent.size > 0 && { absent }),
      },
    });
}

function beginRuns<R>(work: Work<R>): void {
  const { now, deadline, rules } = work;
  let wakeAt = Math.min(...[...work.runs.values()].map(({ pause }) => pause?.until ?? Number.POSITIVE_INFINITY));
  for (;;) {
    if (work.stopped === undefined && now >= deadline && hasDue(work)) work.stopped = 'budget';
    if (work.stopped !== undefined || countBusy(work) >= (rules.concurrency ?? 1)) break;
    const next = pickNext(work);
    if (next === undefined) break;
    if ('readyAt' in next) {
      wakeAt = Math.min(wakeAt, next.readyAt, deadline);
      break;
    }
    beginRun(work, next.at);
  }
  if (wakeAt < Number.POSITIVE_INFINITY) work.effects.push({ kind: 'wake', at: wakeAt });
  if (work.runs.size > 0 || (work.stopped === undefined && hasDue(work))) return;
  work.stage = 'closing';
  if (work.fault === undefined) for (const at of work.attacks.keys()) closeAttack(work, at);
}

/** The number of runs in flight that have not given their slot to another. */
function countBusy<R>({ runs }: Work<R>): number {
  return runs.size - countWaiting(runs);
}

function countWaiting<R>(runs: ReadonlyMap<number, RunInFlight<R>>): number {
  let waiting = 0;
  for (const { isWaiting } of runs.values()) if (isWaiting) waiting += 1;
  return waiting;
}

/** Picks the attack whose next run may begin; or the time at which one may, if its agent must not be visited yet. */
function pickNext<R>(work: Work<R>): { readonly at: number } | { readonly readyAt: number } | undefined {
  const { attacks, visits, now } = work;
  let soonest: number | undefined;
  for (let head = attacks[work.first]; head && !isDue(work, head); head = attacks[work.first]) work.first += 1;
  for (let at = work.first; at < attacks.length; at++) {
    const state = attacks[at];
    if (state === undefined || !isDue(work, state) || !mayBegin(attacks, state, work.rules)) continue;
    const readyAt = findNextVisit(visits, state.attack.agent.name);
    if (readyAt <= now) return { at };
    soonest = Math.min(soonest ?? readyAt, readyAt);
  }
  return soonest === undefined ? undefined : { readyAt: soonest };
}

function beginRun<R>(work: Work<R>, at: number): void {
  const state = work.attacks[at];
  const repeat = state?.queue[0];
  if (state === undefined || repeat === undefined) return;
  const task: PlannedRun = { attack: state.attack, repeat };
  const run = work.nextRun;
  work.nextRun += 1;
  work.attacks[at] = { ...state, queue: state.queue.slice(1), inFlight: state.inFlight + 1 };
  work.runs.set(run, { at, task, attempt: 1, isWaiting: false, closing: 0 });
  bookVisit(work.visits, state.attack.agent.name, work.now, work.rules.intervalMs ?? 0);
  work.effects.push({ kind: 'play', run, task, attempt: 1 });
}

/** With a concurrency of one, slots are never passed on. */
function giveSlot<R>(work: Work<R>, id: number, attempt: number): void {
  const run = work.runs.get(id);
  // A try that is over has no slot to give.
  if (run === undefined || run.attempt !== attempt || run.pause !== undefined || run.tried !== undefined) return;
  if ((work.rules.concurrency ?? 1) === 1 || countWaiting(work.runs) >= mostWaiting) return;
  work.runs.set(id, { ...run, isWaiting: true });
}

function takeTry<R>(work: Work<R>, id: number, tried: TryResult<R>): void {
  const run = work.runs.get(id);
  if (run === undefined) return;
  const { attempt, task } = run;
  const agent = task.attack.agent.name;
  const isLast = attempt > (work.rules.retries ?? 0) || work.stopped !== undefined || work.absent.has(agent);
  if (!tried.isFault || isLast) {
    conclude(work, id, tried);
    return;
  }
  // The rate limit of the agent applies to retries, too.
  const earliest = work.now + Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs);
  const until = bookVisit(work.visits, agent, earliest, work.rules.intervalMs ?? 0);
  work.runs.set(id, { ...run, isWaiting: false, pause: { until, tried } });
}

function tryAgain<R>(work: Work<R>, id: number, tried: TryResult<R>): void {
  const run = work.runs.get(id);
  if (run === undefined) return;
  if (work.stopped !== undefined) {
    conclude(work, id, tried);
    return;
  }
  const attempt = run.attempt + 1;
  work.runs.set(id, { ...run, attempt, pause: undefined });
  work.effects.push({ kind: 'play', run: id, task: run.task, attempt });
}

/** No further try of the run is made. */
function conclude<R>(work: Work<R>, id: number, tried: TryResult<R>): void {
  const run = work.runs.get(id);
  const state = run && work.attacks[run.at];
  if (run === undefined || state === undefined) return;
  work.runs.set(id, { ...run, isWaiting: false, pause: undefined, tried });
  if (tried.outcome === 'unavailable') {
    work.unavailable ??= tried.result;
    work.stopped ??= 'unavailable';
    work.attacks[run.at] = { ...state, queue: [run.task.repeat, ...state.queue] };
    leave(work, id);
    return;
  }
  work.attacks[run.at] = addRepeat(state, { outcome: tried.outcome, isMatch: tried.isMatch });
  work.attacks[run.at] = dropNeedless(work.attacks, run.at, work.rules);
  const { task, attempt } = run;
  work.effects.push({ kind: 'store', run: id, task, result: tried.result, attempts: attempt });
}

function takeStored<R>(work: Work<R>, id: number): void {
  const run = work.runs.get(id);
  const state = run && work.attacks[run.at];
  const { tried } = run ?? {};
  if (state === undefined || tried === undefined || tried.outcome === 'unavailable') return;
  noteAbsence(work, state.attack.agent.name, tried.outcome, tried.absence);
  if (isEnough(work, state)) work.stopped ??= 'fail_fast';
  leave(work, id);
}

/** Asks about the attack of a stored run, and if that was a benign twin, about the attack to which it belongs. */
function isEnough<R>({ rules, attacks }: Work<R>, state: AttackRepeats): boolean {
  const partner = isTwin(state.attack) && state.partner !== undefined ? attacks[state.partner] : undefined;
  const asked = [state, ...(partner === undefined ? [] : [partner])];
  return asked.some(
    (each) =>
      isPairKnown(attacks, each, each === partner ? 1 : 0) && rules.isEnough?.(each.attack, each.tally) === true,
  );
}

/** An agent that is absent several times in a row is not tried again. */
function noteAbsence<R>(work: Work<R>, agent: string, outcome: OutcomeName, absence: string | undefined): void {
  const inRow = countAbsences(work.absences.get(agent) ?? 0, absence !== undefined, outcome);
  work.absences.set(agent, inRow);
  if (absence !== undefined && inRow >= mostAbsences) work.absent.set(agent, absence);
}

/** Ends a run, after closing the attacks that have no further run: its own, and those on an agent that was given up. */
function leave<R>(work: Work<R>, id: number): void {
  const run = work.runs.get(id);
  if (run === undefined) return;
  const isGivenUp = work.absent.has(run.task.attack.agent.name);
  const partner = endWaiting(work, run.at);
  const others = isGivenUp ? [...work.attacks.keys()] : partner;
  const closing = [run.at, ...others.filter((at) => at !== run.at)].filter((at) => {
    const state = work.attacks[at];
    const isOver = state !== undefined && (!isOpen(state) || work.absent.has(state.attack.agent.name));
    return isOver && !state.isClosed && state.inFlight === (at === run.at ? 1 : 0);
  });
  for (const at of closing) closeAttack(work, at, id);
  if (closing.length === 0) remove(work, id);
  else work.runs.set(id, { ...run, closing: closing.length });
}

/** An attack may have waited for the last run of its benign twin. */
function endWaiting<R>(work: Work<R>, at: number): readonly number[] {
  const own = work.attacks[at];
  if (own?.partner === undefined) return [];
  const after = work.attacks.with(at, { ...own, inFlight: own.inFlight - 1 });
  work.attacks[own.partner] = dropNeedless(after, own.partner, work.rules);
  return [own.partner];
}

function takeClosed<R>(work: Work<R>, id: number | undefined): void {
  work.closing -= 1;
  const run = id === undefined ? undefined : work.runs.get(id);
  if (id === undefined || run === undefined) return;
  if (run.closing <= 1) remove(work, id);
  else work.runs.set(id, { ...run, closing: run.closing - 1 });
}

/** The runs in flight end as usual, and then the error is thrown. */
function takeFailure<R>(work: Work<R>, { error, effect }: Extract<ScheduleEvent<R>, { kind: 'failed' }>): void {
  work.fault ??= { error };
  work.stopped ??= 'interrupted';
  if (effect.kind === 'close') takeClosed(work, effect.run);
  else if (effect.kind === 'play' || effect.kind === 'store') remove(work, effect.run);
}

function remove<R>(work: Work<R>, id: number): void {
  const run = work.runs.get(id);
  const state = run && work.attacks[run.at];
  work.runs.delete(id);
  if (run !== undefined && state !== undefined) work.attacks[run.at] = { ...state, inFlight: state.inFlight - 1 };
}

function closeAttack<R>(work: Work<R>, at: number, run?: number): void {
  const state = work.attacks[at];
  if (state === undefined || state.isClosed) return;
  work.attacks[at] = { ...state, isClosed: true };
  work.closing += 1;
  work.effects.push({ kind: 'close', attack: state.attack, run });
}

function isDue<R>({ absent }: Work<R>, state: AttackRepeats): boolean {
  return isOpen(state) && !absent.has(state.attack.agent.name);
}

function hasDue<R>(work: Work<R>): boolean {
  return work.attacks.some((state) => isDue(work, state));
}
