import { mostTold } from '../../../report/fold.ts';
import { visible } from '../../../report/visible.ts';
import { pad, widthOf } from '../../../report/width.ts';
import { redactorFor } from '../../../secrets/redactor.ts';
import { twinStatistics } from '../../../suite/figures.ts';
import {
  attacksOf,
  type PlannedAttack,
  type Playable,
  type SuitePlan,
  type Task,
} from '../../../suite/plan.ts';
import { raiseRefusals } from '../../../suite/raise-refusals.ts';
import { type RunSink, runsOf } from '../../../suite/sink.ts';
import { attackStatistics } from '../../../suite/statistics.ts';
import type { EvaluationReport } from '../../verdict/judgement.ts';
import { judgementToLine, judgementToText, titleOf } from '../../verdict/text.ts';
import type { RunSettings } from '../play/run-settings.ts';
import { attackLine, attackReason, moreTelling, rateInWords, repeatsLine } from './attack-view.ts';
import { foldLines, type Line } from './fold-lines.ts';
import { createLiveView, type LiveView } from './live-view.ts';
import { warningLine } from './report.ts';
import type { RunView, ToldRun } from './run-view.ts';
import { createStatusLine } from './status-line.ts';

/** The part of an attack that is not shown yet. */
interface Untold {
  best?: EvaluationReport;
  only?: ToldRun;
  runs: number;
  isClosed: boolean;
  readonly lives: LiveView[];
}

/** The view of a suite while it runs. Runs end in any order and are shown in the order of the plan. */
export function createSuiteView(
  plan: SuitePlan,
  playables: readonly Playable[],
  sink: RunSink,
  settings: RunSettings,
): Required<RunView> {
  const { screen, values } = settings;
  const { quiet, verbose, showSecrets } = values;
  const look = { sink: screen, redactor: redactorFor(showSecrets), verbose };
  const attacks = attacksOf(plan);
  const status = createStatusLine(screen);
  const agentWidth = Math.max(...plan.agents.map(({ name }) => widthOf(visible(name))));
  const total = attacks.length * plan.repeat;
  const untold = new Map<number, Untold>(
    attacks.map(({ index }) => [index, { runs: 0, isClosed: false, lives: [] }]),
  );
  let next = 0;
  let isOver = false;
  let headed: Playable | undefined;
  let telling = Promise.resolve();
  const playableOf = ({ index }: PlannedAttack): Playable =>
    playables[Math.floor(index / plan.agents.length)] as Playable;

  /** Queues writes, so that none interrupts another. */
  function inTurn(write: () => Promise<void>): Promise<void> {
    telling = telling.then(write);
    return telling;
  }

  const isFolded = plan.agents.length > mostTold && !quiet && !verbose;
  /** The lines of the current document, kept until all its agents are done. */
  let held: Line[] = [];

  async function head(attack: PlannedAttack): Promise<void> {
    const playable = playableOf(attack);
    if (quiet || headed === playable) return;
    headed = playable;
    await status.clear();
    await screen.write(heading(playable, settings));
  }

  /** Shows every attack whose turn has come. */
  async function tellOn(): Promise<void> {
    for (let attack = attacks[next]; attack !== undefined; attack = attacks[next]) {
      const state = untold.get(attack.index);
      if (state === undefined) return;
      if (state.lives.length > 0 || state.runs > 0) await head(attack);
      for (const live of state.lives) {
        await status.clear();
        live.start();
        await live.settled();
      }
      if (!state.isClosed || waitsForTwin(attack)) return;
      if (state.runs > 0) held.push(lineOf(attack, state));
      untold.delete(attack.index);
      next += 1;
      const following = attacks[next];
      const isLast = following === undefined || playableOf(following) !== playableOf(attack);
      if (held.length === 0 || (isFolded && !isLast)) continue;
      const lines = isFolded ? foldLines(held, agentWidth, screen) : held.map(textOf);
      held = [];
      await status.clear();
      await screen.write(lines.join(''));
    }
  }

  const textOf = ({ agent, text }: Line): string => text(agent);

  /** Whether a run of the attack may have been a refusal, which only its benign twin can show. */
  function waitsForTwin(attack: PlannedAttack): boolean {
    const { document, agent } = attack;
    const isTwin = (each: PlannedAttack): boolean =>
      each.document.twin_of === document.key && each.agent.name === agent.name;
    const twin = attacks.find(isTwin);
    const isPending = twin !== undefined && untold.get(twin.index)?.isClosed === false;
    return !isOver && isPending && sink.runsOf(attack).some(({ refusal }) => refusal !== undefined);
  }

  function lineOf(attack: PlannedAttack, { only, best: worst }: Untold): Line {
    const { name } = attack.agent;
    const own = sink.runsOf(attack);
    const mayBeRaised = own.some(({ refusal }) => refusal !== undefined);
    const runs = mayBeRaised ? runsOf(raiseRefusals(plan, sink.entries), attack) : own;
    const isRaised = runs.some(({ raised }) => raised !== undefined);
    if (plan.repeat === 1 && only !== undefined)
      return runLine(name, isRaised ? { ...only, judgement: resisted(only.judgement) } : only);
    const found = attackStatistics(plan, attack, runs);
    const best = isRaised && found.status === 'resisted' ? undefined : worst;
    const title = titleOf(playableOf(attack).document);
    if (attack.document.twin_of !== undefined) return twinLine(attack, title);
    if (quiet) {
      const told = `${found.status.toUpperCase()} ${rateInWords(found.success)}  ${title}`;
      return { agent: name, kind: '', text: (agent) => `${visible(agent)}  ${told}\n` };
    }
    const isTelling = best !== undefined && (verbose || best.outcome.outcome !== 'resisted');
    const text = (agent: string): string => repeatsLine({ ...found, agent }, agentWidth, screen);
    return {
      agent: name,
      kind: text('') + (isTelling ? reasonOf(best) : ''),
      text: (agent) => `${text(agent)}${isTelling ? attackReason(best, look) : ''}`,
    };
  }

  function twinLine(attack: PlannedAttack, title: string): Line {
    const { runs, tasks, false_alarms: alarms } = twinStatistics(sink.runsOf(attack));
    const told = `${alarms === 0 ? 'CLEAN' : `FALSE ALARM ${alarms}/${runs}`}, task done in ${tasks.done} of ${runs}`;
    return {
      agent: attack.agent.name,
      kind: told,
      text: (agent) =>
        quiet ? `${visible(agent)}  ${told}  ${title}\n` : `  ${pad(visible(agent), agentWidth)}  ${told}\n`,
    };
  }

  function runLine(name: string, { judgement, durationMs, warnings }: ToldRun): Line {
    if (quiet)
      return {
        agent: name,
        kind: '',
        text: (agent) => `${visible(agent)}  ${judgementToLine(judgement, look)}`,
      };
    const warned = warnings.map((warning) => warningLine(warning, screen)).join('');
    // A single run is shown in full. With many runs, only the reason for the verdict is shown.
    if (total === 1)
      return { agent: name, kind: '', text: () => `${warned}\n${judgementToText(judgement, look)}` };
    return {
      agent: name,
      kind: `${warned}${attackLine({ agent: '', judgement, durationMs: 0 }, agentWidth, screen)}${reasonOf(judgement)}`,
      text: (agent) =>
        `${warned}${attackLine({ agent, judgement, durationMs }, agentWidth, screen)}${attackReason(judgement, look)}`,
    };
  }

  async function showStatus(task: Task): Promise<void> {
    const { attack, repeat } = task;
    const times = plan.repeat === 1 ? '' : ` ${repeat}`;
    const title = titleOf(playableOf(attack).document);
    await status.show(sink.entries.length, total, `${title}, ${visible(attack.agent.name)}${times}`);
  }

  return {
    async begin(task) {
      const state = untold.get(task.attack.index);
      const isWatched = verbose && !quiet;
      const live = isWatched ? createLiveView({ ...look, verbose: true }) : undefined;
      if (live !== undefined) state?.lives.push(live);
      await inTurn(async () => {
        if (attacks[next]?.index === task.attack.index) await head(task.attack);
        if (live !== undefined) await tellOn();
        else await showStatus(task);
      });
      return live === undefined ? {} : { record: live.record };
    },
    finished(task, run) {
      const state = untold.get(task.attack.index);
      if (state !== undefined) {
        state.runs += 1;
        state.only = run;
        state.best = moreTelling(state.best, run.judgement);
      }
      return inTurn(tellOn);
    },
    async ended() {
      isOver = true;
      await inTurn(tellOn);
    },
    closed(attack) {
      const state = untold.get(attack.index);
      if (state !== undefined) state.isClosed = true;
      return inTurn(async () => {
        await tellOn();
        if (next === attacks.length) await status.clear();
      });
    },
  };
}

/** A refusal counts as resisted. The results say why. */
function resisted(judgement: EvaluationReport): EvaluationReport {
  return { ...judgement, outcome: { outcome: 'resisted' } };
}

/** The reason why a run could not be judged. Agents whose runs failed for different reasons do not share a line. */
function reasonOf({ outcome }: EvaluationReport): string {
  return 'reason' in outcome ? outcome.reason : '';
}

function heading({ document, file, warnings }: Playable, { screen }: RunSettings): string {
  const { colours } = screen;
  const known = warnings.map((warning) => warningLine(warning, screen, file)).join('');
  // A library document is named by its id, which already begins the title.
  const place = file === document.attack.id ? '' : `  ${colours.dim(visible(file))}`;
  return `${known}${colours.bold(titleOf(document))}${place}\n`;
}
