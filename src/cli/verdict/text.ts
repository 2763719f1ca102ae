import type { ActorDelivery } from '../../judge/coverage.ts';
import type { RunOutcome } from '../../judge/outcome.ts';
import { taskOf } from '../../marks/read-task.ts';
import type { NormalizedDocument, NormalizedIndicator } from '../../model/normalized.ts';
import type { TaskState } from '../../model/results.ts';
import type { IndicatorVerdict } from '../../model/verdict.ts';
import { protocolOf } from '../../registry/modes.ts';
import { eraInWords } from '../../registry/protocols.ts';
import { evidenceOf } from '../../report/evidence.ts';
import { inertLines } from '../../report/inert-lines.ts';
import { markLine } from '../../report/marked-line.ts';
import { visible } from '../../report/visible.ts';
import { crop, pad, wrap } from '../../report/width.ts';
import type { Redactor } from '../../secrets/redactor.ts';
import type { Colours, Sink } from '../io.ts';
import { count } from '../reports/report.ts';
import { describeCoverage, phasesInWords } from './coverage.ts';
import type { EvaluationReport } from './judgement.ts';

export interface TextOptions {
  readonly sink: Sink;
  readonly redactor: Redactor;
  /** Also shows what indicators that did not match looked at. */
  readonly verbose?: boolean;
}

export function judgementToText(judgement: EvaluationReport, options: TextOptions): string {
  return inertLines(describeJudgement(judgement, options));
}

function describeJudgement(judgement: EvaluationReport, options: TextOptions): string {
  const { document, verdict, delivery, coverage, outcome, voided, trace, records } = judgement;
  const { sink, redactor } = options;
  const { colours } = sink;
  const indicators = document.attack.indicators ?? [];
  return [
    `${headOf(judgement, colours)}\n`,
    ...('reason' in outcome
      ? [
          `${colours.bold(outcome.outcome === 'inconclusive' ? `Reason (${outcome.cause})` : 'Reason')}  ${visible(redactor.text(outcome.reason))}\n`,
        ]
      : []),
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
    ...(judgement.task.checks.length === 0 ? [] : [describeTask(judgement, options)]),
    ...voided.map(
      (surface) =>
        `${colours.yellow('note')}  the target is configured to be without ${visible(surface)}, but the agent used it: the claim does not count\n`,
    ),
    colours.dim(`${count(records, 'record', 'records')} of ${trace}`),
    '',
  ].join('\n');
}

/** Whether the user's task was done, with the checks that show it. */
function describeTask({ task, document }: EvaluationReport, options: TextOptions): string {
  const { colours } = options.sink;
  const { state, reason, checks } = task;
  const why = reason === undefined ? '' : `: ${visible(options.redactor.text(reason))}`;
  const head = `${colours.bold('Task')}  ${taskWord(state, colours)}${why}\n`;
  const written = taskOf(document) ?? [];
  return head + checks.map((each, index) => describeCheck(each, written[index], options)).join('');
}

const taskWords = { done: 'done', not_done: 'not done', unknown: 'unknown' } as const;

export function taskWord(state: TaskState, colours: Colours): string {
  const colour = { done: colours.green, not_done: colours.red, unknown: colours.dim }[state];
  return colour(taskWords[state]);
}

/** Describes a check: a match is good, unlike a match of an indicator. */
function describeCheck(
  verdict: IndicatorVerdict,
  check: NormalizedIndicator | undefined,
  options: TextOptions,
): string {
  const { colours } = options.sink;
  return describeIndicator(verdict, check, {
    ...options,
    sink: { ...options.sink, colours: { ...colours, red: colours.green, green: colours.red } },
  });
}

/** The verdict in one line. */
export function judgementToLine(judgement: EvaluationReport, { sink, redactor }: TextOptions): string {
  const { outcome } = judgement;
  const { colours } = sink;
  const reason = 'reason' in outcome ? colours.dim(`: ${visible(redactor.text(outcome.reason))}`) : '';
  return `${headOf(judgement, colours)}${reason}\n`;
}

function headOf({ document, verdict, outcome, twin }: EvaluationReport, colours: Colours): string {
  const tier = verdict.maxTier === undefined ? '' : `, tier ${verdict.maxTier}`;
  return `${twin ? twinWord(outcome, colours) : outcomeWord(outcome, colours)}${tier}  ${titleOf(document)}`;
}

export function titleOf({ attack }: NormalizedDocument): string {
  return visible([attack.id, attack.name].filter(Boolean).join(' '));
}

/** The words for a run of a benign twin: there is no attack in it, so nothing is resisted. */
export const twinWords: { readonly [O in RunOutcome['outcome']]: string } = {
  exploited: 'FALSE ALARM',
  partial: 'FALSE ALARM',
  resisted: 'CLEAN',
  not_applicable: 'NOT_APPLICABLE',
  inconclusive: 'NO ANSWER',
  error: 'ERROR',
};

export function twinWord({ outcome }: RunOutcome, colours: Colours): string {
  const colour = outcome === 'resisted' ? colours.green : colours.yellow;
  return colours.bold(colour(twinWords[outcome]));
}

export function outcomeWord({ outcome }: RunOutcome, colours: Colours): string {
  const colour = {
    exploited: colours.red,
    partial: colours.red,
    resisted: colours.green,
    not_applicable: colours.dim,
    inconclusive: colours.yellow,
    error: colours.yellow,
  }[outcome];
  return colours.bold(colour(outcome.toUpperCase()));
}

function describeIndicator(
  verdict: IndicatorVerdict,
  indicator: NormalizedIndicator | undefined,
  { sink, redactor, verbose }: TextOptions,
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
  const head = `  ${visible(indicatorId)}  ${colour[result](result.replace('_', ' '))}${tier}\n`;
  const about = indicator?.description ?? '';
  const lines =
    about === '' ? [] : [`      ${crop(visible(about.replace(/\s+/g, ' ').trim()), columns - 6)}\n`];
  const shown = evidenceOf(verdict, redactor);
  if (shown !== undefined && result === 'matched') {
    const place = match && placeOf(match);
    const { text, carets } = markLine(shown.text, shown.from, shown.to, columns - 8);
    lines.push(...(place ? [`      ${colours.dim(visible(place))}\n`] : []), `        ${text}\n`);
    if (match !== undefined && shown.to - shown.from < shown.text.length)
      lines.push(`        ${colours.red(carets)}\n`);
  } else if (shown !== undefined) {
    lines.push(`${wrap(visible(shown.text), columns, '      ')}\n`);
  }
  if (verbose && looked !== undefined)
    lines.push(`${wrap(visible(redactor.text(looked.sentence)), columns, '      ')}\n`);
  return head + lines.join('');
}

function placeOf({ record, path, projection, own }: NonNullable<IndicatorVerdict['match']>): string {
  const seq = record === undefined ? '' : `record ${record}, `;
  const view = projection === undefined ? '' : ` (seen as ${projection})`;
  const ours = own ? ', our own words' : '';
  return `${seq}${path === '' ? 'the whole message' : path}${view}${ours}`;
}

function describeDelivery(actor: string, facts: ActorDelivery, colours: Colours): string {
  const { mode, reached, delivered, served, eras = [] } = facts;
  const word = delivered
    ? colours.green('delivered')
    : colours.yellow(reached ? 'reached only' : 'never reached');
  const phases = phasesInWords(facts);
  const spoken = eras.map((era) => eraInWords(protocolOf(mode), era)).join(' and ');
  return (
    `  ${pad(visible(actor), 12)}  ${visible(mode)}  ${word}, ${count(served, 'message', 'messages')} sent` +
    `${spoken === '' ? '' : `; it speaks ${visible(spoken)}`}` +
    `${phases === '' ? '' : `; phases ${visible(phases)}`}\n`
  );
}
