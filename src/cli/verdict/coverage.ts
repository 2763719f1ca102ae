import { counterInWords } from '../../judge/coverage.ts';
import { alsoMissing, coverageInWords, firstFew } from '../../report/coverage.ts';
import { visible } from '../../report/visible.ts';
import { wrap } from '../../report/width.ts';
import type { EvaluationReport } from './judgement.ts';
import type { TextOptions } from './text.ts';

// Shows on a terminal which pieces of a document reached the agent, and what the indicators looked at.

const mostMissing = 10;
const mostLacks = 5;
const mostPieces = 100;

/** How many pieces arrived, and which needed ones did not; with `verbose`, every piece. */
export function describeCoverage({ coverage, demand }: EvaluationReport, options: TextOptions): string {
  const { colours } = options.sink;
  const { pieces, missing, delivered, inferred } = coverage;
  const why = inferred ? 'needs inferred: the document has no marks' : 'needs as the document marks them';
  const head = `${colours.bold('Coverage')}  ${coverageInWords(delivered, pieces.length)} ${colours.dim(`(${why}; delivery ${demand})`)}\n`;
  if (options.verbose)
    return (
      head +
      firstFew(
        pieces.map((piece) => describePiece(piece, options)),
        mostPieces,
      )
        .map((line) => `  ${line}\n`)
        .join('')
    );
  const lines = missing.map((reason) => `${colours.yellow('missing')}  ${told(reason, options)}`);
  return (
    head +
    firstFew(lines, mostMissing)
      .map((line) => `  ${line}\n`)
      .join('')
  );
}

function describePiece(
  { label, phase, delivered, needed, reason }: EvaluationReport['coverage']['pieces'][number],
  options: TextOptions,
): string {
  const { colours } = options.sink;
  const word = delivered ? colours.green('reached     ') : colours.yellow('not reached ');
  // A reason that begins with the label already names it.
  const why = reason === undefined ? label : reason.startsWith(label) ? reason : `${label}: ${reason}`;
  return `${word}  ${told(why, options)}  ${colours.dim(`${visible(phase)}${needed ? ', needed' : ''}`)}`;
}

/** Lines under the reason of a run that could not be judged: what else was missing, and how much arrived. */
export function lackLines(
  { coverage, outcome }: EvaluationReport,
  options: TextOptions,
  indent: string,
): string {
  // After an internal error, missing pieces explain nothing.
  if (!('reason' in outcome) || outcome.outcome === 'error' || coverage.pieces.length === 0) return '';
  const { colours, columns } = options.sink;
  const others = alsoMissing(outcome.reason, coverage.missing).map(
    (reason) => `missing: ${told(reason, options)}`,
  );
  return [...firstFew(others, mostLacks), coverageInWords(coverage.delivered, coverage.pieces.length)]
    .map((line) => `${colours.dim(wrap(line, columns, indent))}\n`)
    .join('');
}

/** Why indicators did not match, one paragraph each. */
export function whyNotLines({ verdict }: EvaluationReport, options: TextOptions, indent: string): string {
  const { colours, columns } = options.sink;
  return verdict.indicatorVerdicts
    .flatMap(({ indicatorId, looked, result }) =>
      result === 'not_matched' && looked !== undefined
        ? [`${visible(indicatorId)} not matched: ${told(looked.sentence, options)}`]
        : [],
    )
    .map((line) => `${colours.dim(wrap(line, columns, indent))}\n`)
    .join('');
}

/** The actor's phases in order: seen, only entered, or never begun, with the counter that was not reached. */
export function phasesInWords({
  phases,
  phasesSeen,
  phasesEntered,
  waiting,
}: EvaluationReport['delivery'][string]): string {
  const all = [...phases, ...phasesEntered.filter((phase) => !phases.includes(phase))];
  return all
    .flatMap((phase) => {
      if (phasesSeen.includes(phase)) return phase;
      if (phasesEntered.includes(phase)) return `${phase} (unseen)`;
      return waiting === undefined ? [] : `${phase} (never began: ${counterInWords(waiting)})`;
    })
    .join(' → ');
}

function told(text: string, { redactor }: TextOptions): string {
  return visible(redactor.text(text));
}
