import { selectRedactor } from '../../../secrets/redactor.ts';
import type { PlayableDocument } from '../../../suite/plan/plan.ts';
import { formatDocumentTitle, formatJudgement, formatJudgementLine } from '../../verdict/verdict-text.ts';
import type { Operator } from '../play/operator.ts';
import type { CommandRunSettings } from '../play/run-settings.ts';
import { formatEndpoints, formatInvitation } from './invitation.ts';
import { createLiveView, type LiveView } from './live-view.ts';
import { formatRunSummary, formatWarning } from './run-summary.ts';
import type { RunView } from './run-view.ts';

/** Shows one document after the other, for the agent that the operator connects to each. */
export function createAwaitView(total: number, settings: CommandRunSettings, operator: Operator): RunView {
  const { screen, notices } = settings;
  const { quiet, showSecrets, verbose, prompt } = settings.values;
  const look = { sink: screen, redactor: selectRedactor(showSecrets), verbose };
  const lines: string[] = [];
  let shownOnTop: Promise<void>[] = [];
  let live: LiveView;
  return {
    async begin({ attack }, playable) {
      const view = createLiveView({ ...look, verbose });
      live = view;
      shownOnTop = [];
      if (!quiet) {
        for (const warning of playable.warnings) await notices.write(formatWarning(warning, notices, playable.file));
        const place = total === 1 ? '' : `${attack.index + 1} of ${total}`;
        await screen.write(formatAwaitHeading(playable, place, settings));
      }
      const { control, record } = operator.begin();
      return {
        control,
        ready(endpoints, skipped) {
          const told = quiet
            ? formatEndpoints(endpoints)
            : formatInvitation(playable.document, endpoints, skipped, screen, {
                prompt,
                hasOperator: operator.isThere,
              });
          shownOnTop.push((quiet ? notices : screen).write(told));
          if (!quiet) view.start();
        },
        record(each) {
          record(each);
          if (!quiet) view.record(each);
        },
      };
    },
    async finished(_, { judgement, warnings }) {
      await Promise.all(shownOnTop);
      await live.settled();
      const line = formatJudgementLine(judgement, look);
      lines.push(line);
      if (quiet) return screen.write(line);
      const warned = warnings.filter(({ code }) => code !== skippedActor);
      await screen.write(
        `${judgement.records === 0 ? '' : '\n'}${warned.map((warning) => formatWarning(warning, screen)).join('')}` +
          `${formatJudgement(judgement, look)}`,
      );
    },
    async ended() {
      operator.leave();
      if (!quiet && lines.length > 0) await screen.write(formatRunSummary(lines, total, screen));
    },
  };
}

/** Actors that cannot be played are reported before the run. */
const skippedActor = 'O-104';

function formatAwaitHeading(
  { document, file }: PlayableDocument,
  place: string,
  { screen }: CommandRunSettings,
): string {
  const { colours } = screen;
  const where = [place, file].filter((part) => part !== '').join(', ');
  return `${colours.bold(formatDocumentTitle(document))}  ${colours.dim(where)}\n\n`;
}
