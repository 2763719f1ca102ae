import { hasAwaits } from '../../format/extensions/read-await.ts';
import type { LogLevel } from '../../format/model/enumeration-types.ts';
import type { Diagnostic } from '../../format/model/errors.ts';
import type { NormalizedActor, NormalizedDocument } from '../../format/model/normalized.ts';
import { type EndReason, isMessageRecord, type TraceRecord } from '../../format/model/trace-record.ts';
import { failUnreachable, type ValueMap } from '../../format/model/value.ts';
import { parseDuration } from '../../format/primitives/parse-duration.ts';
import { compileActor } from './actor.ts';
import { createActorLoop } from './actor-loop.ts';
import type { Effect, UnstampedRecord } from './actor-messages.ts';
import { listTroubledCalls } from './answer-trouble.ts';
import { type Binding, isClientBinding } from './binding.ts';
import { findLack, readThrownMessage } from './launch-failure.ts';
import { listUnfiredRules } from './match-wire-rules.ts';
import { hasCome } from './phase-awaits.ts';
import {
  collectSharedValues,
  findTerminalSince,
  isDone,
  isReceivingFrom,
  listWaitingEvents,
  type PlayedActor,
} from './played-actor.ts';
import type { Clock, Endpoint, Transport } from './ports.ts';
import { cutOffBy, defaultRunLimits, type RunEnd, type RunLimits } from './run-end.ts';
import {
  describeEnd,
  initialRunState,
  isKnownTraffic,
  isLimit,
  type RunRules,
  type RunScene,
  type RunStepEvent,
  stepRun,
} from './run-step.ts';

/** A mode that can be played: its binding and its transport. */
export interface PlayableMode {
  readonly binding: Binding;
  /** The connection of an actor. A promise is for a transport whose code is loaded only for documents that need it. */
  transport(actor: NormalizedActor): Transport | Promise<Transport>;
  /** Whether this actor has a peer to speak to. Default: it has. */
  plays?(actor: NormalizedActor): boolean;
  /** Says in plain words why an actor could not be opened. Default: the message of what was thrown. */
  explainFailure?(actor: NormalizedActor, thrown: unknown): string | undefined;
}

export interface RunOptions {
  readonly modes: readonly PlayableMode[];
  readonly clock: Clock;
  readonly limits?: Partial<RunLimits> | undefined;
  /** The seed for random choices in the document. Default: 0. */
  readonly seed?: number | undefined;
  /** Makes an id that was never used before. */
  freshId(): string;
  /** Launches the agent, once every server is accepting connections and before any client speaks. */
  launch?(
    endpoints: ReadonlyMap<string, Endpoint>,
    skipped: readonly NormalizedActor[],
  ): Promise<'launched' | 'stopped'>;
  /** Replaces an effect before it is performed, where outgoing traffic is limited. */
  admit?: ((effect: Effect) => readonly Effect[]) | undefined;
  /** Whether the agent guarantees that it does nothing more until it is spoken to. */
  isSettled?(): boolean;
  /** Called once everything is sent: from now on the run only waits to see whether the agent acts. */
  waits?(): void;
  /** Called whenever a peer has done something. */
  heard?(): void;
  /** Called when a server has begun to accept connections. */
  opened?(endpoint: Endpoint): void;
  /** Called with every record, as it happens. */
  record(record: TraceRecord): void;
  log?(actor: string, level: LogLevel, message: string): void;
}

export interface Run {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly skipped: readonly NormalizedActor[];
  readonly ended: Promise<RunEnd>;
  stop(reason?: 'stopped' | 'finished' | 'operator' | 'idle' | 'flood'): void;
}

/**
 * Plays a document, in the same way for one actor and for many. It resolves when every server is accepting connections,
 * the agent is launched and every client has begun; `ended` resolves when the run is over and every port is released.
 */
export async function startRun(document: NormalizedDocument, options: RunOptions): Promise<Run> {
  const cast: CastActor[] = [];
  for (const actor of document.attack.execution.actors) {
    const mode = options.modes.find(({ binding, plays }) => binding.mode === actor.mode && (plays?.(actor) ?? true));
    if (mode !== undefined) cast.push({ actor, mode, transport: await mode.transport(actor) });
  }
  const course = createCourse(document, cast, options);
  for (const { name, mode } of course.skipped) course.warn(warnOfSkippedActor(name, mode, options.modes));
  await openActors(course, course.servers, options);
  if (!course.isEnding()) await launchAgent(course, options);
  if (!course.isEnding() && course.clients.length > 0) {
    course.take({ kind: 'clients_begin' });
    await openActors(course, course.clients, options);
  }
  const { endpoints, skipped, ended, take } = course;
  return { endpoints, skipped, ended, stop: (reason = 'stopped') => take({ kind: 'end', reason }) };
}

/** An actor, how its mode is played, and its transport. */
interface CastActor {
  readonly actor: NormalizedActor;
  readonly mode: PlayableMode;
  readonly transport: Transport;
}

/** An actor of a run that is being played. */
interface CourseActor extends PlayedActor {
  explainFailure(thrown: unknown): string;
}

/** A run that is being played. */
interface Course extends Pick<Run, 'skipped' | 'ended'> {
  readonly endpoints: Map<string, Endpoint>;
  readonly servers: readonly CourseActor[];
  readonly clients: readonly CourseActor[];
  isEnding(): boolean;
  take(event: RunStepEvent): void;
  warn(diagnostic: Diagnostic): void;
}

/** Makes the actors and their records, and performs the effects of the run's steps. */
function createCourse(document: NormalizedDocument, cast: readonly CastActor[], options: RunOptions): Course {
  const { clock } = options;
  const { execution, gracePeriod } = document.attack;
  const limits = { ...defaultRunLimits, ...options.limits };
  const endpoints = new Map<string, Endpoint>();
  let state = initialRunState;
  let seq = 0;
  let lastTraffic = 0;
  let cancelWake = (): void => {};
  let settle: (end: RunEnd) => void;
  const ended = new Promise<RunEnd>((resolve) => {
    settle = resolve;
  });

  const skipped = execution.actors.filter((each) => cast.every(({ actor }) => actor !== each));
  const isAwaiting = hasAwaits(execution);
  const actors = cast.map(({ actor, mode, transport }): CourseActor => {
    const { binding } = mode;
    const isClient = isClientBinding(binding);
    const program = compileActor(actor, binding, execution);
    const loop = createActorLoop(program, binding, transport, {
      clock,
      askMs: limits.askMs,
      seed: options.seed ?? 0,
      freshId: options.freshId,
      endpoint: () => endpoints.get(actor.name),
      shared,
      record,
      log: (name, level, message) => options.log?.(name, level, message),
      warn,
      moved: () => {
        if (isClient) take({ kind: 'moved' });
        if (isAwaiting) goOn();
      },
      fail: (error) => take({ kind: 'end', reason: 'failed', error }),
      admit: options.admit,
    });
    const explainFailure = (thrown: unknown): string =>
      mode.explainFailure?.(actor, thrown) ?? readThrownMessage(thrown);
    return { name: actor.name, isClient, phases: actor.phases, program, transport, loop, explainFailure };
  });
  const clients = actors.filter(({ isClient }) => isClient);
  const servers = actors.filter(({ isClient }) => !isClient);
  const rules: RunRules = {
    limits,
    graceMs: limits.graceMs ?? parseDurationMs(gracePeriod),
    servers: new Map(servers.map(({ name, phases }) => [name, phases.map((phase) => phase.name)])),
    hasClients: clients.length > 0,
  };

  function take(event: RunStepEvent): void {
    const step = stepRun(state, event, clock.now(), rules);
    state = step.state;
    for (const effect of step.effects)
      switch (effect.kind) {
        case 'wake':
          cancelWake();
          cancelWake = clock.wakeAt(effect.at, () => take({ kind: 'woken', scene: observe() }));
          break;
        case 'tell_waiting':
          options.waits?.();
          break;
        case 'close':
          cancelWake();
          void close(effect.reason);
          break;
        default:
          failUnreachable(effect);
      }
  }

  function observe(): RunScene {
    const now = clock.now();
    return {
      lastTraffic,
      isReceiving: servers.some(isReceivingFrom),
      areClientsDone: clients.every((client) => isDone(client, now)),
      terminalSince: findTerminalSince(actors),
      isAgentSettled: options.isSettled?.() ?? false,
      leftServers: servers.filter(({ transport }) => hasLeft(transport)).map(({ name }) => name),
      openSessions: actors.reduce((sum, { transport }) => sum + transport.openSessions(), 0),
      isConnected: actors.some(({ transport }) => transport.isConnected()),
    };
  }

  function shared(): ValueMap {
    return collectSharedValues(actors);
  }

  /** A value that one actor has extracted may be one that others wait for. */
  function goOn(): void {
    for (const { loop } of actors) if (hasCome(loop.state(), shared)) loop.tick();
  }

  function warn(diagnostic: Diagnostic): void {
    take({ kind: 'warning', diagnostic });
  }

  function record(unstamped: UnstampedRecord): void {
    const stamped = { seq: seq++, timestamp: clock.timestamp(), ...unstamped } as TraceRecord;
    const fromPeer = isMessageRecord(stamped) ? stamped.origin === 'agent' : peerKinds.has(stamped.kind);
    if (fromPeer) {
      lastTraffic = clock.now();
      options.heard?.();
      const { actor, phase } = stamped;
      const isAgent = stamped.kind !== 'malformed' && !isRefused(stamped);
      if (!isKnownTraffic(state, actor, isAgent)) take({ kind: 'traffic', actor, phase, isAgent });
    }
    options.record(stamped);
    if (seq > limits.records) take({ kind: 'end', reason: 'flood' });
    // The session that has just ended may have been the last; the transport counts it only after this.
    if (stamped.kind === 'connection') take({ kind: 'moved' });
  }

  async function close(reason: EndReason): Promise<void> {
    // An agent that has just ended may have left an answer unread.
    const settling = servers.flatMap(({ transport }) => transport.settled?.() ?? []);
    if (settling.length > 0) await Promise.all(settling);
    for (const server of servers.filter(isReceivingFrom))
      record({
        kind: 'malformed',
        actor: server.name,
        reason: 'a message was still coming in when the run ended',
        cause: 'cut_off',
        raw: '',
      });
    for (const { loop } of actors) loop.stop();
    for (const client of clients)
      for (const open of describeOpenCalls(client, reason, limits, clock.now())) record(open);
    await Promise.allSettled(actors.map(({ transport }) => transport.close()));
    for (const actor of actors) for (const diagnostic of findUnfiredRules(actor)) warn(diagnostic);
    settle(
      describeEnd(
        state,
        listWaitingEvents(actors),
        skipped.map(({ name }) => name),
      ),
    );
  }

  return {
    endpoints,
    servers,
    clients,
    skipped,
    ended,
    isEnding: () => state.stage !== 'playing',
    take,
    warn,
  };
}

/** Opens actors one after the other; they begin when all of them are open. */
async function openActors(course: Course, actors: readonly CourseActor[], options: RunOptions): Promise<void> {
  for (const { name, transport, loop, explainFailure } of actors)
    try {
      const endpoint = await transport.open(loop.receive);
      course.endpoints.set(name, endpoint);
      options.opened?.(endpoint);
    } catch (thrown) {
      const error = `actor "${name}" cannot be opened: ${explainFailure(thrown)}`;
      course.take({ kind: 'end', reason: 'failed', error });
      return;
    }
  for (const { loop } of actors) loop.start();
}

async function launchAgent({ endpoints, skipped, take }: Course, { launch }: RunOptions): Promise<void> {
  try {
    if ((await launch?.(endpoints, skipped)) === 'stopped') take({ kind: 'end', reason: 'stopped' });
  } catch (thrown) {
    const lack = findLack(thrown);
    take({
      kind: 'not_launched',
      error: lack,
      ...(lack === undefined && { trouble: `it cannot be launched: ${readThrownMessage(thrown)}` }),
    });
  }
}

/** Whether an actor's peers have ended all their sessions. */
function hasLeft(transport: Transport): boolean {
  return transport.hasSessions === true && transport.openSessions() === 0;
}

/** Calls that were still open when the run ended: such a client cannot show that the agent resisted. */
function describeOpenCalls(
  client: PlayedActor,
  ended: EndReason,
  limits: RunLimits,
  now: number,
): readonly UnstampedRecord[] {
  const { name: actor, loop } = client;
  const reason = cutOffBy(ended, limits);
  const troubled = listTroubledCalls(loop.state(), reason, isLimit(ended));
  if (troubled.length > 0) return troubled.map((call) => ({ kind: 'connection', actor, event: 'closed', ...call }));
  const wasCut = loop.state().phase >= 0 && !isDone(client, now);
  return wasCut ? [{ kind: 'connection', actor, event: 'closed', reason, cause: 'cut_off' }] : [];
}

/** Warns of rules that were never applied: they have done nothing to the agent. */
function findUnfiredRules({ name, program, loop }: PlayedActor): readonly Diagnostic[] {
  return listUnfiredRules(program.phases, loop.state().wire).map(({ pointer, on }) => ({
    severity: 'warning',
    code: 'O-117',
    message: `${name}: the rule ${pointer}, for ${on}, was never applied`,
  }));
}

/** A refused message may have come from any program, so it does not show that the agent is there. */
function isRefused(record: TraceRecord): boolean {
  return isMessageRecord(record) && record.refused !== undefined;
}

/** Kinds of records of a peer's actions that are not messages. */
const peerKinds: ReadonlySet<TraceRecord['kind']> = new Set(['connection', 'malformed']);

function warnOfSkippedActor(actor: string, mode: string, modes: readonly PlayableMode[]): Diagnostic {
  const message = modes.some(({ binding }) => binding.mode === mode)
    ? `the actor "${actor}" has no agent to speak to, so it is left out`
    : `no binding plays the mode "${mode}", so the actor "${actor}" is skipped`;
  return { severity: 'warning', code: 'O-104', message };
}

function parseDurationMs(text: string | undefined): number | undefined {
  const seconds = text === undefined ? undefined : parseDuration(text);
  return typeof seconds === 'number' ? seconds * 1_000 : undefined;
}
