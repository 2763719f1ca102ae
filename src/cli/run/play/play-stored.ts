import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentUnderTest } from '../../../agent/agent.ts';
import type { RunLimits } from '../../../engine/run-end.ts';
import type { Diagnostic } from '../../../model/errors.ts';
import type { RunEntry } from '../../../model/results.ts';
import type { Redactor } from '../../../secrets/redactor.ts';
import { conversationOf, type Task } from '../../../suite/plan.ts';
import { type PlayOptions, type PlayResult, playDocument } from '../../../suite/play.ts';
import { redactTrace } from '../../../suite/redact-trace.ts';
import type { ResultsFolder } from '../../../suite/results.ts';
import { systemClock } from '../../../transport/clock.ts';
import type { Exposure } from '../../../transport/exposure/exposure.ts';
import type { Sink } from '../../io.ts';
import type { Judgement } from '../../verdict/judgement.ts';
import type { Targets } from '../places/connect.ts';
import type { Addresses } from '../places/listen.ts';
import { modesFor } from '../places/modes.ts';
import { overStdio, type StdioActor } from '../places/stdio.ts';
import type { Playable } from '../plan/load-documents.ts';
import type { RunValues } from '../settings/layers.ts';
import type { A2aSettings } from '../settings/read-settings.ts';

/** What every run of a call has in common. */
export interface RunSettings {
  readonly values: Pick<
    RunValues,
    'delivery' | 'projections' | 'prompt' | 'quiet' | 'verbose' | 'showSecrets'
  >;
  /** What is taken out of whatever is stored and shown, where secrets are. */
  readonly redactor?: Redactor | undefined;
  readonly limits: Partial<RunLimits>;
  readonly addresses: Addresses;
  readonly targets: Targets;
  readonly a2a?: A2aSettings;
  readonly exposure?: Exposure | undefined;
  readonly stdio?: StdioActor | undefined;
  readonly folder: ResultsFolder;
  /** The folder as the user would type it. */
  readonly shown: string;
  readonly signal: AbortSignal;
  /** For what people look at. */
  readonly screen: Sink;
  /** For what must be said even when only verdicts are asked for. */
  readonly notices: Sink;
  /** Hears of each run that is stored. */
  stored?(entry: RunEntry): Promise<void>;
}

export interface FinishedRun {
  readonly kind: 'finished';
  readonly result: PlayResult;
  readonly judgement: Judgement;
  readonly started: string;
  readonly durationMs: number;
  readonly warnings: readonly Diagnostic[];
}

export interface UnavailableRun {
  readonly kind: 'unavailable';
  readonly reason: string;
  readonly hint: string;
}

/** Whoever connects is not known by name. */
export const external = { name: 'external', kind: 'external' } as const;

/** Plays a document once. Its trace is on disk then, and nothing else. */
export async function playOnce(
  { document, file }: Playable,
  agent: AgentUnderTest | undefined,
  task: Task,
  settings: RunSettings,
  hooks: Pick<PlayOptions, 'ready' | 'record'> = {},
  attempt = 1,
): Promise<FinishedRun | UnavailableRun> {
  const { values, folder, shown, stdio, redactor } = settings;
  const trace = folder.trace(task);
  // Whoever shows it masks shapes.
  const hider = values.showSecrets ? undefined : redactor?.withoutShapes;
  const started = systemClock.timestamp();
  let records = 0;
  let opened = false;
  const way = {
    modes: modesFor(settings.addresses, settings.a2a, settings.exposure),
    limits: settings.limits,
    signal: settings.signal,
  };
  const result = await playDocument(document, {
    ...(stdio === undefined ? way : overStdio(stdio, document, way)),
    agent,
    connect: settings.targets,
    allowedHosts: settings.a2a?.allowedHosts,
    prompt: values.prompt,
    conversation: conversationOf(task, attempt),
    clock: systemClock,
    demand: values.delivery,
    projections: values.projections,
    traceFile: join(folder.path, trace),
    ready(endpoints, skipped) {
      opened = true;
      hooks.ready?.(endpoints, skipped);
    },
    record(record) {
      records += 1;
      hooks.record?.(hider?.record(record) ?? record);
    },
  });
  if (!opened && result.end.error !== undefined)
    return {
      kind: 'unavailable',
      reason: result.end.error,
      hint: '--listen says where an actor listens; port 0, or leaving it out, takes a free one',
    };
  const { verdict, delivery, outcome, durationMs, end } = result;
  const judgement: Judgement = {
    document,
    file,
    trace: join(shown, trace),
    verdict: hider?.judged(verdict) ?? verdict,
    delivery,
    outcome: hider?.judged(outcome) ?? outcome,
    records,
    skippedLines: 0,
  };
  return { kind: 'finished', result, judgement, started, durationMs, warnings: end.diagnostics };
}

/** Stores what came of a run: its line is the last thing to be written, so that what has one is complete. */
export async function storeRun(
  { warnings }: Playable,
  task: Task,
  { result, started }: FinishedRun,
  attempts: number,
  { folder, redactor, notices, stored }: RunSettings,
): Promise<RunEntry> {
  if (redactor !== undefined) await redactOrRemove(redactor, join(folder.path, folder.trace(task)), notices);
  const entry = folder.addRun(task, result, { warnings, started, attempts });
  await stored?.(entry);
  return entry;
}

/** The secrets were to go for good; where they cannot be masked, the trace goes with them. */
async function redactOrRemove(redactor: Redactor, path: string, notices: Sink): Promise<void> {
  try {
    await redactTrace(path, redactor);
  } catch (thrown) {
    rmSync(path, { force: true });
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    await notices.write(`oatf: error: the trace could not be redacted, so it was removed: ${reason}\n`);
  }
}
