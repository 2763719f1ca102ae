import type { LogLevel } from '../model/enumerations.ts';
import type { Diagnostic } from '../model/errors.ts';
import type { NormalizedActor, NormalizedDocument } from '../model/normalized.ts';
import { isMessageRecord, type TraceRecord } from '../model/trace.ts';
import { setOwn, type Value, type ValueMap } from '../model/value.ts';
import { parseDuration } from '../primitives/parse-duration.ts';
import { compileActor } from './actor.ts';
import { type ActorLoop, createActorLoop } from './actor-loop.ts';
import type { ServerBinding } from './binding.ts';
import type { Unstamped } from './messages.ts';
import type { Clock, Endpoint, Transport } from './ports.ts';

/** A mode that can be played: what its messages mean, and how they move. */
export interface PlayableMode {
  readonly binding: ServerBinding;
  transport(actor: NormalizedActor): Transport;
}

export interface RunLimits {
  /** From the first traffic until the run ends, whatever happens; a grace period follows. */
  readonly sessionMs: number;
  /** How long terminal phases are served once every actor is in its own. */
  readonly terminalMs: number;
  /** How long a peer has to answer what it is asked within a request. */
  readonly askMs: number;
  /** Takes the place of the document's grace period. */
  readonly graceMs?: number | undefined;
}

export const defaultRunLimits: RunLimits = { sessionMs: 120_000, terminalMs: 300_000, askMs: 30_000 };

/** Quiet after the last session has ended, where neither the document nor the caller says how long to observe. */
const defaultQuietMs = 2_000;

/**
 * Most clients leave without ending their session. When none has been connected for this long, they are gone:
 * an agent that thinks between two calls keeps its connection, or comes back sooner.
 */
const abandonedMs = 30_000;

export interface RunOptions {
  readonly modes: readonly PlayableMode[];
  readonly clock: Clock;
  readonly limits?: Partial<RunLimits> | undefined;
  /** Every record, as it happens. */
  record(record: TraceRecord): void;
  log?(actor: string, level: LogLevel, message: string): void;
}

export type EndReason = 'idle' | 'session_limit' | 'terminal_limit' | 'stopped' | 'failed';

export interface RunEnd {
  readonly reason: EndReason;
  /** What failed the run, and where. */
  readonly error?: string;
  readonly diagnostics: readonly Diagnostic[];
  /** Actors that no binding could play. */
  readonly skipped: readonly string[];
}

export interface Run {
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  readonly skipped: readonly NormalizedActor[];
  readonly ended: Promise<RunEnd>;
  stop(): void;
}

/**
 * Plays a document: one path for one actor and for many. It resolves when every server is accepting
 * connections; `ended` when the run is over and every port has been given back.
 */
export async function startRun(document: NormalizedDocument, options: RunOptions): Promise<Run> {
  const run = createRun(document, options);
  await run.open();
  return run;
}

interface PlayedActor {
  readonly name: string;
  readonly phases: number;
  readonly transport: Transport;
  readonly loop: ActorLoop;
}

function createRun(document: NormalizedDocument, options: RunOptions): Run & { open(): Promise<void> } {
  const { clock, modes } = options;
  const limits = { ...defaultRunLimits, ...options.limits };
  const graceMs = limits.graceMs ?? durationMs(document.attack.gracePeriod);
  const diagnostics: Diagnostic[] = [];
  const endpoints = new Map<string, Endpoint>();
  let seq = 0;
  let firstTraffic: number | undefined;
  let lastTraffic = 0;
  let hadAgent = false;
  let ending: Promise<void> | undefined;
  let failure: string | undefined;
  let cancelWatch = (): void => {};
  let cutGrace = (): void => {};
  let settle: (end: RunEnd) => void;
  const ended = new Promise<RunEnd>((resolve) => {
    settle = resolve;
  });

  const playable = (actor: NormalizedActor): PlayableMode | undefined =>
    modes.find(({ binding }) => binding.mode === actor.mode);
  const skipped = document.attack.execution.actors.filter((actor) => playable(actor) === undefined);
  const actors = document.attack.execution.actors.flatMap((actor): PlayedActor[] => {
    const mode = playable(actor);
    if (mode === undefined) return [];
    const transport = mode.transport(actor);
    const loop = createActorLoop(compileActor(actor), mode.binding, transport, {
      clock,
      askMs: limits.askMs,
      shared,
      record,
      log: (name, level, message) => options.log?.(name, level, message),
      warn: (diagnostic) => warn(diagnostic),
      fail: (message) => end('failed', message),
    });
    return [{ name: actor.name, phases: actor.phases.length, transport, loop }];
  });

  function shared(): ValueMap {
    const values: Record<string, Value> = {};
    for (const { name, loop } of actors)
      for (const [key, value] of Object.entries(loop.state().values)) setOwn(values, `${name}.${key}`, value);
    return values;
  }

  /** The same warning for every message of a flood would be a flood itself. */
  function warn(diagnostic: Diagnostic): void {
    const known = diagnostics.some(
      ({ code, message }) => code === diagnostic.code && message === diagnostic.message,
    );
    if (!known && diagnostics.length < 200) diagnostics.push(diagnostic);
  }

  function record(unstamped: Unstamped<TraceRecord>): void {
    const stamped = { seq: seq++, timestamp: clock.timestamp(), ...unstamped } as TraceRecord;
    const fromPeer = isMessageRecord(stamped) ? stamped.origin === 'agent' : peerKinds.has(stamped.kind);
    if (fromPeer) {
      noticeTraffic();
      hadAgent ||= stamped.kind !== 'malformed';
    }
    options.record(stamped);
    // A session that has just ended may have been the last; the transport counts it once it is done with it.
    if (stamped.kind === 'connection') {
      cancelWatch();
      cancelWatch = clock.wakeAt(clock.now(), watch);
    }
  }

  function noticeTraffic(): void {
    lastTraffic = clock.now();
    if (firstTraffic !== undefined) return;
    firstTraffic = lastTraffic;
    cancelWatch = clock.wakeAt(lastTraffic, watch);
  }

  /** Looks whether the run is over, and when to look again. Without traffic there is no limit. */
  function watch(): void {
    cancelWatch();
    if (firstTraffic === undefined || ending !== undefined) return;
    const now = clock.now();
    const deadlines: [EndReason, number][] = [['session_limit', firstTraffic + limits.sessionMs]];
    const terminalSince = terminalPhaseSince();
    if (terminalSince !== undefined)
      deadlines.push(['terminal_limit', Math.max(terminalSince, firstTraffic) + limits.terminalMs]);
    // Garbage alone is no agent that has left.
    if (hadAgent && actors.every(({ transport }) => transport.openSessions() === 0))
      deadlines.push(['idle', lastTraffic + (graceMs ?? defaultQuietMs)]);
    else if (hadAgent && actors.every(({ transport }) => !transport.isConnected()))
      deadlines.push(['idle', lastTraffic + Math.max(abandonedMs, graceMs ?? 0)]);
    const [reason, at] = deadlines.reduce((first, next) => (next[1] < first[1] ? next : first));
    if (at <= now) end(reason);
    else cancelWatch = clock.wakeAt(Math.min(at, now + lookEveryMs), watch);
  }

  /** When the last actor entered its terminal phase; nothing while any has not. */
  function terminalPhaseSince(): number | undefined {
    let since = 0;
    for (const { loop, phases } of actors) {
      const { phase, enteredAt } = loop.state();
      if (phase < phases - 1) return undefined;
      since = Math.max(since, enteredAt);
    }
    return since;
  }

  function end(reason: EndReason, error?: string): void {
    failure ??= error;
    // A failure or a caller that has enough ends the grace period, too.
    cutGrace();
    ending ??= close(reason);
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
    for (const { loop } of actors) loop.stop();
    await Promise.allSettled(actors.map(({ transport }) => transport.close()));
    settle({
      reason: failure === undefined ? reason : 'failed',
      ...(failure !== undefined && { error: failure }),
      diagnostics,
      skipped: skipped.map(({ name }) => name),
    });
  }

  return {
    endpoints,
    skipped,
    ended,
    stop: () => end('stopped'),
    async open() {
      for (const { name, mode } of skipped)
        warn({
          severity: 'warning',
          code: 'O-104',
          message: `no binding plays the mode "${mode}", so the actor "${name}" is skipped`,
        });
      for (const { name, transport, loop } of actors)
        try {
          endpoints.set(name, await transport.open(loop.receive));
        } catch (thrown) {
          end(
            'failed',
            `actor "${name}" cannot be opened: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
          );
          return;
        }
      for (const { loop } of actors) loop.start();
    },
  };
}

/** Records of what a peer did that are no messages. */
const peerKinds: ReadonlySet<TraceRecord['kind']> = new Set(['connection', 'malformed']);

/** Sessions end without a message to us; this bounds how late that is noticed. */
const lookEveryMs = 250;

function durationMs(text: string | undefined): number | undefined {
  const seconds = text === undefined ? undefined : parseDuration(text);
  return typeof seconds === 'number' ? seconds * 1_000 : undefined;
}
