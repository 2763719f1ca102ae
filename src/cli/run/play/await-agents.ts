import { visible } from '../../../report/visible.ts';
import { attacksOf } from '../../../suite/plan.ts';
import { complain, type Io } from '../../io.ts';
import type { Outcome } from '../../outcome.ts';
import type { Playable } from '../plan/load-documents.ts';
import type { PlayedAll } from '../results/play-into.ts';
import { summary, warningLine } from '../view/report.ts';
import { awaitAgent } from './await-agent.ts';
import type { RunSettings } from './play-stored.ts';

/** One document after the other, for whatever agent is brought to each. */
export async function awaitAgents(
  playables: readonly Playable[],
  settings: RunSettings,
  io: Io,
): Promise<PlayedAll> {
  const { folder, values, screen, signal } = settings;
  const lines: string[] = [];
  let failure: Outcome | undefined;
  for (const [index, attack] of attacksOf(folder.plan).entries()) {
    const playable = playables[index];
    if (playable === undefined || signal.aborted || failure !== undefined) break;
    if (folder.runsOf(attack).length > 0) continue;
    if (!values.quiet)
      for (const warning of playable.warnings)
        await io.stderr.write(warningLine(warning, io.stderr, playable.file));
    const place = playables.length === 1 ? '' : `${index + 1} of ${playables.length}`;
    const played = await awaitAgent(playable, attack, place, settings);
    if (played.kind === 'finished') lines.push(played.line);
    else failure = await complain(io, 'unavailable', visible(played.reason), played.hint);
  }
  if (!values.quiet && lines.length > 0) await screen.write(summary(lines, playables.length, screen));
  return {
    ...(signal.aborted && { stopped: 'interrupted' }),
    ...(failure !== undefined && { stopped: 'unavailable', failure }),
  };
}
