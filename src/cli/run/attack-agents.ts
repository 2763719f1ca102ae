import { join } from 'node:path';
import type { AgentUnderTest } from '../../agent/agent.ts';
import { visible } from '../terminal/visible.ts';
import { widthOf } from '../terminal/width.ts';
import { judgementToLine, judgementToText, titleOf } from '../verdict/text.ts';
import { type Attack, attackLine, attackReason, type Row } from './attack-view.ts';
import { createLiveView } from './live-view.ts';
import type { Playable } from './load-documents.ts';
import { playStored, type RunSettings, type Stored } from './play-stored.ts';
import { warningLine } from './report.ts';
import { createStatusLine } from './status-line.ts';

export interface Attacked {
  readonly rows: readonly Row[];
  /** Why it was not gone on with. */
  readonly unavailable?: Extract<Stored, { kind: 'unavailable' }>;
}

/** Every document against every agent, one run at a time, told as it goes. */
export async function attackAgents(
  playables: readonly Playable[],
  agents: readonly AgentUnderTest[],
  settings: RunSettings,
): Promise<Attacked> {
  const { folder, screen, signal, values } = settings;
  const status = createStatusLine(screen);
  const agentWidth = Math.max(...agents.map(({ name }) => widthOf(visible(name))));
  const total = playables.length * agents.length;
  const rows: Row[] = [];
  let done = 0;
  for (const playable of playables) {
    if (signal.aborted) break;
    const name = folder.addDocument(playable.document, playable.text);
    const row: Attack[] = [];
    if (!values.quiet) await screen.write(heading(playable, settings));
    for (const agent of agents) {
      if (signal.aborted) break;
      await status.show(done, total, `${titleOf(playable.document)}, ${visible(agent.name)}`);
      const trace = join('traces', `${name}.${fileName(agent.name)}.jsonl`);
      const live = createLiveView({ sink: screen, verbose: true, showSecrets: values.showSecrets });
      const watched = values.verbose && !values.quiet;
      if (watched) await status.clear();
      if (watched) live.start();
      const played = await playStored(
        playable,
        agent,
        trace,
        settings,
        watched ? { record: live.record } : {},
      );
      await live.settled();
      await status.clear();
      if (played.kind === 'unavailable') return { rows: [...rows, row], unavailable: played };
      done += 1;
      const attack = { agent: agent.name, judgement: played.judgement, durationMs: played.durationMs };
      row.push(attack);
      await tell(attack, played.warnings, { agentWidth, isOnly: total === 1 }, settings);
    }
    rows.push(row);
  }
  return { rows };
}

function heading({ document, file, warnings }: Playable, { screen }: RunSettings): string {
  const { colours } = screen;
  const known = warnings.map((warning) => warningLine(warning, screen, file)).join('');
  // A document of the library goes by its id, which the title begins with.
  const place = file === document.attack.id ? '' : `  ${colours.dim(visible(file))}`;
  return `${known}${colours.bold(titleOf(document))}${place}\n`;
}

async function tell(
  attack: Attack,
  warnings: readonly Parameters<typeof warningLine>[0][],
  { agentWidth, isOnly }: { readonly agentWidth: number; readonly isOnly: boolean },
  { screen, values }: RunSettings,
): Promise<void> {
  const { judgement, agent } = attack;
  const { quiet, showSecrets } = values;
  if (quiet) return screen.write(`${visible(agent)}  ${judgementToLine(judgement, screen)}`);
  const warned = warnings.map((warning) => warningLine(warning, screen)).join('');
  // One run is told in full; of many only what speaks for the verdict.
  if (isOnly) return screen.write(`${warned}\n${judgementToText(judgement, { sink: screen, showSecrets })}`);
  const reason = attackReason(attack, screen, showSecrets);
  return screen.write(`${warned}${attackLine(attack, agentWidth, screen)}${reason}`);
}

/** An agent's name as part of a file's. */
function fileName(agent: string): string {
  return agent.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 60);
}
