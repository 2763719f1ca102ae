import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RunLimits } from '../../engine/run.ts';
import type { RunOutcome } from '../../evaluate/delivery.ts';
import { playDocument } from '../../suite/play.ts';
import type { ResultsFolder } from '../../suite/results.ts';
import { systemClock } from '../../transport/clock.ts';
import type { Arguments } from '../commands.ts';
import type { Sink } from '../io.ts';
import type { Judgement } from '../verdict/judgement.ts';
import { judgementToLine, judgementToText, titleOf } from '../verdict/text.ts';
import { endpointLines, invitation } from './invitation.ts';
import type { Addresses } from './listen.ts';
import { createLiveView } from './live-view.ts';
import type { Playable } from './load-documents.ts';
import { modesFor } from './modes.ts';
import { redactTrace } from './redact.ts';
import { warningLine } from './report.ts';

export interface PlayOneOptions {
  readonly values: Arguments<'run'>;
  readonly limits: Partial<RunLimits>;
  readonly addresses: Addresses;
  readonly agent: string;
  readonly folder: ResultsFolder;
  /** Relative to the folder. */
  readonly trace: string;
  /** The folder as the user would type it. */
  readonly shown: string;
  /** Which of how many, where there is more than one. */
  readonly place: string;
  readonly signal: AbortSignal;
  readonly screen: Sink;
  /** For what must be said even when only verdicts are asked for. */
  readonly notices: Sink;
}

export type Played =
  | { readonly kind: 'finished'; readonly outcome: RunOutcome; readonly line: string }
  | { readonly kind: 'unavailable'; readonly reason: string; readonly hint?: string };

/** Plays one document before the operator's eyes, and stores what came of it. */
export async function playOne(playable: Playable, options: PlayOneOptions): Promise<Played> {
  const { values, folder, trace, screen, notices, shown } = options;
  const { document, file, warnings } = playable;
  const { quiet, showSecrets, verbose } = values;
  const live = createLiveView({ sink: screen, verbose, showSecrets });
  const shownOnTop: Promise<void>[] = [];
  let records = 0;
  let opened = false;
  if (!quiet) await screen.write(heading(playable, options));
  const result = await playDocument(document, {
    modes: modesFor(document, options.addresses),
    clock: systemClock,
    limits: options.limits,
    demand: values.delivery,
    projections: values.projections,
    traceFile: join(folder.path, trace),
    signal: options.signal,
    ready(endpoints, skipped) {
      opened = true;
      shownOnTop.push(
        quiet
          ? notices.write(endpointLines(endpoints))
          : screen.write(invitation(document, endpoints, skipped, screen)),
      );
      if (!quiet) live.start();
    },
    record(record) {
      records += 1;
      if (!quiet) live.record(record);
    },
  });
  if (!opened && result.end.error !== undefined)
    return {
      kind: 'unavailable',
      reason: result.end.error,
      hint: '--listen says where an actor listens; port 0, or leaving it out, takes a free one',
    };
  await Promise.all(shownOnTop);
  await live.settled();
  folder.addRun({ document, path: file, warnings, agent: options.agent, repeat: 1, trace }, result);
  if (values.redact) await redactOrRemove(join(folder.path, trace), notices);
  const judgement: Judgement = {
    document,
    file,
    trace: join(shown, trace),
    verdict: result.verdict,
    delivery: result.delivery,
    outcome: result.outcome,
    records,
    skippedLines: 0,
  };
  const line = judgementToLine(judgement, screen);
  if (quiet) await screen.write(line);
  else {
    const warned = result.end.diagnostics.filter(({ code }) => code !== skippedActor);
    await screen.write(
      `${records === 0 ? '' : '\n'}${warned.map((warning) => warningLine(warning, screen)).join('')}` +
        `${judgementToText(judgement, { sink: screen, showSecrets })}`,
    );
  }
  return { kind: 'finished', outcome: result.outcome, line };
}

/** Actors that nothing plays are told of before the run. */
const skippedActor = 'O-104';

function heading({ document, file }: Playable, { place, screen }: PlayOneOptions): string {
  const { colours } = screen;
  const where = [place, file].filter((part) => part !== '').join(', ');
  return `${colours.bold(titleOf(document))}  ${colours.dim(where)}\n\n`;
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
