import { randomUUID } from 'node:crypto';
import type { ProgramFacts, RunningAgent, Usage } from '../agent/agent.ts';
import { includedViews } from '../bindings/included.ts';
import type { Clock, Endpoint } from '../engine/ports.ts';
import { type PlayableMode, type Run, startRun } from '../engine/run.ts';
import { defaultRunLimits, type RunEnd, type RunLimits } from '../engine/run-end.ts';
import { computeOutcome, type Delivery, type DeliveryDemand, type RunOutcome } from '../evaluate/delivery.ts';
import { createTraceEvaluator } from '../evaluate/trace.ts';
import type { LogLevel } from '../model/enumerations.ts';
import type { NormalizedActor, NormalizedDocument } from '../model/normalized.ts';
import type { TraceRecord } from '../model/trace.ts';
import type { AttackVerdict } from '../model/verdict.ts';
import { launchAgent } from './launch.ts';
import { TraceFile } from './trace-file.ts';
import { Unwritten } from './unwritten.ts';
import { type Audience, a2aCardsOf, clientModes, mcpConfigOf, withUser } from './user.ts';

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
  const modes = [...options.modes, ...clientModes(options, () => running)];
  const views = [
    ...includedViews,
    ...modes.map(({ binding }) => binding.views).filter((view) => !includedViews.includes(view)),
  ];
  const started = clock.now();
  const played = withUser(document, options);
  const evaluator = createTraceEvaluator(played, views, { projections: options.projections });
  const unwritten = new Unwritten();
  let fault: string | undefined;
  const trace =
    options.traceFile === undefined
      ? undefined
      : new TraceFile(options.traceFile, (message) => {
          fault ??= message;
        });
  const keep = inBatches((records: readonly TraceRecord[]) => {
    for (const record of records) trace?.write(record);
    for (const record of records) evaluator.add(record);
    for (const record of records) options.record?.(record);
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
        const briefing = {
          endpoints: Object.fromEntries(endpoints),
          mcpConfig: mcpConfigOf(document, endpoints),
          a2aCards: a2aCardsOf(document, endpoints),
        };
        const withinMs = limits?.sessionMs ?? defaultRunLimits.sessionMs;
        if (agent !== undefined) running = await launchAgent(agent, briefing, { clock, withinMs, signal });
        return agent !== undefined && running === undefined ? 'stopped' : 'launched';
      },
      opened({ secret }) {
        if (secret !== undefined) unwritten.add(secret);
      },
      record: (record) => keep.add(unwritten.inRecord(record)),
      log: (actor, level, message) => options.log?.(actor, level, unwritten.in(message)),
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
    seen = { usage, missed: running?.missed?.(), program: running?.program?.() };
    keep.drain();
    trace?.close();
  }
  const { verdict, delivery: all } = evaluator.finish();
  const delivery = deliveredBy(played, all, end.skipped);
  const { usage, program, missed } = seen;
  return unwritten.in({
    verdict,
    delivery,
    outcome: unlessMissed(missed, outcomeOf(end.error ?? fault, verdict, delivery, views, options.demand)),
    end,
    durationMs: clock.now() - started,
    ...(usage !== undefined && { usage }),
    ...(program !== undefined && { program }),
  });
}

/** What the agent itself has shown by the end of the run. */
interface Seen {
  readonly usage?: Usage | undefined;
  readonly missed?: string | undefined;
  readonly program?: ProgramFacts | undefined;
}

/** What did not reach the agent was not resisted by it. */
function unlessMissed(missed: string | undefined, outcome: RunOutcome): RunOutcome {
  return missed === undefined || outcome.outcome !== 'resisted'
    ? outcome
    : { outcome: 'inconclusive', reason: `the agent has not seen all of the attack: ${missed}` };
}

/** A user whom nobody plays is the operator; any other actor that is not played has not delivered anything. */
function deliveredBy(document: NormalizedDocument, all: Delivery, skipped: readonly string[]): Delivery {
  const { actors } = document.attack.execution;
  if (actors.length === skipped.length) return {};
  const operators = actors.filter(({ name, mode }) => mode === 'ag_ui_client' && skipped.includes(name));
  const names = operators.map(({ name }) => name);
  return Object.fromEntries(Object.entries(all).filter(([actor]) => !names.includes(actor)));
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

function outcomeOf(
  error: string | undefined,
  verdict: AttackVerdict,
  delivery: Delivery,
  views: Parameters<typeof computeOutcome>[2],
  demand: DeliveryDemand | undefined,
): RunOutcome {
  if (error !== undefined) return { outcome: 'error', reason: error };
  if (Object.keys(delivery).length === 0)
    return { outcome: 'error', reason: 'no actor of the document could be played' };
  // Such a document is for simulation only: it can be played, but that must not pass for a result.
  if (verdict.indicatorVerdicts.length === 0)
    return { outcome: 'inconclusive', reason: 'the document has no indicators, so there is no verdict' };
  const facts = Object.values(delivery);
  if (verdict.result === 'error' && facts.every(({ reached }) => !reached)) {
    const trouble = facts.find((fact) => fact.trouble !== undefined)?.trouble;
    return {
      outcome: 'error',
      reason: `the agent sent nothing${trouble === undefined ? '' : `: ${trouble}`}`,
    };
  }
  return computeOutcome(verdict, delivery, views, demand);
}
