import type { AttackStatistics, AttackStatus, Rate } from '../../../model/results.ts';
import type { IndicatorVerdict } from '../../../model/verdict.ts';
import { enumerations } from '../../../registry/enumerations.ts';
import { evidenceOf } from '../../../report/evidence.ts';
import { inertLines } from '../../../report/inert-lines.ts';
import { markLine } from '../../../report/marked-line.ts';
import { visible } from '../../../report/visible.ts';
import { pad, wrap } from '../../../report/width.ts';
import type { Colours, Sink } from '../../io.ts';
import { count } from '../../reports/report.ts';
import { lackLines, whyNotLines } from '../../verdict/coverage.ts';
import type { EvaluationReport } from '../../verdict/judgement.ts';
import type { TextOptions } from '../../verdict/text.ts';
import { outcomeWord, taskWord, twinWord, twinWords } from '../../verdict/text.ts';

// The terminal view of attacks on agents: a heading for each document, a line for each agent.

/** One run of a document against an agent. */
export interface ShownRun {
  readonly agent: string;
  readonly judgement: EvaluationReport;
  readonly durationMs: number;
}

const outcomeWidth = 'INCONCLUSIVE'.length;

export function attackLine(
  { agent, judgement, durationMs }: ShownRun,
  agentWidth: number,
  { colours }: Sink,
): string {
  const { outcome, verdict, task, twin } = judgement;
  const [told, said] = twin
    ? [twinWord(outcome, colours), twinWords[outcome.outcome]]
    : [outcomeWord(outcome, colours), outcome.outcome];
  const word = padColoured(told, said.length, outcomeWidth);
  const tier = pad(verdict.maxTier ?? '', 15);
  // An unknown task is not shown on every line.
  const done = task.state === 'unknown' ? '' : `  task ${taskWord(task.state, colours)}`;
  return `  ${pad(visible(agent), agentWidth)}  ${word}  ${tier}  ${colours.dim(timeOf(durationMs))}${done}\n`;
}

/** The line for many repeats, such as `gullible  EXPLOITED  20/20  100 % (84–100 %)`. */
export function repeatsLine(attack: AttackStatistics, agentWidth: number, { colours }: Sink): string {
  const { agent, status, success, settled_early: left = 0, outcomes } = attack;
  const word = padColoured(statusWord(status, colours), status.length, outcomeWidth);
  const unjudged = outcomes.inconclusive + outcomes.error;
  const notes = [
    ...(unjudged > 0 ? [`${unjudged} not judged`] : []),
    ...(attack.max_rate > 0 && success.count > 0
      ? [`${attack.within_max_rate ? 'within' : 'above'} ${percent(attack.max_rate)}`]
      : []),
    ...(left > 0 ? [`settled, ${count(left, 'repeat', 'repeats')} left out`] : []),
  ];
  const note = notes.length === 0 ? '' : `  ${colours.dim(notes.join(', '))}`;
  return `  ${pad(visible(agent), agentWidth)}  ${word}  ${rateInWords(success)}${note}\n`;
}

/** The count, the rate and its interval: `3/20  15 % (5–37 %)`. */
export function rateInWords({ count: times, of, rate, interval }: Rate): string {
  if (rate === null || interval === null) return `${times}/${of}`;
  // Rounded outwards, so that the interval claims no more than is known.
  const [low, high] = [Math.floor(interval[0] * 100), Math.ceil(interval[1] * 100)];
  return `${times}/${of}  ${percent(rate)} (${low}–${high} %)`;
}

function percent(rate: number): string {
  return `${Number((rate * 100).toFixed(1))} %`;
}

function statusWord(status: AttackStatus, colours: Colours): string {
  const colour = {
    exploited: colours.red,
    flaky: colours.red,
    tolerated: colours.yellow,
    resisted: colours.green,
    not_applicable: colours.dim,
    inconclusive: colours.yellow,
    error: colours.yellow,
  }[status];
  return colours.bold(colour(status.toUpperCase()));
}

function padColoured(coloured: string, width: number, columns: number): string {
  return coloured + ' '.repeat(Math.max(0, columns - width));
}

function timeOf(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/**
 * The reason for the outcome on a line: the strongest evidence, or the reason why there is none and what was missing.
 * With `verbose` also what the indicators looked at.
 */
export function attackReason(judgement: EvaluationReport, options: TextOptions): string {
  const whyNot = options.verbose ? whyNotLines(judgement, options, indent) : '';
  return `${reasonText(judgement, options)}${whyNot}`;
}

const indent = '      ';

function reasonText(judgement: EvaluationReport, options: TextOptions): string {
  const { sink, redactor } = options;
  const { colours, columns } = sink;
  const { outcome, verdict, document } = judgement;
  if ('reason' in outcome)
    return `${wrap(visible(redactor.text(outcome.reason)), columns, indent)}\n${lackLines(judgement, options, indent)}`;
  const tierOf = new Map((document.attack.indicators ?? []).map(({ id, tier }) => [id, tier]));
  const strength = ({ indicatorId }: IndicatorVerdict): number =>
    enumerations.Tier.indexOf(tierOf.get(indicatorId) ?? 'ingested');
  const [strongest] = verdict.indicatorVerdicts
    .filter(({ result }) => result === 'matched')
    .sort((a, b) => strength(b) - strength(a));
  const evidence = strongest === undefined ? undefined : evidenceOf(strongest, redactor);
  if (strongest === undefined || evidence === undefined) return '';
  const { match, indicatorId } = strongest;
  const path = match === undefined || match.path === '' ? '' : ` in ${visible(match.path)}`;
  const { text, carets } = markLine(evidence.text, evidence.from, evidence.to, columns - 8);
  const marked = evidence.to - evidence.from < evidence.text.length ? `        ${colours.red(carets)}\n` : '';
  return inertLines(`${colours.dim(`      ${visible(indicatorId)}${path}`)}\n        ${text}\n${marked}`);
}

/** The outcomes whose reason is shown for a line of repeats, most telling first. */
const telling: readonly string[] = ['exploited', 'partial', 'error', 'inconclusive', 'not_applicable'];

/** The more telling of two runs; the first of two equals. */
export function moreTelling(first: EvaluationReport | undefined, second: EvaluationReport): EvaluationReport {
  if (first === undefined) return second;
  return rank(second) < rank(first) ? second : first;
}

function rank({ outcome }: EvaluationReport): number {
  const at = telling.indexOf(outcome.outcome);
  return at < 0 ? telling.length : at;
}
