import type { PlayableMode } from '../engine/run.ts';
import type { RunOutcome } from '../evaluate/delivery.ts';
import { visible } from '../report/visible.ts';
import { serverModes } from '../suite/modes.ts';
import { type PlayOptions, type PlayResult, playDocument } from '../suite/play.ts';
import { systemClock } from '../transport/clock.ts';
import type { ChosenAgent } from './agents.ts';
import type { Playable } from './documents.ts';
import { evidenceIn } from './evidence.ts';
import { keepTrace } from './keep-trace.ts';
import type { AttackOptions, Pace } from './options.ts';
import type { AttackRun } from './result.ts';

export interface PlayedRun {
  readonly run: AttackRun;
  readonly played: PlayResult;
  readonly started: string;
}

/** Plays a document once. Nothing of it is left when this resolves. */
export async function playRun(
  { document }: Playable,
  chosen: ChosenAgent,
  options: AttackOptions,
  { timeoutMs, graceMs }: Pace,
  { traceFile, conversation }: Pick<PlayOptions, 'traceFile' | 'conversation'>,
): Promise<PlayedRun> {
  const { connect, signal, prompt, delivery: demand, projections } = options;
  const started = systemClock.timestamp();
  const trace = keepTrace();
  let thrown: { readonly error: unknown } | undefined;
  const result = await playDocument(document, {
    modes: modesFor(options),
    agent: chosen.forRun((error) => {
      thrown ??= { error };
    }),
    connect: ({ name }) =>
      connect !== undefined && Object.hasOwn(connect, name) ? connect[name] : undefined,
    prompt,
    conversation,
    clock: systemClock,
    limits: { sessionMs: timeoutMs, ...(graceMs !== undefined && { graceMs }) },
    demand,
    projections,
    signal,
    traceFile,
    record: trace.add,
  });
  const played = { ...result, outcome: unlessCancelled(result.outcome, signal) };
  const run = toRun(document, played, trace);
  return { run: thrown === undefined ? run : { ...run, thrown: thrown.error }, played, started };
}

function modesFor({ transport, listen }: AttackOptions): readonly PlayableMode[] {
  return serverModes({
    address: ({ name }) =>
      listen !== undefined && Object.hasOwn(listen, name) ? { port: listen[name] ?? 0 } : undefined,
    inMemory: transport === 'memory',
  });
}

/** What was broken off was not resisted, however little was left of it. */
function unlessCancelled(outcome: RunOutcome, signal: AbortSignal | undefined): RunOutcome {
  const hasSucceeded = outcome.outcome === 'exploited' || outcome.outcome === 'partial';
  if (signal === undefined || !signal.aborted || hasSucceeded) return outcome;
  const { reason } = signal;
  const why = reason instanceof Error ? reason.message : String(reason);
  return { outcome: 'inconclusive', reason: `the attack was cancelled: ${visible(why)}` };
}

function toRun(
  document: Playable['document'],
  { verdict, delivery, outcome, end, durationMs, usage, program }: PlayResult,
  trace: ReturnType<typeof keepTrace>,
): AttackRun {
  return {
    outcome: outcome.outcome,
    ...('reason' in outcome && { reason: outcome.reason }),
    verdict,
    evidence: evidenceIn(document, verdict, trace.records),
    delivery,
    end: end.reason,
    durationMs,
    ...(usage !== undefined && { usage }),
    ...(program !== undefined && { program }),
    diagnostics: end.diagnostics,
    trace: trace.records,
    traceLeftOut: trace.leftOut,
  };
}
