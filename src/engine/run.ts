import { awaitKey } from '../model/awaits.ts';
import type { LogLevel } from '../model/enumerations.ts';
import type { Diagnostic } from '../model/errors.ts';
import type { NormalizedActor, NormalizedDocument } from '../model/normalized.ts';
import { type EndReason, isMessageRecord, type TraceRecord } from '../model/trace.ts';
import type { ValueMap } from '../model/value.ts';
import { parseDuration } from '../primitives/parse-duration.ts';
import { compileActor } from './actor.ts';
import { createActorLoop } from './actor-loop.ts';
import { troubledCalls } from './answer-trouble.ts';
import { hasCome } from './awaits.ts';
import { type Binding, isClientBinding } from './binding.ts';
import { lackOf, messageOf } from './launch-failure.ts';
import type { Effect, UnstampedRecord } from './messages.ts';
import {
  isDone,
  isReceivingFrom,
  type PlayedActor,
  sharedValues,
  terminalPhaseSince,
  waitingFor,
} from './played-actor.ts';
import type { Clock, Endpoint, Transport } from './ports.ts';
import { cutOffBy, defaultRunLimits, endOfRun, type RunEnd, type RunLimits } from './run-end.ts';
import { unfiredRules } from './wire.ts';

/** A mode that can be played: its binding and its transport. */
export interface PlayableMode {
  readonly binding: Binding;
  /** The connection of an actor. A promise is for a transport whose code is loaded only for documents that need it. */
  transport(actor: NormalizedActor): Transport | Promise<Transport>;
  /** Whether this actor has a peer to speak to. Default: it has. */
  plays?(actor: NormalizedActor): boolean;
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
    const mode = options.modes.find(
      ({ binding, plays }) => binding.mode === actor.mode && (plays?.(actor) ?? true),
    );
    if (mode !== undefined)
      cast.push({ actor, binding: mode.binding, transport: await mode.transport(actor) });
  }
  const run = createRun(document, cast, options);
  await run.open();
  return run;
}

/** An actor with all that it is played with. */
interface CastActor {
  readonly actor: NormalizedActor;
  readonly binding: Binding;
  readonly transport: Transport;
}

function createRun(
  document: NormalizedDocument,
  cast: readonly CastActor[],
  options: RunOptions,
): Run & { open(): Promise<void> } {
  const { clock, modes } = options;
  const limits = { ...defaultRunLimits, ...options.limits };
  const graceMs = limits.graceMs ?? durationMs(document.attack.gracePeriod);
  const diagnostics: Diagnostic[] = [];
  const endpoints = new Map<string, Endpoint>();
  let seq = 0;
  let firstTraffic: number | undefined;
  let lastTraffic = 0;
  let hadAgent = false;
  /** Server actors that the agent has sent a message to. */
  const visitedServers = new Set<string>();
  let clientsDoneSince: number | undefined;
  let isEnding = false;
  let isWaiting = false;
  let failure: string | undefined;
  let trouble: string | undefined;
  let cancelWatch = (): void => {};
  let cutGrace = (): void => {};
  let settle: (end: RunEnd) => void;
  const ended = new Promise<RunEnd>((resolve) => {
    settle = resolve;
  });

  const skipped = document.attack.execution.actors.filter((each) =>
    cast.every(({ actor }) => actor !== each),
  );
  const hasAwaits = document.attack.execution.actors.some(({ phases }) =>
    phases.some(({ extensions }) => extensions?.[awaitKey] !== undefined),
  );
  const actors = cast.map(({ actor, binding, transport }): PlayedActor => {
    const isClient = isClientBinding(binding);
    const program = compileActor(actor, binding, document.attack.execution);
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
        if (isClient) lookAgain();
        if (hasAwaits) goOn();
      },
      fail: (message) => end('failed', message),
      admit: options.admit,
    });
    return { name: actor.name, isClient, phases: actor.phases, program, transport, loop };
  });
  const clients = actors.filter(({ isClient }) => isClient);
  const servers = actors.filter(({ isClient }) => !isClient);

  function shared(): ValueMap {
    return sharedValues(actors);
  }

  /** A value that one actor has extracted may be one that others wait for. */
  function goOn(): void {
    for (const { loop } of actors) if (hasCome(loop.state(), shared)) loop.tick();
  }

  /** Each warning is kept once: the same warning for every message of a flood would be a flood itself. */
  function warn(diagnostic: Diagnostic): void {
    const known = diagnostics.some(
      ({ code, message }) => code === diagnostic.code && message === diagnostic.message,
    );
    if (!known && diagnostics.length < 200) diagnostics.push(diagnostic);
  }

  function record(unstamped: UnstampedRecord): void {
    const stamped = { seq: seq++, timestamp: clock.timestamp(), ...unstamped } as TraceRecord;
    const fromPeer = isMessageRecord(stamped) ? stamped.origin === 'agent' : peerKinds.has(stamped.kind);
    if (fromPeer) {
      noticeTraffic();
      hadAgent ||= stamped.kind !== 'malformed' && !isRefused(stamped);
      if (stamped.actor !== undefined && !visitedServers.has(stamped.actor)) {
        visitedServers.add(stamped.actor);
        tellMissed(stamped.actor, stamped.phase);
      }
    }
    options.record(stamped);
    if (seq > limits.records) end('flood');
    // The session that has just ended may have been the last; the transport counts it only after this.
    if (stamped.kind === 'connection') lookAgain();
  }

  /**
   * Warns of phases that ended before the agent came. Until then only `after` ends phases, and their messages reach no
   * agent.
   */
  function tellMissed(actor: string, arrivedIn: string | undefined): void {
    const phases = servers.find(({ name }) => name === actor)?.phases ?? [];
    const arrived = phases.findIndex(({ name }) => name === arrivedIn);
    const [first, ...others] = phases.slice(0, Math.max(0, arrived)).map(({ name }) => `"${name}"`);
    if (first === undefined) return;
    const which = others.length === 0 ? `phase ${first}` : `phases ${[first, ...others].join(', ')}`;
    const message = `${which} of "${actor}" ended by \`after\` before the agent came, which has seen nothing of it`;
    warn({ severity: 'warning', code: 'O-114', message });
  }

  function noticeTraffic(): void {
    lastTraffic = clock.now();
    if (firstTraffic !== undefined) return;
    firstTraffic = lastTraffic;
    lookAgain();
  }

  function lookAgain(): void {
    cancelWatch();
    cancelWatch = clock.wakeAt(clock.now(), watch);
  }

  /** Checks whether the run is over, and when to check again. Without traffic there is no limit. */
  function watch(): void {
    if (firstTraffic === undefined || isEnding) return;
    const now = clock.now();
    const isReceiving = servers.some(isReceivingFrom);
    // A peer in the middle of a message is not quiet, however slowly the message comes.
    if (isReceiving) lastTraffic = now;
    clientsDoneSince =
      !isReceiving && clients.every((client) => isDone(client, now)) ? (clientsDoneSince ?? now) : undefined;
    const [reason, at] = endOfRun({
      limits,
      graceMs,
      firstTraffic,
      lastTraffic,
      hadAgent,
      terminalSince: terminalPhaseSince(actors),
      clientsDoneSince: clients.length === 0 ? 'none' : clientsDoneSince,
      isSettled: isSettled(),
      openSessions: actors.reduce((sum, { transport }) => sum + transport.openSessions(), 0),
      isConnected: actors.some(({ transport }) => transport.isConnected()),
    });
    if (at <= now) {
      end(reason);
      return;
    }
    if (reason === 'finished' && !isWaiting) {
      isWaiting = true;
      options.waits?.();
    }
    cancelWatch = clock.wakeAt(Math.min(at, now + lookEveryMs), watch);
  }

  /**
   * The agent is settled when there is no server for it to call, when it guarantees that it is done, or when it has
   * ended all its sessions.
   */
  function isSettled(): boolean {
    if (servers.length === 0 || options.isSettled?.()) return true;
    const visited = servers.filter(({ name }) => visitedServers.has(name));
    return (
      visited.length > 0 &&
      visited.every(({ transport }) => transport.hasSessions === true && transport.openSessions() === 0)
    );
  }

  function end(reason: EndReason, error?: string): void {
    failure ??= error;
    // A failure, or a caller that stops the run, ends the grace period, too.
    cutGrace();
    if (isEnding) return;
    isEnding = true;
    void close(reason);
  }

  async function close(reason: EndReason): Promise<void> {
    cancelWatch();
    const byLimit = reason === 'session_limit' || reason === 'terminal_limit';
    if (byLimit && graceMs !== undefined)
      await new Promise<void>((resolve) => {
        const cancel = clock.wakeAt(clock.now() + graceMs, resolve);
        cutGrace = () => {
          cancel();
          resolve();
        };
      });
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
    for (const client of clients) noteTrouble(client, cutOffBy(reason, limits), byLimit);
    await Promise.allSettled(actors.map(({ transport }) => transport.close()));
    for (const actor of actors) tellUnfired(actor);
    settle({
      reason: failure === undefined ? reason : 'failed',
      ...(failure !== undefined && { error: failure }),
      ...(trouble !== undefined && { trouble }),
      waiting: waitingFor(actors),
      diagnostics,
      skipped: skipped.map(({ name }) => name),
    });
  }

  /** Warns of rules that were never applied: they have done nothing to the agent. */
  function tellUnfired({ name, program, loop }: PlayedActor): void {
    for (const { pointer, on } of unfiredRules(program.phases, loop.state().wire)) {
      const message = `${name}: the rule ${pointer}, for ${on}, was never applied`;
      warn({ severity: 'warning', code: 'O-117', message });
    }
  }

  /** Records calls that were still open when the run ended: such a client cannot show that the agent resisted. */
  function noteTrouble(client: PlayedActor, reason: string, isOutOfTime: boolean): void {
    const { name, loop } = client;
    const troubled = troubledCalls(loop.state(), reason, isOutOfTime);
    for (const troubledCall of troubled)
      record({ kind: 'connection', actor: name, event: 'closed', ...troubledCall });
    const wasCut = loop.state().phase >= 0 && !isDone(client, clock.now());
    if (wasCut && troubled.length === 0)
      record({ kind: 'connection', actor: name, event: 'closed', reason, cause: 'cut_off' });
  }

  async function openAll(some: readonly PlayedActor[]): Promise<void> {
    for (const { name, transport, loop } of some)
      try {
        const endpoint = await transport.open(loop.receive);
        endpoints.set(name, endpoint);
        options.opened?.(endpoint);
      } catch (thrown) {
        end('failed', `actor "${name}" cannot be opened: ${messageOf(thrown)}`);
        return;
      }
    for (const { loop } of some) loop.start();
  }

  async function launch(): Promise<void> {
    try {
      const launched = await options.launch?.(endpoints, skipped);
      if (launched === 'stopped') end('stopped');
    } catch (thrown) {
      const lack = lackOf(thrown);
      if (lack === undefined) trouble = `it cannot be launched: ${messageOf(thrown)}`;
      end('failed', lack);
    }
  }

  return {
    endpoints,
    skipped,
    ended,
    stop: (reason = 'stopped') => end(reason),
    async open() {
      for (const { name, mode } of skipped) warn(leftOut(name, mode, modes));
      await openAll(servers);
      if (!isEnding) await launch();
      if (isEnding || clients.length === 0) return;
      noticeTraffic();
      await openAll(clients);
    },
  };
}

/** A refused message may have come from any program, so it is not a sign of the agent. */
function isRefused(record: TraceRecord): boolean {
  return isMessageRecord(record) && record.refused !== undefined;
}

/** Kinds of records of a peer's actions that are not messages. */
const peerKinds: ReadonlySet<TraceRecord['kind']> = new Set(['connection', 'malformed']);

/** Sessions end without a message to us; this limits how late we notice. */
const lookEveryMs = 250;

function leftOut(actor: string, mode: string, modes: readonly PlayableMode[]): Diagnostic {
  const message = modes.some(({ binding }) => binding.mode === mode)
    ? `the actor "${actor}" has no agent to speak to, so it is left out`
    : `no binding plays the mode "${mode}", so the actor "${actor}" is skipped`;
  return { severity: 'warning', code: 'O-104', message };
}

function durationMs(text: string | undefined): number | undefined {
  const seconds = text === undefined ? undefined : parseDuration(text);
  return typeof seconds === 'number' ? seconds * 1_000 : undefined;
}
