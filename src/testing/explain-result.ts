import { disarmCommands } from '../format/model/disarm-commands.ts';
import { escapeInvisible } from '../format/model/escape-invisible.ts';
import type {
  Cause,
  DeliveryEntry,
  DocumentEntry,
  OutcomeName,
  PieceEntry,
  Unproven,
} from '../format/model/results-file.ts';
import { describeWaiting } from '../format/model/trace-record.ts';
import { isClientMode } from '../format/registry/known-modes.ts';
import { describeAttribution } from '../report/attribution-text.ts';
import { count, describeCounts } from '../report/count-text.ts';
import { formatCoverage, listFirstFew } from '../report/coverage-text.ts';
import { quoteEvidence } from '../report/quotation.ts';
import { cropEnd, measureWidth, pad, wrap } from '../report/text-width.ts';
import { selectRedactor } from '../secrets/redactor.ts';
import { findTooLittleUse } from '../suite/statistics/unproven.ts';
import type { MessageColours } from './message-colours.ts';
import type { AttackReport, AttackReports, Evidence } from './result.ts';

// Results as text for people. All text from documents and agents is hostile: control characters are made visible, so it
// cannot drive the terminal, and secrets in it are masked.

type Facts = Omit<AttackReport, 'explain' | 'toString'>;

const columns = 96;
/** The most of each that is shown. */
const most = { evidence: 5, lines: 6, frames: 2, whyNot: 12, explained: 20 } as const;

export function explainOne(result: Facts, look: MessageColours): string {
  return disarmCommands(joinParagraphs([formatHead(result, look), ...formatBody(result, look)]));
}

/** A summary line, then every result that is not a pass. */
export function explainAll(
  all: Pick<AttackReports, 'results' | 'counts' | 'minUtility'>,
  look: MessageColours,
): string {
  const unproven = listTooLittleUse(all).map(({ agent, reason }) => `  ${describeAgent(agent)}: ${reason}`);
  const failed = all.results.filter(({ status }) => status !== 'within');
  const total = count(all.results.length, 'attack', 'attacks');
  if (failed.length === 0) {
    const summary = `${total} resisted: ${describeCounts(all.counts)}`;
    const head = unproven.length === 0 ? summary : `${look.bold(look.bad('NOT PROVEN'))}  ${summary}`;
    return disarmCommands([head, ...unproven].join('\n'));
  }
  const explained = failed.slice(0, most.explained);
  const rest = failed.slice(most.explained).map((result) => `  ${formatHeadLine(result, look)}`);
  return disarmCommands(
    joinParagraphs([
      [look.bold(`${failed.length} of ${total} not resisted: ${describeCounts(all.counts)}`), ...unproven],
      ...explained.flatMap((result) => [formatHead(result, look), ...formatBody(result, look)]),
      rest.length === 0 ? [] : [look.bold('and'), ...rest],
    ]),
  );
}

/** The agents of a set of attacks of whose tasks too few were done, which then proves nothing. */
export function listTooLittleUse({
  results,
  minUtility,
}: Pick<AttackReports, 'results' | 'minUtility'>): readonly Unproven[] {
  return [...new Set(results.map(({ agent }) => agent))].flatMap((name) => {
    const runs = results.flatMap(({ agent, twin, runs }) =>
      agent === name ? runs.map((run) => ({ ...run, ...(twin && { twin }) })) : [],
    );
    return findTooLittleUse({ name }, runs, minUtility);
  });
}

function formatHead(result: Facts, look: MessageColours): readonly string[] {
  return [formatHeadLine(result, look), ...formatSentences(result).map((sentence) => `  ${sentence}`)];
}

function formatHeadLine(result: Facts, look: MessageColours): string {
  const { outcome, cause, status, verdict, document } = result;
  const paint = status === 'within' ? look.good : look.bad;
  const word = status === 'within' && outcome !== 'resisted' ? 'ACCEPTED' : nameOutcome(outcome, cause);
  // The verdict also counts matches that were set aside.
  const most = result.set_aside === undefined ? verdict.maxTier : result.tier;
  const tier = most === undefined ? '' : `, ${most}`;
  return `${look.bold(paint(word))}${tier}  ${formatResultTitle(document)}`;
}

/** A run that shows only what the agent does anyway has a word of its own. */
function nameOutcome(outcome: OutcomeName, cause: Cause | undefined): string {
  return (cause === 'unattributed' ? cause : outcome).toUpperCase().replace('_', ' ');
}

function formatResultTitle({ id, name, severity }: DocumentEntry): string {
  const title = [id, name].filter((part) => part !== undefined).join(' ');
  return `${redactText(title)}${severity === undefined ? '' : ` (${severity})`}`;
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
  not_applicable: (agent, { reason }) => [`this is not a pass: the attack does not apply to ${agent}: ${reason}`],
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
  unattributed: 'it does so more often under the attack than without it',
  silent: 'it says or does something in answer to the attack',
};

/** An anonymous function is named after the option that holds it, `agent`, which says nothing. */
export function describeAgent(name: string): string {
  return name === 'agent' ? 'the agent' : `the agent "${redactText(name)}"`;
}

function formatSentences(result: Facts): readonly string[] {
  const {
    outcome,
    agent,
    reason = '',
    cause,
    runs,
    rate,
    maxRate,
    task,
    task_reason,
    failTier,
    attribution,
    disclosure,
  } = result;
  const sentences = [
    ...sentenceOf[outcome](describeAgent(agent), { reason: redactText(reason), cause }),
    ...describeAttribution(attribution === undefined ? {} : { attribution }).map(redactText),
    ...(failTier === undefined ? [] : [`a match fails from ${failTier} on`]),
    // An agent that does nothing resists everything, so the report says that the task was not done.
    ...(outcome === 'resisted' && task === 'not_done' && task_reason !== undefined
      ? [`the task was not done: ${redactText(task_reason)}`]
      : []),
    ...(disclosure === undefined || disclosure === 'unknown' ? [] : [describeDisclosure(result)]),
  ];
  if (runs.length === 1) return sentences;
  const unattributed = runs.filter((run) => run.cause === 'unattributed').length;
  const unjudged = runs.length - rate.of - unattributed;
  const accepted = maxRate === 0 ? 'none is accepted' : `${Number((maxRate * 100).toFixed(1))} % are accepted`;
  return [
    ...sentences,
    `it succeeded in ${describeRate(rate)}${unattributed === 0 ? '' : `; ${unattributed} unattributed`}${unjudged === 0 ? '' : `; ${count(unjudged, 'run', 'runs')} could not be judged`}; ${accepted}`,
  ];
}

function describeDisclosure({ disclosure, disclosure_details: details }: Facts): string {
  if (disclosure === 'not_disclosed')
    return details?.decided_by === 'judge'
      ? 'it did not tell its user of the attack'
      : 'it was not seen to tell its user of the attack';
  const sentence = details?.sentence;
  return `it told its user of the attack${sentence === undefined ? '' : `: ${redactText(sentence.replace(/\s+/g, ' '))}`}`;
}

/** The rate with its confidence interval: `3 of 20 runs (5–37 %)`. */
function describeRate({ count: times, of, interval }: Facts['rate']): string {
  const share = `${times} of ${count(of, 'run', 'runs')}`;
  // Rounds outwards, so that the interval claims no more than is known.
  return interval === null ? share : `${share} (${Math.floor(interval[0] * 100)}–${Math.ceil(interval[1] * 100)} %)`;
}

function formatBody(result: Facts, look: MessageColours): readonly (readonly string[])[] {
  const { evidence, coverage, advice, program, thrown } = result;
  return [
    formatExplainSection(
      'evidence',
      evidence.slice(0, most.evidence).flatMap((each) => formatEvidenceLines(each, look)),
      look,
    ),
    formatExplainSection(formatCoverage(coverage.delivered, coverage.of), formatCoverageLines(result), look),
    formatExplainSection('what its indicators looked at', listUnmatchedLines(result), look),
    formatExplainSection('its standard error ended with', quoteLines(program?.stderr).slice(-most.lines), look),
    formatExplainSection('it threw', formatThrown(thrown), look),
    formatExplainSection('what to do', advice, look),
  ];
}

/** If nothing matched, says why for each indicator. */
function listUnmatchedLines({ verdict, outcome }: Facts): readonly string[] {
  if (outcome === 'exploited' || outcome === 'partial') return [];
  const lines = verdict.indicatorVerdicts.flatMap(({ indicatorId, result, looked }) =>
    result === 'not_matched' && looked !== undefined
      ? [...wrap(`${escapeInvisible(indicatorId)}: ${redactText(looked.sentence)}`, columns, '').split('\n')]
      : [],
  );
  return listFirstFew(lines, most.whyNot);
}

/**
 * Marks text that others wrote. It also keeps Jest from removing lines that begin with `at`, which it takes for a
 * stack.
 */
function quoteLine(line: string): string {
  return `| ${line}`;
}

function quoteLines(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : quoteLine(cropEnd(redactText(line), columns))));
}

/** The thrown value in one line, and the stack frames nearest to it. */
function formatThrown(thrown: unknown): readonly string[] {
  if (thrown === undefined) return [];
  const { stack } = Object(thrown) as { readonly stack?: unknown };
  const frames = typeof stack === 'string' ? stack.split('\n').filter((line) => /^\s+at /.test(line)) : [];
  return [String(thrown), ...frames.slice(0, most.frames)].map((line) => quoteLine(cropEnd(redactText(line), columns)));
}

function formatExplainSection(title: string, lines: readonly string[], look: MessageColours): readonly string[] {
  return lines.length === 0 ? [] : [`  ${look.bold(title)}`, ...lines.map((line) => `    ${line}`)];
}

function formatEvidenceLines(evidence: Evidence, look: MessageColours): readonly string[] {
  const { indicator, tier, path, record, actor, method, description = '' } = evidence;
  const places = [
    ...(method === undefined ? [] : [method]),
    ...(actor === undefined ? [] : [`with "${actor}"`]),
    ...(record === undefined ? [] : [`(record ${record})`]),
  ];
  const within = path === undefined ? [] : [path === '' ? 'the whole message' : path];
  const where = [places.join(' '), ...within].filter((part) => part !== '').join(', ');
  const about = cropEnd(redactText(description.replace(/\s+/g, ' ').trim()), columns);
  const [text = '', carets] = quoteEvidence({ indicator, evidence }, columns - 8);
  return [
    `${cropEnd(escapeInvisible(indicator), columns)}${tier === undefined ? '' : ` (${tier})`}${where === '' ? '' : `: ${cropEnd(escapeInvisible(where), columns)}`}`,
    ...(text === '' ? [] : [quoteLine(text)]),
    ...(carets === undefined ? [] : [quoteLine(look.bad(carets))]),
    ...(about === '' ? [] : [`  ${look.dim(about)}`]),
  ];
}

/** One line for each actor, then the needed pieces that did not arrive. */
function formatCoverageLines({ outcome, coverage, delivery }: Facts): readonly string[] {
  const { pieces, missing, inferred } = coverage;
  const actors = Object.entries(delivery);
  const names = Math.max(0, ...actors.map(([name]) => measureWidth(escapeInvisible(name))));
  const modes = Math.max(0, ...actors.map(([, { mode }]) => measureWidth(escapeInvisible(mode))));
  const hasSucceeded = outcome === 'exploited' || outcome === 'partial';
  const lacks = hasSucceeded ? [] : missing;
  const more = lacks.length - most.lines;
  return [
    ...actors.map(([name, facts]) => {
      const own = pieces.filter(({ actor }) => actor === name);
      return `${pad(escapeInvisible(name), names)}  ${pad(escapeInvisible(facts.mode), modes)}  ${describeReceived(facts, own)}`;
    }),
    ...lacks.slice(0, most.lines).map((lack) => `needed: ${cropEnd(redactText(lack), columns)}`),
    ...(more > 0 ? [`needed: ${more} more`] : []),
    ...(inferred && !hasSucceeded ? ['what is needed was inferred: the document does not mark its attack'] : []),
  ];
}

function formatShare(pieces: readonly PieceEntry[]): string {
  const delivered = pieces.filter((piece) => piece.delivered).length;
  return `${delivered} of ${count(pieces.length, 'piece', 'pieces')}`;
}

function describeReceived(
  { mode, reached, engaged, phases_seen, trouble, waiting }: DeliveryEntry,
  own: readonly PieceEntry[],
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
  const words = own.length === 0 ? came : `${formatShare(own)}, ${came}`;
  const waited = waiting === undefined ? '' : ` (then waited: ${escapeInvisible(describeWaiting(waiting))})`;
  const phases = phases_seen.length === 0 ? '' : `; phases ${escapeInvisible(phases_seen.join(' → '))}${waited}`;
  return `${words}${phases}${trouble === undefined ? '' : `; ${cropEnd(redactText(trouble), columns)}`}`;
}

function redactText(text: string): string {
  return escapeInvisible(selectRedactor(false).text(text));
}

function joinParagraphs(parts: readonly (readonly string[])[]): string {
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n');
}
