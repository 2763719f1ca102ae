import type { Arguments, Command } from '../commands.ts';
import { complain, type Io } from '../io.ts';
import { isSelective, selectDocuments } from '../library/select.ts';
import type { Outcome } from '../outcome.ts';
import { attackAgents } from '../run/attack-agents.ts';
import { attackTable } from '../run/attack-view.ts';
import { type AwaitedRun, awaitAgent } from '../run/await-agent.ts';
import { loadDocuments, type Playable } from '../run/load-documents.ts';
import { type PlayedAll, playInto } from '../run/play-into.ts';
import { external, type RunSettings } from '../run/play-stored.ts';
import { meantBy } from '../run/read-settings.ts';
import { summary, warningLine } from '../run/report.ts';
import { visible } from '../terminal/visible.ts';
import { exitFor } from '../verdict/exit.ts';

export const run: Command<'run'> = async (values, io) => {
  const loaded = await documentsFor(values, io);
  if ('exit' in loaded) return loaded;
  const meant = meantBy(
    values,
    loaded.map(({ document }) => document),
  );
  if ('message' in meant) return complain(io, 'usage', `run: ${visible(meant.message)}`, visible(meant.hint));
  const { agents } = meant;
  return playInto(
    { ...values, command: 'run', agents: agents.length === 0 ? [external] : agents },
    io,
    (place) => {
      const settings = { ...meant, values, ...place };
      return agents.length === 0 ? awaitAgents(loaded, settings, io) : attack(loaded, agents, settings, io);
    },
    (outcomes) => ({ exit: exitFor(outcomes) }),
  );
};

async function documentsFor(values: Arguments<'run'>, io: Io): Promise<readonly Playable[] | Outcome> {
  if (values.documents.length === 0 && values.agent.length === 0 && !isSelective(values))
    return complain(
      io,
      'usage',
      'run: no documents are given',
      'name files, folders or ids of the library; with --agent, leaving them out means the whole library',
    );
  const selected = await selectDocuments(values.documents, values, io);
  if (selected.kind === 'failed') return selected.outcome;
  if (selected.sources.length === 0)
    return complain(io, 'usage', 'run: no document passes the filters', 'oatf list shows what there is');
  const loaded = await loadDocuments(selected.sources, io);
  return loaded.kind === 'failed' ? loaded.outcome : loaded.playables;
}

async function attack(
  playables: readonly Playable[],
  agents: Parameters<typeof attackAgents>[1],
  settings: RunSettings,
  io: Io,
): Promise<PlayedAll> {
  const { screen, values } = settings;
  const { rows, unavailable } = await attackAgents(playables, agents, settings);
  const outcomes = rows.flat().map(({ judgement }) => judgement.outcome);
  if (!values.quiet && rows.length > 1) await screen.write(`\n${attackTable(rows, agents, screen)}`);
  if (unavailable === undefined) return { outcomes };
  const { reason, hint } = unavailable;
  return { outcomes, failure: await complain(io, 'unavailable', visible(reason), hint) };
}

async function awaitAgents(
  playables: readonly Playable[],
  settings: RunSettings,
  io: Io,
): Promise<PlayedAll> {
  const { folder, values, screen, signal } = settings;
  const finished: Extract<AwaitedRun, { kind: 'finished' }>[] = [];
  let failure: Outcome | undefined;
  for (const [index, playable] of playables.entries()) {
    if (signal.aborted || failure !== undefined) break;
    if (!values.quiet)
      for (const warning of playable.warnings)
        await io.stderr.write(warningLine(warning, io.stderr, playable.file));
    const name = folder.addDocument(playable.document, playable.text);
    const place = playables.length === 1 ? '' : `${index + 1} of ${playables.length}`;
    const played = await awaitAgent(playable, name, place, settings);
    if (played.kind === 'finished') finished.push(played);
    else failure = await complain(io, 'unavailable', visible(played.reason), played.hint);
  }
  const lines = finished.map(({ line }) => line);
  if (!values.quiet && lines.length > 0) await screen.write(summary(lines, playables.length, screen));
  return { outcomes: finished.map(({ outcome }) => outcome), ...(failure !== undefined && { failure }) };
}
