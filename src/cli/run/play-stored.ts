import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentUnderTest } from '../../agent/agent.ts';
import type { RunLimits } from '../../engine/run-end.ts';
import type { Diagnostic } from '../../model/errors.ts';
import { type PlayOptions, playDocument } from '../../suite/play.ts';
import type { ResultsFolder } from '../../suite/results.ts';
import { systemClock } from '../../transport/clock.ts';
import type { Arguments } from '../commands.ts';
import type { Sink } from '../io.ts';
import type { Judgement } from '../verdict/judgement.ts';
import type { Targets } from './connect.ts';
import type { Addresses } from './listen.ts';
import type { Playable } from './load-documents.ts';
import { modesFor } from './modes.ts';
import { redactTrace } from './redact.ts';

/** What every run of a call has in common. */
export interface RunSettings {
  readonly values: Pick<
    Arguments<'run'>,
    'delivery' | 'projections' | 'redact' | 'prompt' | 'quiet' | 'verbose' | 'showSecrets'
  >;
  readonly limits: Partial<RunLimits>;
  readonly addresses: Addresses;
  readonly targets: Targets;
  readonly folder: ResultsFolder;
  /** The folder as the user would type it. */
  readonly shown: string;
  readonly signal: AbortSignal;
  /** For what people look at. */
  readonly screen: Sink;
  /** For what must be said even when only verdicts are asked for. */
  readonly notices: Sink;
}

export type Stored =
  | {
      readonly kind: 'finished';
      readonly judgement: Judgement;
      readonly durationMs: number;
      readonly warnings: readonly Diagnostic[];
    }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly hint: string };

/** Whoever connects is not known by name. */
export const external = { name: 'external', kind: 'external' } as const;

/** Plays a document once and stores what came of it. `trace` is relative to the folder. */
export async function playStored(
  { document, file, warnings }: Playable,
  agent: AgentUnderTest | undefined,
  trace: string,
  settings: RunSettings,
  hooks: Pick<PlayOptions, 'ready' | 'record'> = {},
): Promise<Stored> {
  const { values, limits, folder, shown, notices } = settings;
  let records = 0;
  let opened = false;
  const result = await playDocument(document, {
    modes: modesFor(settings.addresses),
    agent,
    connect: (actor) => settings.targets(actor)?.url,
    prompt: values.prompt,
    clock: systemClock,
    limits,
    demand: values.delivery,
    projections: values.projections,
    traceFile: join(folder.path, trace),
    signal: settings.signal,
    ready(endpoints, skipped) {
      opened = true;
      hooks.ready?.(endpoints, skipped);
    },
    record(record) {
      records += 1;
      hooks.record?.(record);
    },
  });
  if (!opened && result.end.error !== undefined)
    return {
      kind: 'unavailable',
      reason: result.end.error,
      hint: '--listen says where an actor listens; port 0, or leaving it out, takes a free one',
    };
  const { name } = agent ?? external;
  folder.addRun({ document, path: file, warnings, agent: name, repeat: 1, trace }, result);
  if (values.redact) await redactOrRemove(join(folder.path, trace), notices);
  const { verdict, delivery, outcome, durationMs, end } = result;
  const judgement: Judgement = {
    document,
    file,
    trace: join(shown, trace),
    verdict,
    delivery,
    outcome,
    records,
    skippedLines: 0,
  };
  return { kind: 'finished', judgement, durationMs, warnings: end.diagnostics };
}

/** The secrets were to go for good; where they cannot be masked, the trace goes with them. */
async function redactOrRemove(path: string, notices: Sink): Promise<void> {
  try {
    await redactTrace(path);
  } catch (thrown) {
    rmSync(path, { force: true });
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    await notices.write(`oatf: error: the trace could not be redacted, so it was removed: ${reason}\n`);
  }
}
