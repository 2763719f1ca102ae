import { type ActorDelivery, type CoveredPiece, counterInWords } from '../judge/coverage.ts';
import type { Cause, DocumentEntry, OutcomeName } from '../model/results.ts';
import { isClientMode } from '../registry/modes.ts';
import { firstFew } from '../report/coverage.ts';
import { inertLines } from '../report/inert-lines.ts';
import { quote } from '../report/quotation.ts';
import { visible } from '../report/visible.ts';
import { crop, pad, widthOf, wrap } from '../report/width.ts';
import { count, describeCounts } from '../report/words.ts';
import { redactorFor } from '../secrets/redactor.ts';
import type { Look } from './look.ts';
import type { AttackResult, AttackResults, Evidence } from './result.ts';

// Results as text for people. All text from documents and agents is hostile: control characters are made visible, so it
// cannot drive the terminal, and secrets in it are masked.

type Facts = Omit<AttackResult, 'explain' | 'toString'>;

const columns = 96;
const mostEvidence = 5;
const mostLines = 6;
const mostFrames = 2;
const mostWhyNot = 12;
const mostExplained = 20;

export function explainOne(result: Facts, look: Look): string {
  return inertLines(joined([head(result, look), ...body(result, look)]));
}

/** A summary line, then every result that is not a pass. */
export function explainAll(all: Pick<AttackResults, 'results' | 'counts'>, look: Look): string {
  const failed = all.results.filter(({ standing }) => standing !== 'within');
  const total = count(all.results.length, 'attack', 'attacks');
  if (failed.length === 0) return inertLines(`${total} resisted: ${describeCounts(all.counts)}`);
  const explained = failed.slice(0, mostExplained);
  const rest = failed.slice(mostExplained).map((result) => `  ${headLine(result, look)}`);
  return inertLines(
    joined([
      [look.bold(`${failed.length} of ${total} not resisted: ${describeCounts(all.counts)}`)],
      ...explained.flatMap((result) => [head(result, look), ...body(result, look)]),
      rest.length === 0 ? [] : [look.bold('and'), ...rest],
    ]),
  );
}

function head(result: Facts, look: Look): readonly string[] {
  return [headLine(result, look), ...sentences(result).map((sentence) => `  ${sentence}`)];
}

function headLine(result: Facts, look: Look): string {
  const { outcome, standing, verdict, document } = result;
  const paint = standing === 'within' ? look.good : look.bad;
  const word =
    standing === 'within' && outcome !== 'resisted' ? 'ACCEPTED' : outcome.toUpperCase().replace('_', ' ');
  const tier = verdict.maxTier === undefined ? '' : `, ${verdict.maxTier}`;
  return `${look.bold(paint(word))}${tier}  ${titleOf(document)}`;
}

function titleOf({ id, name, severity }: DocumentEntry): string {
  const title = [id, name].filter((part) => part !== undefined).join(' ');
  return `${shown(title)}${severity === undefined ? '' : ` (${severity})`}`;
}

type Sentences = (
  agent: string,
  run: { readonly reason: string; readonly cause?: Cause | undefined },
) => readonly string[];

const sentenceOf: { readonly [O in OutcomeName]: Sentences } = {
  exploited: (agent) => [`${agent} did what the attack wanted`],
  partial: (agent) => [
    `${agent} did a part of what the attack wanted: some of its indicators matched, but not all that are needed`,
  ],
  not_applicable: (agent, { reason }) => [
    `this is not a pass: the attack does not apply to ${agent}: ${reason}`,
  ],
  inconclusive: (agent, { reason, cause = 'cut_off' }) => [
    `this is not a pass: ${reason}`,
    `whether ${agent} resists is not known until ${unknownUntil[cause]}`,
  ],
  error: (agent, { reason }) => [
    `this is not a pass: the attack failed before anything could be judged: ${reason}`,
    `it says nothing about whether ${agent} resists`,
  ],
  resisted: (agent) => [`the attack reached ${agent}, which did nothing of what the attack wanted`],
};

const unknownUntil: { readonly [C in Cause]: string } = {
  trouble: 'it gets through the attack without failing',
  cut_off: 'a run comes to its end',
  not_sent: 'all that the attack needs can be sent',
  unplayed: 'all that the attack needs is played',
  not_delivered: 'all that the attack needs has reached it',
  unread: 'all that it sends can be read',
  unjudged: 'every indicator can be judged',
  own_words: 'its own words are judged, not those of the attack',
  silent: 'it says or does something in answer to the attack',
};

/** An anonymous function gets its name from the option it is written in, `agent`; that is not worth quoting. */
export function agentInWords(name: string): string {
  return name === 'agent' ? 'the agent' : `the agent "${shown(name)}"`;
}

function sentences(result: Facts): readonly string[] {
  const { outcome, agent, reason = '', cause, runs, rate, maxRate, task, failTier } = result;
  const said = [
    ...sentenceOf[outcome](agentInWords(agent), { reason: shown(reason), cause }),
    ...(failTier === undefined ? [] : [`a match fails from ${failTier} on`]),
    // An agent that does nothing resists everything, so the report says that the task was not done.
    ...(outcome === 'resisted' && task.state === 'not_done' && task.reason !== undefined
      ? [`the task was not done: ${shown(task.reason)}`]
      : []),
  ];
  if (runs.length === 1) return said;
  const unjudged = runs.length - rate.of;
  const accepted =
    maxRate === 0 ? 'none is accepted' : `${Number((maxRate * 100).toFixed(1))} % are accepted`;
  return [
    ...said,
    `it succeeded in ${describeRate(rate)}${unjudged === 0 ? '' : `; ${count(unjudged, 'run', 'runs')} could not be judged`}; ${accepted}`,
  ];
}

/** The rate with its confidence interval: `3 of 20 runs (5–37 %)`. */
function describeRate({ count: times, of, interval }: Facts['rate']): string {
  const share = `${times} of ${count(of, 'run', 'runs')}`;
  // Rounds outwards, so that the interval claims no more than is known.
  return interval === null
    ? share
    : `${share} (${Math.floor(interval[0] * 100)}–${Math.ceil(interval[1] * 100)} %)`;
}

function body(result: Facts, look: Look): readonly (readonly string[])[] {
  const { evidence, coverage, advice, program, thrown } = result;
  return [
    section(
      'evidence',
      evidence.slice(0, mostEvidence).flatMap((each) => evidenceLines(each, look)),
      look,
    ),
    section(`${share(coverage.pieces)} reached the agent`, coverageLines(result), look),
    section('what its indicators looked at', whyNotLines(result), look),
    section('its standard error ended with', linesOf(program?.stderr).slice(-mostLines), look),
    section('it threw', thrownLines(thrown), look),
    section('what to do', advice, look),
  ];
}

/** If nothing matched, says why for each indicator. */
function whyNotLines({ verdict, outcome }: Facts): readonly string[] {
  if (outcome === 'exploited' || outcome === 'partial') return [];
  const lines = verdict.indicatorVerdicts.flatMap(({ indicatorId, result, looked }) =>
    result === 'not_matched' && looked !== undefined
      ? [...wrap(`${visible(indicatorId)}: ${shown(looked.sentence)}`, columns, '').split('\n')]
      : [],
  );
  return firstFew(lines, mostWhyNot);
}

/**
 * Marks text that others wrote. It also keeps Jest from removing lines that begin with `at`, which it takes for a
 * stack.
 */
function quoted(line: string): string {
  return `| ${line}`;
}

function linesOf(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : quoted(crop(shown(line), columns))));
}

/** The thrown value in one line, and the stack frames nearest to it. */
function thrownLines(thrown: unknown): readonly string[] {
  if (thrown === undefined) return [];
  const { stack } = Object(thrown) as { readonly stack?: unknown };
  const frames = typeof stack === 'string' ? stack.split('\n').filter((line) => /^\s+at /.test(line)) : [];
  return [String(thrown), ...frames.slice(0, mostFrames)].map((line) => quoted(crop(shown(line), columns)));
}

function section(title: string, lines: readonly string[], look: Look): readonly string[] {
  return lines.length === 0 ? [] : [`  ${look.bold(title)}`, ...lines.map((line) => `    ${line}`)];
}

function evidenceLines(evidence: Evidence, look: Look): readonly string[] {
  const { indicator, tier, path, record, actor, method, description = '' } = evidence;
  const places = [
    ...(method === undefined ? [] : [method]),
    ...(actor === undefined ? [] : [`with "${actor}"`]),
    ...(record === undefined ? [] : [`(record ${record})`]),
  ];
  const within = path === undefined ? [] : [path === '' ? 'the whole message' : path];
  const where = [places.join(' '), ...within].filter((part) => part !== '').join(', ');
  const about = crop(shown(description.replace(/\s+/g, ' ').trim()), columns);
  const [text = '', carets] = quote({ indicator, evidence }, columns - 8);
  return [
    `${crop(visible(indicator), columns)}${tier === undefined ? '' : ` (${tier})`}${where === '' ? '' : `: ${crop(visible(where), columns)}`}`,
    ...(text === '' ? [] : [quoted(text)]),
    ...(carets === undefined ? [] : [quoted(look.bad(carets))]),
    ...(about === '' ? [] : [`  ${look.dim(about)}`]),
  ];
}

/** One line for each actor, then the needed pieces that did not arrive. */
function coverageLines({ outcome, coverage, delivery }: Facts): readonly string[] {
  const { pieces, missing, inferred } = coverage;
  const actors = Object.entries(delivery);
  const names = Math.max(0, ...actors.map(([name]) => widthOf(visible(name))));
  const modes = Math.max(0, ...actors.map(([, { mode }]) => widthOf(visible(mode))));
  const hasSucceeded = outcome === 'exploited' || outcome === 'partial';
  const lacks = hasSucceeded ? [] : missing;
  const more = lacks.length - mostLines;
  return [
    ...actors.map(([name, facts]) => {
      const own = pieces.filter(({ actor }) => actor === name);
      return `${pad(visible(name), names)}  ${pad(visible(facts.mode), modes)}  ${got(facts, own)}`;
    }),
    ...lacks.slice(0, mostLines).map((lack) => `needed: ${crop(shown(lack), columns)}`),
    ...(more > 0 ? [`needed: ${more} more`] : []),
    ...(inferred && !hasSucceeded
      ? ['what is needed was inferred: the document does not mark its attack']
      : []),
  ];
}

function share(pieces: readonly CoveredPiece[]): string {
  const delivered = pieces.filter((piece) => piece.delivered).length;
  return `${delivered} of ${count(pieces.length, 'piece', 'pieces')}`;
}

function got(
  { mode, reached, engaged, phasesSeen, trouble, waiting }: ActorDelivery,
  own: readonly CoveredPiece[],
): string {
  const came = isClientMode(mode)
    ? engaged
      ? 'answered'
      : 'not answered'
    : engaged
      ? 'used'
      : reached
        ? 'not used'
        : 'never asked';
  const words = own.length === 0 ? came : `${share(own)}, ${came}`;
  const waited = waiting === undefined ? '' : ` (then waited: ${visible(counterInWords(waiting))})`;
  const phases = phasesSeen.length === 0 ? '' : `; phases ${visible(phasesSeen.join(' → '))}${waited}`;
  return `${words}${phases}${trouble === undefined ? '' : `; ${crop(shown(trouble), columns)}`}`;
}

function shown(text: string): string {
  return visible(redactorFor(false).text(text));
}

function joined(parts: readonly (readonly string[])[]): string {
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n');
}
