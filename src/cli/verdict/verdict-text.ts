import { readDisclosureChecks, readTaskChecks } from '../../format/extensions/read-checks.ts';
import type { AttackVerdict, IndicatorVerdict } from '../../format/model/attack-verdict.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import type { NormalizedDocument, NormalizedIndicator } from '../../format/model/normalized.ts';
import type { DeliveryEntry, IndicatorEntry, OutcomeName, TaskState } from '../../format/model/results-file.ts';
import { getProtocol } from '../../format/registry/known-modes.ts';
import { formatEra } from '../../format/registry/protocols.ts';
import type { Judgement as RunJudgement } from '../../judgement/judge/judge-run.ts';
import { count } from '../../report/count-text.ts';
import { locateQuote } from '../../report/find-evidence.ts';
import { nameDisclosure } from '../../report/format-figures.ts';
import { markLine } from '../../report/marked-line.ts';
import { cropEnd, pad, wrap } from '../../report/text-width.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import type { Colours, Sink } from '../io.ts';

import { describeCoverage, describePhases } from './describe-coverage.ts';

/** Everything that `evaluate` reports about a run. */
export interface EvaluationReport extends RunJudgement {
  readonly document: NormalizedDocument;
  readonly file: string;
  readonly trace: string;
  readonly verdict: AttackVerdict;
  readonly records: number;
  readonly skippedLines: number;
  /** Whether the benign twin was played: a match is then a false positive. */
  readonly twin?: boolean;
}

export interface VerdictTextOptions {
  readonly sink: Sink;
  readonly redactor: Redactor;
  /** Also shows what indicators that did not match looked at. */
  readonly verbose?: boolean;
}

export function formatJudgement(judgement: EvaluationReport, options: VerdictTextOptions): string {
  const { document, verdict, delivery, coverage, voided = [], trace, records } = judgement;
  const { reason, cause, task_checks } = judgement;
  const { sink, redactor } = options;
  const { colours } = sink;
  const indicators = document.attack.indicators ?? [];
  return [
    `${formatVerdictHead(judgement, colours)}\n`,
    ...(reason === undefined
      ? []
      : [
          `${colours.bold(cause === undefined ? 'Reason' : `Reason (${cause})`)}  ${escapeInvisible(redactor.text(reason))}\n`,
        ]),
    `${colours.bold('Indicators')}\n${verdict.indicatorVerdicts
      .map((each, index) => describeIndicator(each, indicators[index], options))
      .join('')}`,
    ...(Object.keys(delivery).length === 0
      ? []
      : [
          `${colours.bold('Delivery')}\n${Object.entries(delivery)
            .map(([actor, facts]) => describeDelivery(actor, facts, colours))
            .join('')}`,
        ]),
    ...(coverage.pieces.length === 0 ? [] : [describeCoverage(judgement, options)]),
    ...(task_checks === undefined ? [] : [describeTask(judgement, options)]),
    ...describeDisclosure(judgement, options),
    ...voided.map(
      (surface) =>
        `${colours.yellow('note')}  the target is configured to be without ${escapeInvisible(surface)}, but the agent used it: the claim does not count\n`,
    ),
    colours.dim(`${count(records, 'record', 'records')} of ${trace}`),
    '',
  ].join('\n');
}

/** Whether the user's task was done, with the checks that show it. */
function describeTask(
  { task, task_reason, task_checks = [], document }: EvaluationReport,
  options: VerdictTextOptions,
): string {
  const { colours } = options.sink;
  const why = task_reason === undefined ? '' : `: ${escapeInvisible(options.redactor.text(task_reason))}`;
  const head = `${colours.bold('Task')}  ${formatTaskState(task, colours)}${why}\n`;
  const written = readTaskChecks(document) ?? [];
  return head + task_checks.map((each, index) => describeCheck(each, written[index], options)).join('');
}

/** What the agent told its user of the attack. That it is not known is said only on request. */
function describeDisclosure(
  { disclosure, disclosure_details: details, document }: EvaluationReport,
  options: VerdictTextOptions,
): readonly string[] {
  const { sink, redactor, verbose } = options;
  const words = nameDisclosure(disclosure, details?.decided_by);
  if (words === undefined || (disclosure === 'unknown' && !verbose)) return [];
  const { rule, record, reason, sentence, checks = [] } = details ?? {};
  const place = [...(rule === undefined ? [] : [rule]), ...(record === undefined ? [] : [`record ${record}`])];
  const head = `${sink.colours.bold('Disclosure')}  ${words}${place.length === 0 ? '' : sink.colours.dim(`  ${place.join(', ')}`)}\n`;
  const text = reason ?? sentence;
  const lines =
    text === undefined
      ? ''
      : `${wrap(escapeInvisible(redactor.text(text.replace(/\s+/g, ' '))), sink.columns, '      ')}\n`;
  const written = readDisclosureChecks(document);
  return [head + lines + checks.map((each, index) => describeCheck(each, written[index], options)).join('')];
}

const taskWords = { done: 'done', not_done: 'not done', unknown: 'unknown' } as const;

export function formatTaskState(state: TaskState, colours: Colours): string {
  const colour = { done: colours.green, not_done: colours.red, unknown: colours.dim }[state];
  return colour(taskWords[state]);
}

/** Describes a check: a match is good, unlike a match of an indicator. */
function describeCheck(
  entry: IndicatorEntry,
  check: NormalizedIndicator | undefined,
  options: VerdictTextOptions,
): string {
  const { colours } = options.sink;
  // The fields that are shown have the same names in stored files, but for the id.
  const verdict = { ...entry, indicatorId: entry.indicator_id } as unknown as IndicatorVerdict;
  return describeIndicator(verdict, check, {
    ...options,
    sink: { ...options.sink, colours: { ...colours, red: colours.green, green: colours.red } },
  });
}

export function formatJudgementLine(judgement: EvaluationReport, { sink, redactor }: VerdictTextOptions): string {
  const { reason } = judgement;
  const { colours } = sink;
  const why = reason === undefined ? '' : colours.dim(`: ${escapeInvisible(redactor.text(reason))}`);
  return `${formatVerdictHead(judgement, colours)}${why}\n`;
}

function formatVerdictHead(judgement: EvaluationReport, colours: Colours): string {
  const { document, verdict, outcome, twin } = judgement;
  const tier = verdict.maxTier === undefined ? '' : `, tier ${verdict.maxTier}`;
  return `${twin ? formatTwinOutcome(outcome, colours) : formatOutcome(judgement, colours)}${tier}  ${formatDocumentTitle(document)}`;
}

export function formatDocumentTitle({ attack }: NormalizedDocument): string {
  return escapeInvisible([attack.id, attack.name].filter(Boolean).join(' '));
}

/** The words for a run of a benign twin: there is no attack in it, so nothing is resisted. */
export const twinWords: { readonly [O in OutcomeName]: string } = {
  exploited: 'FALSE POSITIVE',
  partial: 'FALSE POSITIVE',
  resisted: 'CLEAN',
  not_applicable: 'NOT_APPLICABLE',
  inconclusive: 'NO ANSWER',
  error: 'ERROR',
};

export function formatTwinOutcome(outcome: OutcomeName, colours: Colours): string {
  const colour = outcome === 'resisted' ? colours.green : colours.yellow;
  return colours.bold(colour(twinWords[outcome]));
}

/** The word for a run of an attack. One that shows only what the agent does anyway has a word of its own. */
export function nameOutcome({ outcome, cause }: Pick<RunJudgement, 'outcome' | 'cause'>): string {
  return (cause === 'unattributed' ? cause : outcome).toUpperCase();
}

export function formatOutcome(run: Pick<RunJudgement, 'outcome' | 'cause'>, colours: Colours): string {
  const colour = {
    exploited: colours.red,
    partial: colours.red,
    resisted: colours.green,
    not_applicable: colours.dim,
    inconclusive: colours.yellow,
    error: colours.yellow,
  }[run.outcome];
  return colours.bold(colour(nameOutcome(run)));
}

function describeIndicator(
  verdict: IndicatorVerdict,
  indicator: NormalizedIndicator | undefined,
  { sink, redactor, verbose }: VerdictTextOptions,
): string {
  const { colours, columns } = sink;
  const { result, match, indicatorId, looked } = verdict;
  const colour = {
    matched: colours.red,
    not_matched: colours.green,
    error: colours.yellow,
    skipped: colours.dim,
  };
  const tier = indicator?.tier === undefined ? '' : colours.dim(`  ${indicator.tier}`);
  const head = `  ${escapeInvisible(indicatorId)}  ${colour[result](result.replace('_', ' '))}${tier}\n`;
  const about = indicator?.description ?? '';
  const lines =
    about === '' ? [] : [`      ${cropEnd(escapeInvisible(about.replace(/\s+/g, ' ').trim()), columns - 6)}\n`];
  const shown = locateQuote(verdict, redactor);
  if (shown !== undefined && result === 'matched') {
    const place = match && formatMatchLocation(match);
    const { text, carets } = markLine(shown.text, shown.from, shown.to, columns - 8);
    lines.push(...(place ? [`      ${colours.dim(escapeInvisible(place))}\n`] : []), `        ${text}\n`);
    if (match !== undefined && shown.to - shown.from < shown.text.length)
      lines.push(`        ${colours.red(carets)}\n`);
  } else if (shown !== undefined) {
    lines.push(`${wrap(escapeInvisible(shown.text), columns, '      ')}\n`);
  }
  if (verbose && looked !== undefined)
    lines.push(`${wrap(escapeInvisible(redactor.text(looked.sentence)), columns, '      ')}\n`);
  return head + lines.join('');
}

function formatMatchLocation({ record, path, projection, own }: NonNullable<IndicatorVerdict['match']>): string {
  const seq = record === undefined ? '' : `record ${record}, `;
  const view = projection === undefined ? '' : ` (seen as ${projection})`;
  const ours = own ? ', our own words' : '';
  return `${seq}${path === '' ? 'the whole message' : path}${view}${ours}`;
}

function describeDelivery(actor: string, facts: DeliveryEntry, colours: Colours): string {
  const { mode, reached, delivered, served, eras = [] } = facts;
  const word = delivered ? colours.green('delivered') : colours.yellow(reached ? 'reached only' : 'never reached');
  const phases = describePhases(facts);
  const spoken = eras.map((era) => formatEra(getProtocol(mode), era)).join(' and ');
  return (
    `  ${pad(escapeInvisible(actor), 12)}  ${escapeInvisible(mode)}  ${word}, ${count(served, 'message', 'messages')} sent` +
    `${spoken === '' ? '' : `; it speaks ${escapeInvisible(spoken)}`}` +
    `${phases === '' ? '' : `; phases ${escapeInvisible(phases)}`}\n`
  );
}
