import { redactorFor } from '../../../secrets/redactor.ts';
import type { PlannedAttack } from '../../../suite/plan.ts';
import { judgementToLine, judgementToText, titleOf } from '../../verdict/text.ts';
import type { Playable } from '../plan/load-documents.ts';
import { endpointLines, invitation } from '../view/invitation.ts';
import { createLiveView } from '../view/live-view.ts';
import { warningLine } from '../view/report.ts';
import { playOnce, type RunSettings, storeRun, type UnavailableRun } from './play-stored.ts';

export type AwaitedRun = { readonly kind: 'finished'; readonly line: string } | UnavailableRun;

/** Plays a document before the operator's eyes, for whatever agent they connect. */
export async function awaitAgent(
  playable: Playable,
  attack: PlannedAttack,
  place: string,
  settings: RunSettings,
): Promise<AwaitedRun> {
  const { document } = playable;
  const { screen, notices } = settings;
  const { quiet, showSecrets, verbose } = settings.values;
  const look = { sink: screen, redactor: redactorFor(showSecrets) };
  const live = createLiveView({ ...look, verbose });
  const shownOnTop: Promise<void>[] = [];
  const task = { attack, repeat: 1 };
  if (!quiet) await screen.write(heading(playable, place, settings));
  const played = await playOnce(playable, undefined, task, settings, {
    ready(endpoints, skipped) {
      const told = quiet
        ? endpointLines(endpoints)
        : invitation(document, endpoints, skipped, screen, settings.values.prompt);
      shownOnTop.push((quiet ? notices : screen).write(told));
      if (!quiet) live.start();
    },
    record(record) {
      if (!quiet) live.record(record);
    },
  });
  if (played.kind === 'unavailable') return played;
  await storeRun(playable, task, played, 1, settings);
  await Promise.all(shownOnTop);
  await live.settled();
  const { judgement } = played;
  const line = judgementToLine(judgement, look);
  if (quiet) await screen.write(line);
  else {
    const warned = played.warnings.filter(({ code }) => code !== skippedActor);
    await screen.write(
      `${judgement.records === 0 ? '' : '\n'}${warned.map((warning) => warningLine(warning, screen)).join('')}` +
        `${judgementToText(judgement, look)}`,
    );
  }
  return { kind: 'finished', line };
}

/** Actors that nothing plays are told of before the run. */
const skippedActor = 'O-104';

function heading({ document, file }: Playable, place: string, { screen }: RunSettings): string {
  const { colours } = screen;
  const where = [place, file].filter((part) => part !== '').join(', ');
  return `${colours.bold(titleOf(document))}  ${colours.dim(where)}\n\n`;
}
