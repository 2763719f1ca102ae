import { rmSync } from 'node:fs';
import type { AgentUnderTest } from '../agent/agent.ts';
import type { Clock } from '../engine/ports.ts';
import type { Comparison, NotRunReason, Results, RunEntry } from '../model/results.ts';
import { createRedactor, type Redactor } from '../secrets/redactor.ts';
import { systemClock } from '../transport/clock.ts';
import { countedAs } from './fail-tier.ts';
import { isInfrastructureFault } from './infrastructure-fault.ts';
import { serverModes } from './modes.ts';
import { absenceOf } from './not-there.ts';
import {
  attacksOf,
  conversationOf,
  type PlannedAttack,
  type Playable,
  type SuitePlan,
  type Task,
} from './plan.ts';
import { type PlayOptions, type PlayResult, playDocument } from './play.ts';
import { redactTrace } from './redact-trace.ts';
import { type Schedule, type ScheduleEnd, type Spacing, scheduleRuns, type Tried } from './schedule.ts';
import { inMemory, type OpenSink, type RunSink } from './sink.ts';
import { storedRun } from './stored-run.ts';

// The one way to attack: every document of a plan against every agent. The command line, tests and programs differ in
// the sink, the redaction, the pace, and the onlooker.

/** How the runs are spread over time, and when no more of them begin. */
export interface Pace extends Spacing {
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

/** Options for one try of a run. */
export type TryOptions = Partial<
  Pick<PlayOptions, 'agent' | 'modes' | 'limits' | 'signal' | 'control' | 'ready' | 'record' | 'log'>
>;

/** A run that is stored. */
export interface PlayedRun {
  readonly playable: Playable;
  readonly result: PlayResult;
  readonly entry: RunEntry;
  /** The number of records in its trace. */
  readonly records: number;
}

/** Callbacks for a caller that watches a suite. The suite waits for the promises that they return. */
export interface Onlooker {
  /** Called before each try of a run. */
  begin?(task: Task, playable: Playable): TryOptions | Promise<TryOptions>;
  /** Called once for each run, after it is stored. */
  finished?(task: Task, run: PlayedRun): void | Promise<void>;
  /** Called when no further run of an attack follows. */
  closed?(attack: PlannedAttack): void | Promise<void>;
  /** Called when secrets could not be removed from a trace; the trace is then deleted. */
  traceRemoved?(task: Task, reason: string): void | Promise<void>;
}

/** The documents, the agents, and what happens to the runs. */
export interface Suite {
  readonly plan: SuitePlan;
  /** The documents of the plan, in its order. */
  readonly documents: readonly Playable[];
  /**
   * The agents of the plan; a planned agent that is missing here is any client that connects. They are closed at the
   * end.
   */
  readonly agents: readonly AgentUnderTest[];
  /** The sink for runs, traces and results. Default: they are kept in memory, without traces. */
  readonly sink?: OpenSink | undefined;
  /** Removes secrets from runs and traces for good before they are stored. Default: everything is stored unchanged. */
  readonly redactor?: Redactor | undefined;
  readonly pace?: Pace | undefined;
  readonly settings?: RunSettings | undefined;
  /** Makes the onlooker, once the sink is open. */
  watch?(sink: RunSink): Onlooker;
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

const anywhere = (era: AgentUnderTest['era']): PlayOptions['modes'] =>
  serverModes({ address: () => undefined, era });

/** The secrets that agents gave away are the evidence: they are stored unchanged, unless a redactor is given. */
const storeAll = createRedactor({ shapes: false });

/** One try of a run. */
interface Run extends Omit<PlayedRun, 'entry'> {
  readonly started: string;
}

/**
 * Plays every document of the plan against every agent, as often as the plan says, without the runs that the sink has
 * already. Resolves when nothing is running any more and everything that agents started has ended.
 */
export async function playSuite(suite: Suite): Promise<SuiteEnd> {
  const { plan, agents, documents, clock = systemClock } = suite;
  const attacks = attacksOf(plan);
  const texts = documents.map(({ text }) => text);
  let sink: RunSink;
  let end: ScheduleEnd<Run>;
  try {
    sink = (suite.sink ?? inMemory)(plan, texts);
    end = await scheduleRuns(scheduleOf(suite, sink, clock));
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
  // A shard without attacks still writes its results, so that the shards can be joined.
  if (sink.entries.length === 0 && attacks.length > 0) {
    await sink.discard();
    return facts;
  }
  const whyNot = ({ agent }: PlannedAttack): NotRunReason =>
    absent?.has(agent.name) ? 'not_there' : (stopped ?? 'interrupted');
  const results = await sink.finish({ finished: clock.timestamp(), stopped: whyNot, compare: suite.compare });
  return { results, ...facts };
}

function scheduleOf(suite: Suite, sink: RunSink, clock: Clock): Schedule<Run> {
  const { plan, pace = {}, redactor } = suite;
  const onlooker = suite.watch?.(sink) ?? {};
  const agents = new Map(suite.agents.map((agent) => [agent.name, agent]));
  const playableOf = ({ index }: PlannedAttack): Playable =>
    suite.documents[Math.floor(index / plan.agents.length)] as Playable;
  return {
    ...pace,
    attacks: attacksOf(plan),
    repeat: plan.repeat,
    earlyStop: plan.early_stop,
    clock,
    done: (attack) =>
      sink.runsOf(attack).map((run) => ({ repeat: run.repeat, outcome: countedAs(run, plan.fail_tier) })),
    async play(task, attempt, makeRoom) {
      const playable = playableOf(task.attack);
      const agent = agents.get(task.attack.agent.name);
      const own = await onlooker.begin?.(task, playable);
      const { modes = anywhere, era, ...settings } = suite.settings ?? {};
      const options: PlayOptions = {
        ...settings,
        era: agent?.era ?? era,
        modes: typeof modes === 'function' ? modes(agent?.era) : modes,
        agent,
        // A twin has no payload that would have to reach the agent.
        ...(playable.twinOf !== undefined && { demand: 'reached' as const }),
        // Only an agent that we tell about the run makes room: one that others have started could otherwise get more
        // runs at a time than intended.
        ...(agent?.isTold && { waits: makeRoom }),
        ...own,
        signal: anyOf(pace.signal, own?.signal),
        conversation: conversationOf(task, attempt, agent?.era),
        ...(sink.traceFile !== undefined && { traceFile: () => sink.traceFile?.(task) }),
        record(record) {
          sink.recorded?.(record);
          own?.record?.(record);
        },
        clock,
      };
      return tryRun(playable, options, pace, plan.fail_tier);
    },
    async finished(task, { playable, result, records, started }, attempts) {
      if (sink.takes?.(task, result.outcome.outcome) === false) return;
      const unredacted = await redactOrRemove(sink.traceFile?.(task), redactor);
      if (unredacted !== undefined) await onlooker.traceRemoved?.(task, unredacted);
      const whole = storedRun(plan, task, result, { warnings: playable.warnings, started, attempts });
      const entry = (redactor ?? storeAll).entry(whole);
      // The entry is added last, so that a run with an entry is complete.
      sink.add(entry);
      await onlooker.finished?.(task, { playable, result, entry, records });
    },
    closed: (attack) => onlooker.closed?.(attack),
  };
}

async function tryRun(
  playable: Playable,
  options: PlayOptions,
  pace: Pace,
  failTier: SuitePlan['fail_tier'],
): Promise<Tried<Run>> {
  const { clock } = options;
  const started = clock.timestamp();
  let records = 0;
  let isOpen = false;
  const played = await playDocument(playable.document, {
    ...options,
    ready(endpoints, skipped) {
      isOpen = true;
      options.ready?.(endpoints, skipped);
    },
    record(record) {
      records += 1;
      options.record?.(record);
    },
  });
  const { outcome } = played;
  const run = { playable, result: played, records, started };
  if (pace.endsUnopened && !isOpen && played.end.error !== undefined)
    return { outcome: 'unavailable', isFault: true, result: run };
  return {
    outcome: countedAs({ outcome: outcome.outcome, ...(played.tier && { tier: played.tier }) }, failTier),
    isFault: isInfrastructureFault(played),
    absence: absenceOf(played),
    result: run,
  };
}

/** Redacts a trace, or deletes it if that fails, because its secrets must not remain. Returns the reason for a deletion. */
async function redactOrRemove(
  path: string | undefined,
  redactor: Redactor | undefined,
): Promise<string | undefined> {
  if (path === undefined || redactor === undefined) return undefined;
  try {
    await redactTrace(path, redactor);
    return undefined;
  } catch (thrown) {
    rmSync(path, { force: true });
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

function anyOf(first: AbortSignal | undefined, second: AbortSignal | undefined): AbortSignal | undefined {
  return first === undefined || second === undefined ? (first ?? second) : AbortSignal.any([first, second]);
}
