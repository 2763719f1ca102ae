import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { describeWaiting } from '../../format/model/trace-record.ts';
import { formatCoverage, listFirstFew, listOtherMissing } from '../../report/coverage-text.ts';
import { formatPlain } from '../../report/format-plain.ts';
import { wrap } from '../../report/text-width.ts';
import type { EvaluationReport, VerdictTextOptions } from './verdict-text.ts';

// Shows on a terminal which pieces of a document reached the agent, and what the indicators looked at.

const mostMissing = 10;
const mostLacks = 5;
const mostPieces = 100;

/** How many pieces arrived, and which needed ones did not; with `verbose`, every piece. */
export function describeCoverage({ coverage, demand }: EvaluationReport, options: VerdictTextOptions): string {
  const { colours } = options.sink;
  const { pieces, missing, delivered, of, inferred } = coverage;
  const why = inferred ? 'delivery inferred: the document has no marks' : 'needs as the document marks them';
  const head = `${colours.bold('Coverage')}  ${formatCoverage(delivered, of)} ${colours.dim(`(${why}; delivery ${demand})`)}\n`;
  const lines = options.verbose
    ? pieces.map((piece) => describePiece(piece, options))
    : missing.map((reason) => `${colours.yellow('missing')}  ${formatPlain(reason, options)}`);
  const shown = listFirstFew(lines, options.verbose ? mostPieces : mostMissing);
  return head + shown.map((line) => `  ${line}\n`).join('');
}

function describePiece(
  { label, phase, delivered, needed, reason }: EvaluationReport['coverage']['pieces'][number],
  options: VerdictTextOptions,
): string {
  const { colours } = options.sink;
  const word = delivered ? colours.green('reached     ') : colours.yellow('not reached ');
  // A reason that begins with the label already names it.
  const why = reason === undefined ? label : reason.startsWith(label) ? reason : `${label}: ${reason}`;
  return `${word}  ${formatPlain(why, options)}  ${colours.dim(`${escapeInvisible(phase)}${needed ? ', needed' : ''}`)}`;
}

/** Lines under the reason of a run that could not be judged: what else was missing, and how much arrived. */
export function formatLacks(
  { coverage, outcome, reason }: EvaluationReport,
  options: VerdictTextOptions,
  indent: string,
): string {
  // After an internal error, missing pieces explain nothing.
  if (reason === undefined || outcome === 'error' || coverage.of === 0) return '';
  const { colours, columns } = options.sink;
  const others = listOtherMissing(reason, coverage.missing).map((each) => `missing: ${formatPlain(each, options)}`);
  return [...listFirstFew(others, mostLacks), formatCoverage(coverage.delivered, coverage.of)]
    .map((line) => `${colours.dim(wrap(line, columns, indent))}\n`)
    .join('');
}

/** Why indicators did not match, one paragraph each. */
export function formatUnmatchedReasons(
  { verdict }: EvaluationReport,
  options: VerdictTextOptions,
  indent: string,
): string {
  const { colours, columns } = options.sink;
  return verdict.indicatorVerdicts
    .flatMap(({ indicatorId, looked, result }) =>
      result === 'not_matched' && looked !== undefined
        ? [`${escapeInvisible(indicatorId)} not matched: ${formatPlain(looked.sentence, options)}`]
        : [],
    )
    .map((line) => `${colours.dim(wrap(line, columns, indent))}\n`)
    .join('');
}

/** The actor's phases in order: seen, only entered, or never begun, with the counter that was not reached. */
export function describePhases({
  phases,
  phases_seen,
  phases_entered,
  waiting,
}: EvaluationReport['delivery'][string]): string {
  const all = [...phases, ...phases_entered.filter((phase) => !phases.includes(phase))];
  return all
    .flatMap((phase) => {
      if (phases_seen.includes(phase)) return phase;
      if (phases_entered.includes(phase)) return `${phase} (unseen)`;
      return waiting === undefined ? [] : `${phase} (never began: ${describeWaiting(waiting)})`;
    })
    .join(' → ');
}
