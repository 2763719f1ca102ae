import { rmSync } from 'node:fs';
import type { AgentUnderTest } from '../agents/adapters/agent-under-test.ts';
import type { Clock } from '../attack/engine/ports.ts';
import { systemClock } from '../attack/transport/clock.ts';
import {
  type Comparison,
  isSuccess,
  type NotRunReason,
  type Results,
  type RunEntry,
} from '../format/model/results-file.ts';
import { createRedactor, type Redactor } from '../secrets/redactor.ts';
import { createPairKey, placeTwinsBesideAttacks } from './plan/pairs.ts';
import {
  createConversationName,
  listPlannedAttacks,
  type PlannedAttack,
  type PlannedRun,
  type PlayableDocument,
  type SuitePlan,
} from './plan/plan.ts';
import { isInfrastructureFault } from './play/infrastructure-fault.ts';
import { type PlayOptions, type PlayResult, playDocument } from './play/play-run.ts';
import { createServerModes } from './play/playable-modes.ts';
import { scheduleRuns } from './schedule.ts';
import type { RunSpacing, ScheduleEnd, TryResult } from './schedule-step.ts';
import { settleOutcomes } from './statistics/attribution.ts';
import { toCountedOutcome } from './statistics/fail-tier.ts';
import { countTally, isTwin } from './statistics/statistics.ts';
import { findAbsence } from './store/absent-agents.ts';
import { redactTrace } from './store/read-lines.ts';
import { createMemorySink, type OpenSuiteSink, type SuiteSink, selectRunsOfAttack } from './store/run-sink.ts';
import { createStoredRun } from './store/stored-run.ts';

// The one way to attack: every document of a plan against every agent. The command line, tests and programs differ in
// the sink, the redaction, the pace, and the observer.

/** How the runs are spread over time, and when no more of them begin. */
export interface Pace extends RunSpacing {
  /**
   * Ends the current runs and begins no other. A run that is ended like this is inconclusive, unless the attack has
   * succeeded.
   */
  readonly signal?: AbortSignal | undefined;
  /**
   * Whether a run whose servers cannot be opened ends the suite and is not stored: with fixed addresses, no other run
   * would begin either. Default: it is a run with an error like any other.
   */
  readonly endsUnopened?: boolean | undefined;
}

/** How every run is played. */
export type RunSettings = Pick<
  PlayOptions,
  'connect' | 'allowedHosts' | 'era' | 'prompt' | 'limits' | 'seed' | 'demand' | 'projections' | 'judge'
> & {
  /** How server actors are played, for the era of the agent if it has only one. Default: on free ports of this machine. */
  readonly modes?: PlayOptions['modes'] | ((era: AgentUnderTest['era']) => PlayOptions['modes']) | undefined;
};

export type TryOptions = Partial<
  Pick<PlayOptions, 'agent' | 'modes' | 'limits' | 'signal' | 'control' | 'ready' | 'record' | 'log'>
>;

/** A run that is stored. */
export interface PlayedRun {
  readonly playable: PlayableDocument;
  readonly result: PlayResult;
  readonly entry: RunEntry;
  /** The number of records in its trace. */
  readonly records: number;
}

/** Callbacks for a caller that watches a suite. The suite waits for the promises that they return. */
export interface SuiteObserver {
  /** Called before each try of a run. */
  begin?(task: PlannedRun, playable: PlayableDocument): TryOptions | Promise<TryOptions>;
  /** Called once for each run, after it is stored. */
  finished?(task: PlannedRun, run: PlayedRun): void | Promise<void>;
  /** Called when no further run of an attack follows. */
  closed?(attack: PlannedAttack): void | Promise<void>;
  /** Called after the last run, when its results are stored. */
  ended?(): void | Promise<void>;
  /** Called when secrets could not be removed from a trace; the trace is then deleted. */
  traceRemoved?(task: PlannedRun, reason: string): void | Promise<void>;
}

/** The documents, the agents, and what happens to the runs. */
export interface Suite {
  readonly plan: SuitePlan;
  /** The documents of the plan, in its order. */
  readonly documents: readonly PlayableDocument[];
  /**
   * The agents of the plan; a planned agent that is missing here is any client that connects. They are closed at the
   * end.
   */
  readonly agents: readonly AgentUnderTest[];
  /** The sink for runs, traces and results. Default: they are kept in memory, without traces. */
  readonly sink?: OpenSuiteSink | undefined;
  /** Removes secrets from runs and traces for good before they are stored. Default: everything is stored unchanged. */
  readonly redactor?: Redactor | undefined;
  readonly pace?: Pace | undefined;
  readonly settings?: RunSettings | undefined;
  /** Makes the observer, once the sink is open. */
  watch?(sink: SuiteSink): SuiteObserver;
  /** Compares the results with others, such as a baseline. */
  compare?(results: Results): Comparison;
  readonly clock?: Clock | undefined;
}

/** The result of a suite. */
export interface SuiteEnd {
  /** The results of the runs; undefined when no run has finished, and then nothing is stored. */
  readonly results?: Results;
  /** The reason why not everything has run. */
  readonly stopped?: NotRunReason;
  /** The reason why no server could be opened, if that ended the suite. */
  readonly unavailable?: string;
  /** Agents that were absent three runs in a row, and why; their remaining runs are `not_run`. */
  readonly absent?: ReadonlyMap<string, string>;
}

const createFreePortModes = (era: AgentUnderTest['era']): PlayOptions['modes'] =>
  createServerModes({ address: () => undefined, era });

/** The secrets that agents revealed are the evidence: they are stored unchanged, unless there is a redactor. */
const storeAll = createRedactor({ shapes: false });

interface TriedRun extends Omit<PlayedRun, 'entry'> {
  readonly started: string;
}

interface SuiteInPlay {
  readonly suite: Suite;
  readonly sink: SuiteSink;
  readonly clock: Clock;
  readonly observer: SuiteObserver;
  readonly agents: ReadonlyMap<string, AgentUnderTest>;
}

/**
 * Plays every document of the plan against every agent, as often as the plan says, without the runs that the sink has
 * already. Resolves when nothing is running any more and everything that agents started has ended.
 */
export async function playSuite(suite: Suite): Promise<SuiteEnd> {
  const { plan, agents, documents, pace, clock = systemClock } = suite;
  const attacks = listPlannedAttacks(plan);
  const texts = documents.map(({ text }) => text);
  let inPlay: SuiteInPlay;
  let end: ScheduleEnd<TriedRun>;
  try {
    const sink = (suite.sink ?? createMemorySink)(plan, texts);
    inPlay = {
      suite,
      sink,
      clock,
      observer: suite.watch?.(sink) ?? {},
      agents: new Map(agents.map((agent) => [agent.name, agent])),
    };
    end = await scheduleRuns<TriedRun>({
      ...pace,
      ...(pace?.isEnough !== undefined && { isEnough: askOfSettledRuns(plan, sink, pace.isEnough) }),
      attacks: placeTwinsBesideAttacks(attacks),
      repeat: plan.repeat,
      earlyStop: plan.early_stop,
      clock,
      done: (attack) =>
        sink.runsOf(attack).map((run) => ({
          repeat: run.repeat,
          outcome: toCountedOutcome(run, plan.fail_tier),
          isMatch: isSuccess(run),
        })),
      playRun: (task, attempt, makeRoom) => playRun(inPlay, task, attempt, makeRoom),
      storeRun: (task, run, attempts) => storeRun(inPlay, task, run, attempts),
      closeAttack: (attack) => inPlay.observer.closed?.(attack),
    });
  } finally {
    await Promise.all(agents.map((agent) => agent.close?.()));
  }
  const { stopped, absent } = end;
  const unavailable = end.unavailable?.result.end.error;
  const facts = {
    ...(absent !== undefined && { absent }),
    ...(stopped !== undefined && { stopped }),
    ...(unavailable !== undefined && { unavailable }),
  };
  const { sink, observer } = inPlay;
  // A shard without attacks still writes its results, so that the shards can be joined.
  if (sink.entries.length === 0 && attacks.length > 0) {
    await sink.discard();
    await observer.ended?.();
    return facts;
  }
  const whyNot = ({ agent }: PlannedAttack): NotRunReason =>
    absent?.has(agent.name) ? 'unreachable' : (stopped ?? 'interrupted');
  const results = await sink.finish({ finished: clock.timestamp(), stopped: whyNot, compare: suite.compare });
  await observer.ended?.();
  return { results, ...facts };
}

/** Asks whether the repeats of an attack are enough with the outcomes that its benign twin gives them. */
function askOfSettledRuns(
  plan: SuitePlan,
  sink: SuiteSink,
  isEnough: NonNullable<Pace['isEnough']>,
): NonNullable<Pace['isEnough']> {
  const twins = new Map(
    listPlannedAttacks(plan).flatMap((attack) => (isTwin(attack) ? [[createPairKey(attack), attack]] : [])),
  );
  return (attack, tally) => {
    const twin = isTwin(attack) ? undefined : twins.get(createPairKey(attack));
    if (twin === undefined) return isEnough(attack, tally);
    const settled = settleOutcomes(plan, [...sink.runsOf(attack), ...sink.runsOf(twin)]);
    return isEnough(attack, countTally(selectRunsOfAttack(settled, attack), plan.fail_tier));
  };
}

/** Plays one try of a run. `makeRoom` is called when the run only waits from then on. */
async function playRun(
  inPlay: SuiteInPlay,
  task: PlannedRun,
  attempt: number,
  makeRoom: () => void,
): Promise<TryResult<TriedRun>> {
  const { suite, clock, observer, agents } = inPlay;
  const { plan, pace = {} } = suite;
  const playable = findPlayable(suite, task.attack);
  const agent = agents.get(task.attack.agent.name);
  const own = await observer.begin?.(task, playable);
  const options = { ...optionsFor(inPlay, task, attempt, agent), ...own };
  const started = clock.timestamp();
  let records = 0;
  let isOpen = false;
  const result = await playDocument(playable.document, {
    // Only an agent that gets the addresses of the run makes room: one that others have started could get more runs at
    // a time than intended.
    ...(agent?.isTold && { waits: makeRoom }),
    ...options,
    signal: joinSignals(pace.signal, own?.signal),
    ready(endpoints, skipped) {
      isOpen = true;
      options.ready?.(endpoints, skipped);
    },
    record(record) {
      records += 1;
      inPlay.sink.recorded?.(record);
      own?.record?.(record);
    },
  });
  const run = { playable, result, records, started };
  if (pace.endsUnopened && !isOpen && result.end.error !== undefined)
    return { outcome: 'unavailable', isFault: true, result: run };
  return {
    outcome: toCountedOutcome(result, plan.fail_tier),
    isMatch: isSuccess(result),
    isFault: isInfrastructureFault(result),
    absence: findAbsence(result),
    result: run,
  };
}

/** The options of the suite for one try of a run. */
function optionsFor(
  { suite, sink, clock }: SuiteInPlay,
  task: PlannedRun,
  attempt: number,
  agent: AgentUnderTest | undefined,
): PlayOptions {
  const { modes = createFreePortModes, era, ...settings } = suite.settings ?? {};
  return {
    ...settings,
    era: agent?.era ?? era,
    modes: typeof modes === 'function' ? modes(agent?.era) : modes,
    agent,
    // A twin has no payload that would have to reach the agent.
    ...(findPlayable(suite, task.attack).twinOf !== undefined && { demand: 'reached' as const }),
    conversation: createConversationName(task, attempt, agent?.era),
    ...(sink.traceFile !== undefined && { traceFile: () => sink.traceFile?.(task) }),
    clock,
  };
}

async function storeRun(
  { suite, sink, observer }: SuiteInPlay,
  task: PlannedRun,
  { playable, result, records, started }: TriedRun,
  attempts: number,
): Promise<void> {
  const { plan, redactor } = suite;
  if (sink.takes?.(task, result.outcome) === false) return;
  const unredacted = await redactOrRemove(sink.traceFile?.(task), redactor);
  if (unredacted !== undefined) await observer.traceRemoved?.(task, unredacted);
  const whole = createStoredRun(plan, task, result, { warnings: playable.warnings, started, attempts });
  const entry = (redactor ?? storeAll).entry(whole);
  // The entry is added last, so that a run with an entry is complete.
  sink.add(entry);
  await observer.finished?.(task, { playable, result, entry, records });
}

function findPlayable({ plan, documents }: Suite, { index }: PlannedAttack): PlayableDocument {
  return documents[Math.floor(index / plan.agents.length)] as PlayableDocument;
}

/** Redacts a trace, or deletes it if that fails, because its secrets must not remain. Returns the reason for a deletion. */
async function redactOrRemove(path: string | undefined, redactor: Redactor | undefined): Promise<string | undefined> {
  if (path === undefined || redactor === undefined) return undefined;
  try {
    await redactTrace(path, redactor);
    return undefined;
  } catch (thrown) {
    rmSync(path, { force: true });
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

function joinSignals(first: AbortSignal | undefined, second: AbortSignal | undefined): AbortSignal | undefined {
  return first === undefined || second === undefined ? (first ?? second) : AbortSignal.any([first, second]);
}
