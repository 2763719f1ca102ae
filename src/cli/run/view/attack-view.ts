import type { IndicatorVerdict } from '../../../format/model/attack-verdict.ts';
import { enumerations } from '../../../format/model/enumeration-types.ts';
import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import type { AttackStatistics, Rate, RunEntry } from '../../../format/model/results-file.ts';
import { dropUndefined } from '../../../format/model/value.ts';
import { isUnattributed } from '../../../report/attribution-text.ts';
import { count } from '../../../report/count-text.ts';
import { locateQuote } from '../../../report/find-evidence.ts';
import { markLine } from '../../../report/marked-line.ts';
import { pad, wrap } from '../../../report/text-width.ts';
import type { Colours, Sink } from '../../io.ts';
import { formatLacks, formatUnmatchedReasons } from '../../verdict/describe-coverage.ts';
import {
  type EvaluationReport,
  formatOutcome,
  formatTaskState,
  formatTwinOutcome,
  nameOutcome,
  twinWords,
  type VerdictTextOptions,
} from '../../verdict/verdict-text.ts';

// The terminal view of attacks on agents: a heading for each document, a line for each agent.

/** One run of a document against an agent. */
export interface AttackViewRun {
  readonly agent: string;
  readonly judgement: EvaluationReport;
  readonly durationMs: number;
}

const outcomeWidth = 'INCONCLUSIVE'.length;

export function formatAttackLine(
  { agent, judgement, durationMs }: AttackViewRun,
  agentWidth: number,
  { colours }: Sink,
): string {
  const { outcome, verdict, task, twin } = judgement;
  const [shownOutcome, plainOutcome] = twin
    ? [formatTwinOutcome(outcome, colours), twinWords[outcome]]
    : [formatOutcome(judgement, colours), nameOutcome(judgement)];
  const word = padColoured(shownOutcome, plainOutcome.length, outcomeWidth);
  const tier = pad(verdict.maxTier ?? '', 15);
  // An unknown task is not shown on every line.
  const done = task === 'unknown' ? '' : `  task ${formatTaskState(task, colours)}`;
  return `  ${pad(escapeInvisible(agent), agentWidth)}  ${word}  ${tier}  ${colours.dim(formatDuration(durationMs))}${done}\n`;
}

/** The line for many repeats, such as `gullible  EXPLOITED  20/20  100 % (84–100 %)`. */
export function formatRepeatsLine(attack: AttackStatistics, agentWidth: number, { colours }: Sink): string {
  const { agent, success, skipped_repeats: skipped = 0, unattributed = 0, outcomes } = attack;
  const word = padColoured(formatStatus(attack, colours), nameStatus(attack).length, outcomeWidth);
  const unjudged = outcomes.inconclusive + outcomes.error - unattributed;
  const notes = [
    ...(unattributed > 0 ? [`${unattributed} unattributed`] : []),
    ...(unjudged > 0 ? [`${unjudged} not judged`] : []),
    ...(attack.max_rate > 0 && success.count > 0
      ? [`${attack.within_max_rate ? 'within' : 'above'} ${formatPercent(attack.max_rate)}`]
      : []),
    ...(skipped > 0 ? [`decided early, ${count(skipped, 'repeat', 'repeats')} skipped`] : []),
  ];
  const note = notes.length === 0 ? '' : `  ${colours.dim(notes.join(', '))}`;
  return `  ${pad(escapeInvisible(agent), agentWidth)}  ${word}  ${formatRate(success)}${note}\n`;
}

/** The count, the rate and its interval: `3/20  15 % (5–37 %)`. */
export function formatRate({ count: times, of, rate, interval }: Rate): string {
  if (rate === null || interval === null) return `${times}/${of}`;
  // Rounded outwards, so that the interval claims no more than is known.
  const [low, high] = [Math.floor(interval[0] * 100), Math.ceil(interval[1] * 100)];
  return `${times}/${of}  ${formatPercent(rate)} (${low}–${high} %)`;
}

function formatPercent(rate: number): string {
  return `${Number((rate * 100).toFixed(1))} %`;
}

/** The word for an attack. One that shows only what the agent does anyway has a word of its own. */
export function nameStatus(attack: AttackStatistics): string {
  return (isUnattributed(attack) ? 'unattributed' : attack.status).toUpperCase();
}

function formatStatus(attack: AttackStatistics, colours: Colours): string {
  const colour = {
    exploited: colours.red,
    flaky: colours.red,
    tolerated: colours.yellow,
    resisted: colours.green,
    not_applicable: colours.dim,
    inconclusive: colours.yellow,
    error: colours.yellow,
  }[attack.status];
  return colours.bold(colour(nameStatus(attack)));
}

function padColoured(coloured: string, width: number, columns: number): string {
  return coloured + ' '.repeat(Math.max(0, columns - width));
}

function formatDuration(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/**
 * The reason for the outcome on a line: the strongest evidence, or the reason why there is none and what was missing.
 * With `verbose` also what the indicators looked at.
 */
export function formatAttackReason(judgement: EvaluationReport, options: VerdictTextOptions): string {
  const whyNot = options.verbose ? formatUnmatchedReasons(judgement, options, indent) : '';
  return `${formatReason(judgement, options)}${whyNot}`;
}

const indent = '      ';

function formatReason(judgement: EvaluationReport, options: VerdictTextOptions): string {
  const { sink, redactor } = options;
  const { colours, columns } = sink;
  const { reason, verdict, document } = judgement;
  if (reason !== undefined)
    return `${wrap(escapeInvisible(redactor.text(reason)), columns, indent)}\n${formatLacks(judgement, options, indent)}`;
  const tierOf = new Map((document.attack.indicators ?? []).map(({ id, tier }) => [id, tier]));
  const strength = ({ indicatorId }: IndicatorVerdict): number =>
    enumerations.Tier.indexOf(tierOf.get(indicatorId) ?? 'ingested');
  const [strongest] = verdict.indicatorVerdicts
    .filter(({ result }) => result === 'matched')
    .sort((a, b) => strength(b) - strength(a));
  const evidence = strongest === undefined ? undefined : locateQuote(strongest, redactor);
  if (strongest === undefined || evidence === undefined) return '';
  const { match, indicatorId } = strongest;
  const path = match === undefined || match.path === '' ? '' : ` in ${escapeInvisible(match.path)}`;
  const { text, carets } = markLine(evidence.text, evidence.from, evidence.to, columns - 8);
  const marked = evidence.to - evidence.from < evidence.text.length ? `        ${colours.red(carets)}\n` : '';
  return `${colours.dim(`      ${escapeInvisible(indicatorId)}${path}`)}\n        ${text}\n${marked}`;
}

/** The judgement of a run with the outcome that the suite gives it. Matches that do not count are no evidence. */
export function settleJudgement(judgement: EvaluationReport, settled: RunEntry): EvaluationReport {
  const { reason: _, cause: __, causes: ___, tier: ____, verdict, ...others } = judgement;
  const { outcome, reason, cause, causes, tier, set_aside: aside } = settled;
  const { maxTier, indicatorVerdicts } = verdict;
  const counted = indicatorVerdicts.map((each): IndicatorVerdict => {
    const { indicatorId } = each;
    return aside?.includes(indicatorId) ? { indicatorId, result: 'not_matched' } : each;
  });
  return {
    ...others,
    ...dropUndefined({ outcome, reason, cause, causes, tier }),
    verdict:
      aside === undefined
        ? verdict
        : { ...dropUndefined({ ...verdict, maxTier: maxTier && tier }), indicatorVerdicts: counted },
  };
}

/** The outcomes whose reason is printed for a line of repeats, the one that says most first. */
const telling: readonly string[] = ['exploited', 'partial', 'error', 'inconclusive', 'not_applicable'];

/** The run whose outcome comes first in `telling`; the first run if both are equal. */
export function pickMoreTelling(first: EvaluationReport, second: EvaluationReport): EvaluationReport {
  return rankOutcome(second) < rankOutcome(first) ? second : first;
}

function rankOutcome({ outcome }: EvaluationReport): number {
  const at = telling.indexOf(outcome);
  return at < 0 ? telling.length : at;
}
