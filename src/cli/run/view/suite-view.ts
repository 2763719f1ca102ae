import type { Endpoint } from '../../../attack/engine/ports.ts';
import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import { isSuccess } from '../../../format/model/results-file.ts';
import { groupAlike, joinNamesWithin, mostSeparateAgents } from '../../../report/group-alike.ts';
import { cropEnd, measureWidth, pad } from '../../../report/text-width.ts';
import { selectRedactor } from '../../../secrets/redactor.ts';
import { createPairKey } from '../../../suite/plan/pairs.ts';
import {
  listPlannedAttacks,
  type PlannedAttack,
  type PlannedRun,
  type PlayableDocument,
  type SuitePlan,
} from '../../../suite/plan/plan.ts';
import { settleOutcomes } from '../../../suite/statistics/attribution.ts';
import { computeTwinStatistics } from '../../../suite/statistics/compute-figures.ts';
import { computeAttackStatistics, isTwin } from '../../../suite/statistics/statistics.ts';
import { type SuiteSink, selectRunsOfAttack } from '../../../suite/store/run-sink.ts';
import type { Sink } from '../../io.ts';
import {
  type EvaluationReport,
  formatDocumentTitle,
  formatJudgement,
  formatJudgementLine,
} from '../../verdict/verdict-text.ts';
import type { CommandRunSettings } from '../play/run-settings.ts';
import {
  formatAttackLine,
  formatAttackReason,
  formatRate,
  formatRepeatsLine,
  nameStatus,
  pickMoreTelling,
  settleJudgement,
} from './attack-view.ts';
import { createLiveView, type LiveView } from './live-view.ts';
import { formatWarning } from './run-summary.ts';
import type { ReportedRun, RunView } from './run-view.ts';

/** The part of an attack that is not shown yet. */
interface UnreportedRuns {
  /** By repeat. */
  readonly runs: Map<number, ReportedRun>;
  isClosed: boolean;
  readonly lives: LiveView[];
}

/** The view of a suite while it runs. Runs end in any order and are shown in the order of the plan. */
export function createSuiteView(
  plan: SuitePlan,
  playables: readonly PlayableDocument[],
  sink: SuiteSink,
  settings: CommandRunSettings,
): Required<RunView> {
  const { screen, notices, values } = settings;
  const { quiet, verbose, showSecrets } = values;
  const look = { sink: screen, redactor: selectRedactor(showSecrets), verbose };
  const attacks = listPlannedAttacks(plan);
  const status = createStatusLine(screen);
  const agentWidth = Math.max(...plan.agents.map(({ name }) => measureWidth(escapeInvisible(name))));
  const total = attacks.length * plan.repeat;
  const unreported = new Map<number, UnreportedRuns>(
    attacks.map(({ index }) => [index, { runs: new Map(), isClosed: false, lives: [] }]),
  );
  const findNewAddresses = trackAddresses(settings);
  let next = 0;
  let isOver = false;
  let headed: PlayableDocument | undefined;
  let writing = Promise.resolve();
  const playableOf = ({ index }: PlannedAttack): PlayableDocument =>
    playables[Math.floor(index / plan.agents.length)] as PlayableDocument;

  /** Queues writes, so that none interrupts another. */
  function inTurn(write: () => Promise<void>): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  const isFolded = plan.agents.length > mostSeparateAgents && !quiet && !verbose;
  /** The lines of the current document, kept until all its agents are done. */
  let held: AgentLine[] = [];

  async function head(attack: PlannedAttack): Promise<void> {
    const playable = playableOf(attack);
    if (quiet || headed === playable) return;
    headed = playable;
    await status.clear();
    await screen.write(formatSuiteHeading(playable, settings));
  }

  /** Prints every attack whose turn has come. */
  async function reportNext(): Promise<void> {
    for (let attack = attacks[next]; attack !== undefined; attack = attacks[next]) {
      const state = unreported.get(attack.index);
      if (state === undefined) return;
      if (state.lives.length > 0 || state.runs.size > 0) await head(attack);
      for (const live of state.lives) {
        await status.clear();
        live.start();
        await live.settled();
      }
      if (!state.isClosed || waitsForTwin(attack)) return;
      if (state.runs.size > 0) held.push(lineOf(attack, state));
      unreported.delete(attack.index);
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

  const textOf = ({ agent, text }: AgentLine): string => text(agent);

  const twinOf = new Map(attacks.flatMap((attack) => (isTwin(attack) ? [[createPairKey(attack), attack]] : [])));
  const findTwin = (attack: PlannedAttack): PlannedAttack | undefined =>
    isTwin(attack) ? undefined : twinOf.get(createPairKey(attack));

  /** Whether only the benign twin can show what a run of the attack is worth: a refusal, or an act of the attack. */
  function waitsForTwin(attack: PlannedAttack): boolean {
    const twin = findTwin(attack);
    const isPending = twin !== undefined && unreported.get(twin.index)?.isClosed === false;
    return !isOver && isPending && sink.runsOf(attack).some((run) => run.refusal !== undefined || isSuccess(run));
  }

  function lineOf(attack: PlannedAttack, state: UnreportedRuns): AgentLine {
    const { name } = attack.agent;
    const twin = findTwin(attack);
    const twins = twin === undefined ? [] : sink.runsOf(twin);
    const runs = selectRunsOfAttack(settleOutcomes(plan, [...sink.runsOf(attack), ...twins]), attack);
    const reports = [...state.runs].map(([repeat, report]): ReportedRun => {
      const settled = runs.find((run) => run.repeat === repeat);
      return settled === undefined ? report : { ...report, judgement: settleJudgement(report.judgement, settled) };
    });
    const [only] = reports;
    if (plan.repeat === 1 && only !== undefined) return runLine(name, only);
    const found = computeAttackStatistics(plan, attack, runs, twins);
    const best = reports.map(({ judgement }) => judgement).reduce(pickMoreTelling);
    const title = formatDocumentTitle(playableOf(attack).document);
    if (attack.document.twin_of !== undefined) return twinLine(attack, title);
    if (quiet) {
      const words = `${nameStatus(found)} ${formatRate(found.success)}  ${title}`;
      return { agent: name, kind: '', text: (agent) => `${escapeInvisible(agent)}  ${words}\n` };
    }
    const isTelling = verbose || best.outcome !== 'resisted';
    const text = (agent: string): string => formatRepeatsLine({ ...found, agent }, agentWidth, screen);
    return {
      agent: name,
      kind: text('') + (isTelling ? readOutcomeReason(best) : ''),
      text: (agent) => `${text(agent)}${isTelling ? formatAttackReason(best, look) : ''}`,
    };
  }

  function twinLine(attack: PlannedAttack, title: string): AgentLine {
    const { runs, tasks, false_positives: alarms } = computeTwinStatistics(sink.runsOf(attack));
    const words = `${alarms === 0 ? 'CLEAN' : `FALSE POSITIVE ${alarms}/${runs}`}, task done in ${tasks.done} of ${runs}`;
    return {
      agent: attack.agent.name,
      kind: words,
      text: (agent) =>
        quiet
          ? `${escapeInvisible(agent)}  ${words}  ${title}\n`
          : `  ${pad(escapeInvisible(agent), agentWidth)}  ${words}\n`,
    };
  }

  function runLine(name: string, { judgement, durationMs, warnings }: ReportedRun): AgentLine {
    if (quiet)
      return {
        agent: name,
        kind: '',
        text: (agent) => `${escapeInvisible(agent)}  ${formatJudgementLine(judgement, look)}`,
      };
    const warned = warnings.map((warning) => formatWarning(warning, screen)).join('');
    // A single run is shown in full. With many runs, only the reason for the verdict is shown.
    if (total === 1) return { agent: name, kind: '', text: () => `${warned}\n${formatJudgement(judgement, look)}` };
    return {
      agent: name,
      kind: `${warned}${formatAttackLine({ agent: '', judgement, durationMs: 0 }, agentWidth, screen)}${readOutcomeReason(judgement)}`,
      text: (agent) =>
        `${warned}${formatAttackLine({ agent, judgement, durationMs }, agentWidth, screen)}${formatAttackReason(judgement, look)}`,
    };
  }

  async function showStatus(task: PlannedRun): Promise<void> {
    const { attack, repeat } = task;
    const times = plan.repeat === 1 ? '' : ` ${repeat}`;
    const title = formatDocumentTitle(playableOf(attack).document);
    await status.show(sink.entries.length, total, `${title}, ${escapeInvisible(attack.agent.name)}${times}`);
  }

  async function showAddresses(found: readonly (readonly [actor: string, url: string])[]): Promise<void> {
    if (quiet || found.length === 0) return;
    await status.clear();
    for (const [actor, url] of found)
      await notices.write(`oatf: note: "${escapeInvisible(actor)}" listens at ${url}\n`);
  }

  return {
    async begin(task, playable) {
      const state = unreported.get(task.attack.index);
      const isWatched = verbose && !quiet;
      const live = isWatched ? createLiveView({ ...look, verbose: true }) : undefined;
      if (live !== undefined) state?.lives.push(live);
      await inTurn(async () => {
        if (attacks[next]?.index === task.attack.index) await head(task.attack);
        if (live !== undefined) await reportNext();
        else await showStatus(task);
      });
      return {
        ...(live !== undefined && { record: live.record }),
        ready: (endpoints) => void inTurn(() => showAddresses(findNewAddresses(playable, endpoints))),
      };
    },
    finished(task, run) {
      const state = unreported.get(task.attack.index);
      state?.runs.set(task.repeat, run);
      return inTurn(reportNext);
    },
    async ended() {
      isOver = true;
      await inTurn(reportNext);
    },
    closed(attack) {
      const state = unreported.get(attack.index);
      if (state !== undefined) state.isClosed = true;
      return inTurn(async () => {
        await reportNext();
        if (next === attacks.length) await status.clear();
      });
    },
  };
}

/**
 * Finds the addresses that the user fixed and that were not shown yet: an agent has to be configured with their whole URLs.
 * Exposed ones are announced before the first run.
 */
function trackAddresses({ addresses, exposure }: CommandRunSettings) {
  const shown = new Set<string>();
  return ({ document }: PlayableDocument, endpoints: ReadonlyMap<string, Endpoint>) =>
    document.attack.execution.actors.flatMap((actor): readonly (readonly [actor: string, url: string])[] => {
      const url = (addresses(actor)?.port ?? 0) === 0 ? undefined : endpoints.get(actor.name)?.url;
      const key = `${actor.name} ${url}`;
      if (url === undefined || exposure !== undefined || shown.has(key)) return [];
      shown.add(key);
      return [[actor.name, url]];
    });
}

/** The reason why a run could not be judged. Agents whose runs failed for different reasons do not share a line. */
function readOutcomeReason({ reason = '' }: EvaluationReport): string {
  return reason;
}

function formatSuiteHeading({ document, file, warnings }: PlayableDocument, { screen }: CommandRunSettings): string {
  const { colours } = screen;
  const known = warnings.map((warning) => formatWarning(warning, screen, file)).join('');
  // A library document is named by its id, which already begins the title.
  const place = file === document.attack.id ? '' : `  ${colours.dim(escapeInvisible(file))}`;
  return `${known}${colours.bold(formatDocumentTitle(document))}${place}\n`;
}

/** A last line that shows the progress. It exists only on a terminal. */
interface StatusLine {
  show(done: number, of: number, what: string): Promise<void>;
  clear(): Promise<void>;
}

const barWidth = 20;
const clearLine = '\r\u001b[2K';

function createStatusLine(sink: Sink): StatusLine {
  if (!sink.isTTY) return { show: async () => {}, clear: async () => {} };
  const { colours, columns } = sink;
  let isShown = false;
  return {
    async show(done, of, what) {
      const filled = Math.round((barWidth * done) / Math.max(of, 1));
      const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
      const text = cropEnd(`${done}/${of}  ${what}`, columns - barWidth - 3);
      await sink.write(`${clearLine}${colours.cyan(bar)}  ${text}`);
      isShown = true;
    },
    async clear() {
      if (isShown) await sink.write(clearLine);
      isShown = false;
    },
  };
}

/** The line about an attack on an agent. */
interface AgentLine {
  readonly agent: string;
  /** Agents whose lines have the same kind share a line. */
  readonly kind: string;
  /** The text, for one agent or for a label of several. */
  text(agent: string): string;
}

const indent = '      ';

/** One line for all agents with the same kind, with the reason of the first of them. */
function foldLines(lines: readonly AgentLine[], agentWidth: number, { colours, columns }: Sink): readonly string[] {
  return groupAlike(lines, ({ kind }) => kind).map(({ first, all }) => {
    if (all.length === 1) return first.text(first.agent);
    const label = `${all.length} agents`;
    const names = joinNamesWithin(
      all.map(({ agent }) => escapeInvisible(agent)),
      columns - indent.length,
    );
    // Warnings may stand before the line.
    const words = first.text(label.padEnd(agentWidth)).split(/(?<=\n)/);
    const at = words.findIndex((line) => line.includes(label)) + 1;
    return words.toSpliced(at, 0, `${colours.dim(`${indent}${names}`)}\n`).join('');
  });
}
