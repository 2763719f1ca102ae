import { randomUUID } from 'node:crypto';
import type { ProgramFacts, RunningAgent, Usage } from '../agent/agent.ts';
import { includedViews } from '../bindings/included.ts';
import type { Clock, Endpoint } from '../engine/ports.ts';
import { type PlayableMode, type Run, startRun } from '../engine/run.ts';
import { defaultRunLimits, type RunEnd, type RunLimits } from '../engine/run-end.ts';
import type { Delivery, DeliveryDemand, RunOutcome } from '../evaluate/delivery.ts';
import { createTraceEvaluator } from '../evaluate/trace.ts';
import type { LogLevel } from '../model/enumerations.ts';
import type { CelEvaluator } from '../model/extension-points.ts';
import type { NormalizedActor, NormalizedDocument } from '../model/normalized.ts';
import type { TraceRecord } from '../model/trace.ts';
import type { AttackVerdict } from '../model/verdict.ts';
import { userMode } from '../registry/modes.ts';
import { GivenValues } from '../secrets/given.ts';
import { createRedactor } from '../secrets/redactor.ts';
import { launchAgent } from './launch.ts';
import { deliveredBy, doorless, outcomeOf } from './outcome.ts';
import { TraceFile } from './trace-file.ts';
import { type Audience, a2aCardsOf, clientModes, mcpConfigOf, playedDocument, userActor } from './user.ts';

/** How a document is played once. */
export interface PlayOptions extends Audience {
  /** How actors are played, beside client actors, which speak to the agent or to whom they are connected. */
  readonly modes: readonly PlayableMode[];
  readonly clock: Clock;
  readonly limits?: Partial<RunLimits> | undefined;
  readonly demand?: DeliveryDemand | undefined;
  readonly projections?: boolean | undefined;
  /** Where the trace goes; without it nothing is written. */
  readonly traceFile?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called once every server accepts connections. */
  ready?(endpoints: ReadonlyMap<string, Endpoint>, skipped: readonly NormalizedActor[]): void;
  record?(record: TraceRecord): void;
  log?(actor: string, level: LogLevel, message: string): void;
}

/** How a run went, and what it comes to. */
export interface PlayResult {
  readonly verdict: AttackVerdict;
  readonly delivery: Delivery;
  readonly outcome: RunOutcome;
  readonly end: RunEnd;
  readonly durationMs: number;
  /** What the agent's model took, where it counts. */
  readonly usage?: Usage;
  /** What was seen of the agent's program, where it is one that is launched. */
  readonly program?: ProgramFacts;
}

/** Plays a document and judges it while it runs. Each call has its own ports, sessions, values and trace. */
export async function playDocument(document: NormalizedDocument, options: PlayOptions): Promise<PlayResult> {
  const { clock, limits, signal, agent } = options;
  let running: RunningAgent | undefined;
  let seen: Seen = {};
  let isSpokenTo = false;
  const spoken = (): void => {
    isSpokenTo = true;
  };
  const modes = [...options.modes, ...clientModes(options, () => running, spoken)];
  const views = [
    ...includedViews,
    ...modes.map(({ binding }) => binding.views).filter((view) => !includedViews.includes(view)),
  ];
  const started = clock.now();
  const played = playedDocument(document, options);
  const evaluator = createTraceEvaluator(played, views, {
    cel: await celFor(played),
    projections: options.projections,
  });
  // The doors' secrets are nobody's answer, so they are covered before anything is judged; those of the agent are
  // what an attack may be after.
  const ofDoors = new GivenValues();
  const ofAgent = new GivenValues();
  const judged = createRedactor({ shapes: false, given: ofDoors });
  const stored = createRedactor({ shapes: false, given: ofAgent });
  let fault: string | undefined;
  const trace =
    options.traceFile === undefined
      ? undefined
      : new TraceFile(options.traceFile, (message) => {
          fault ??= message;
        });
  let last = -1;
  const keep = inBatches((records: readonly TraceRecord[]) => {
    for (const record of records) evaluator.add(record);
    for (const record of records) {
      const kept = stored.record(record);
      trace?.write(kept);
      options.record?.(kept);
    }
    last = records.at(-1)?.seq ?? last;
    if (fault !== undefined) stop();
  });
  let run: Run | undefined;
  const stop = (): void => run?.stop();
  let end: RunEnd;
  let callersFault: { readonly thrown: unknown } | undefined;
  const announce: NonNullable<PlayOptions['ready']> = (endpoints, skipped) => {
    try {
      options.ready?.(endpoints, skipped);
    } catch (thrown) {
      callersFault = { thrown };
      throw thrown;
    }
  };
  try {
    run = await startRun(played, {
      modes,
      clock,
      limits,
      freshId: randomUUID,
      async launch(endpoints, skipped) {
        announce(endpoints, skipped);
        const withinMs = limits?.sessionMs ?? defaultRunLimits.sessionMs;
        const briefing = {
          withinMs,
          endpoints: Object.fromEntries(endpoints),
          mcpConfig: mcpConfigOf(document, endpoints),
          a2aCards: a2aCardsOf(document, endpoints),
        };
        if (agent !== undefined) running = await launchAgent(agent, briefing, { clock, withinMs, signal });
        for (const secret of running?.secrets ?? []) ofAgent.add(secret);
        return agent !== undefined && running === undefined ? 'stopped' : 'launched';
      },
      opened({ secret }) {
        if (secret !== undefined) ofDoors.add(secret);
      },
      record: (record) => keep.add(judged.record(record)),
      log: (actor, level, message) => options.log?.(actor, level, stored.text(judged.text(message))),
    });
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    // Nobody can come to a run without doors, and without traffic it would never end.
    if (run.endpoints.size === 0) run.stop();
    end = await run.ended;
    if (callersFault !== undefined) throw callersFault.thrown;
  } catch (thrown) {
    // A caller that fails must not leave a server behind.
    stop();
    await run?.ended;
    throw thrown;
  } finally {
    signal?.removeEventListener('abort', stop);
    const usage = running?.usage?.();
    await running?.stop();
    seen = { usage, program: running?.program?.() };
    keep.drain();
    const missed = running?.missed?.() ?? unspoken(running, isSpokenTo);
    if (missed !== undefined) {
      keep.add(unseenRecord(played, missed, last + 1, clock.timestamp()));
      keep.drain();
    }
    trace?.close();
  }
  const { verdict, delivery: all } = evaluator.finish();
  const delivery = deliveredBy(played, all, end.skipped);
  const { usage, program } = seen;
  return stored.value(
    judged.value({
      verdict,
      delivery,
      outcome:
        doorless(played, options, end.skipped, verdict) ??
        outcomeOf(end.error ?? fault, verdict, delivery, views, options.demand),
      end,
      durationMs: clock.now() - started,
      ...(usage !== undefined && { usage }),
      ...(program !== undefined && { program }),
    }),
  );
}

/** CEL takes long to load, and most documents have no expressions. */
async function celFor({ attack }: NormalizedDocument): Promise<CelEvaluator | null> {
  if (!attack.indicators?.some(({ expression }) => expression !== undefined)) return null;
  return (await import('../evaluate/cel-evaluator.ts')).createCelEvaluator();
}

/** What the agent itself has shown by the end of the run. */
interface Seen {
  readonly usage?: Usage | undefined;
  readonly program?: ProgramFacts | undefined;
}

/** An agent that runs only when it is spoken to has not run at all where nobody did. */
function unspoken(running: RunningAgent | undefined, isSpokenTo: boolean): string | undefined {
  return typeof running?.doors.ag_ui === 'function' && !isSpokenTo ? 'nobody spoke to it' : undefined;
}

/** What did not reach the agent was not resisted by it: the trace has to say so to whoever judges it again. */
function unseenRecord(
  { attack }: NormalizedDocument,
  missed: string,
  seq: number,
  timestamp: string,
): TraceRecord {
  const user = attack.execution.actors.find(({ mode }) => mode === userMode)?.name ?? userActor;
  const message = `not all of the run can be judged: ${missed}`;
  return { seq, timestamp, actor: user, kind: 'log', level: 'warn', message, missed };
}

/** How long records are gathered, and how many of them. */
const gatherMs = 2;
const mostGathered = 512;

/**
 * Peers are answered first. What a moment has brought is then written and judged together, which costs less than
 * doing it between two answers.
 */
function inBatches<T>(handle: (batch: readonly T[]) => void): { add(item: T): void; drain(): void } {
  let batch: T[] = [];
  let timer: NodeJS.Timeout | undefined;
  const drain = (): void => {
    clearTimeout(timer);
    const items = batch;
    batch = [];
    handle(items);
  };
  return {
    add(item) {
      batch.push(item);
      if (batch.length === 1) timer = setTimeout(drain, gatherMs);
      // After the turn of the event loop that has brought them, so that its answers go first.
      else if (batch.length === mostGathered) setImmediate(drain);
    },
    drain,
  };
}
