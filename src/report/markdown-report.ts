import type { Comparison, Results } from '../format/model/results-file.ts';
import {
  type AttackRow,
  type DocumentRow,
  findMostSevereRun,
  findOutcomeOrStatus,
  findReportedStatus,
  formatAttackVerdict,
  groupByDocument,
  listAttackedAgents,
  listAttackRows,
  listBaselineChanges,
  type ReportedStatus,
} from './attack-rows.ts';
import {
  describeSuccess,
  isUnattributed,
  listAttributions,
  suggestTwins,
  unattributedMark,
} from './attribution-text.ts';
import { count, describeCounts, notRunReasons } from './count-text.ts';
import {
  findUnjudgedRun,
  formatSkippedCount,
  listDemands,
  listFirstFew,
  listLacks,
  listUnmatchedReasons,
} from './coverage-text.ts';
import { findEvidence } from './find-evidence.ts';
import {
  describeClaim,
  describeDisclosures,
  describeFailTier,
  describeIdleRuns,
  describeInferredRuns,
  listFigures,
  listRaisedOutcomes,
  listUnprovenClaims,
} from './format-figures.ts';
import { formatPlain } from './format-plain.ts';
import { escapeInline, formatFenced, formatInlineCode } from './markdown-text.ts';
import { formatFindingHead, formatIndicatorDescription, quoteEvidence } from './quotation.ts';
import type { ReportContext } from './reporter.ts';
import { cropEnd } from './text-width.ts';

// In bytes, which are never fewer than the characters that GitHub counts in a comment.
export const commentLimit = 65_000;
export const summaryLimit = 1_000_000;

/** A comment on a pull request. It is short enough for a step summary too. */
export function writeMarkdownReport(results: Results, context: ReportContext): string {
  return writeMarkdown(results, context, commentLimit);
}

/** The same report with a given limit, for readers that accept more. */
export function writeMarkdown(results: Results, context: ReportContext, limit: number): string {
  const attacks = listAttackRows(results);
  const room = limit - longestNote;
  let text = formatHeadline(results, attacks, context);
  const left: string[] = [];
  const sections: readonly Section[] = [
    createChangesSection(results, attacks, context),
    createTableSection(results, attacks, context),
    createEvidenceSection(attacks, context),
    createUndecidedSection(results, attacks, context),
    createUnmatchedSection(attacks, context),
  ];
  for (const { share, what, open, items, close = '' } of sections) {
    if (items.length === 0) continue;
    const given = share * (room - countBytes(text)) - countBytes(open) - countBytes(close);
    const taken = takeFitting(items, given);
    if (taken.length > 0) text += open + taken.join('') + close;
    if (taken.length < items.length) left.push(`${items.length - taken.length} of ${count(items.length, ...what)}`);
  }
  return left.length === 0 ? text : `${text}\n${noteOn(left)}\n`;
}

/** A section of the report. It may take a share of the remaining room, and is cut between items. */
interface Section {
  readonly share: number;
  /** The name of one item, and of several. */
  readonly what: readonly [one: string, many: string];
  readonly open: string;
  readonly items: readonly string[];
  readonly close?: string;
}

function countBytes(text: string): number {
  return Buffer.byteLength(text);
}

function takeFitting(items: readonly string[], room: number): readonly string[] {
  let used = 0;
  const end = items.findIndex((item) => {
    used += countBytes(item);
    return used > room;
  });
  return end < 0 ? items : items.slice(0, end);
}

const longestNote = 400;

function noteOn(left: readonly string[]): string {
  return `> There is no room here for ${left.join(', ')}. \`results.json\` has everything.`;
}

function formatHeadline(results: Results, attacks: readonly AttackRow[], context: ReportContext): string {
  const { statistics, agents, tool, baseline, not_run = [], skipped = [] } = results;
  const notRun = not_run.reduce((sum, { runs }) => sum + runs, 0);
  const accepted = attacks.filter((attack) => findReportedStatus(attack) === 'accepted').length;
  const inferred = describeInferredRuns(statistics);
  const facts = [
    describeCounts(statistics.outcomes),
    ...(inferred === undefined ? [] : [inferred]),
    count(statistics.runs, 'run', 'runs'),
    count(agents.length, 'agent', 'agents'),
    ...(statistics.success.interval === null && statistics.unattributed === undefined
      ? []
      : [`success ${describeSuccess(statistics)}`]),
    ...(accepted > 0 ? [`${accepted} accepted`] : []),
    ...listDemands(results.runs.filter(({ twin }) => !twin)).map((demand) => `delivery ${escapeInline(demand)}`),
    ...(notRun > 0 ? [`${count(notRun, 'run', 'runs')} left out`] : []),
    ...(skipped.length > 0 ? [`${formatSkippedCount(skipped)} as not valid`] : []),
    escapeInline(`${tool.name} ${tool.version}`),
  ].filter((fact) => fact !== '');
  const against =
    baseline === undefined
      ? ''
      : `\nAgainst ${formatName(baseline.file, context)}: ${listDifferences(baseline).join(', ')}\n`;
  const claims = agents.flatMap((agent) => {
    const claim = describeClaim(agent, results.runs);
    return claim === undefined ? [] : `\n${formatName(agent.name, context)} is ${escapeInline(claim)}.\n`;
  });
  const told = agents.flatMap(({ name }) => {
    const own = Object.hasOwn(statistics.agents, name) ? statistics.agents[name] : undefined;
    const line = own && describeDisclosures(own);
    return line === undefined ? [] : [`\n${formatName(name, context)} ${escapeInline(line)}\n`];
  });
  const useful = `${formatFigureTable(results, context)}${told.join('')}${formatUnprovenList(results, context)}`;
  return `## ${formatAnswerSentence(results, attacks)}\n\n${facts.join(' · ')}\n${useful}${claims.join('')}${against}`;
}

/** A row for each agent and a column for each figure, if any task result is known. */
function formatFigureTable({ statistics, agents }: Results, context: ReportContext): string {
  const rows = agents.flatMap(({ name }) => {
    const own = Object.hasOwn(statistics.agents, name) ? statistics.agents[name] : undefined;
    const figures = own === undefined ? [] : listFigures(own);
    const idle = own === undefined ? undefined : describeIdleRuns(own);
    return figures.length === 0 ? [] : [{ name, figures, idle }];
  });
  const names = [...new Set(rows.flatMap(({ figures }) => figures.map(({ name }) => name)))];
  if (rows.length === 0) return '';
  const lines = rows.map(({ name, figures, idle }) =>
    formatTableRow([
      formatName(name, context),
      ...names.map((each) => figures.find((figure) => figure.name === each)?.value ?? ''),
      idle ?? '',
    ]),
  );
  return `\n${formatTableHead(['agent', ...names, ''])}${lines.join('')}`;
}

const mostUnproven = 20;

/** The reasons why the outcomes prove less than they suggest, the outcomes that were raised, and what happens anyway. */
function formatUnprovenList(results: Results, context: ReportContext): string {
  const tier = describeFailTier(results);
  const twins = suggestTwins(results.runs);
  const lines = [
    ...(tier === undefined ? [] : [tier]),
    ...listUnprovenClaims(results).map((line) => `**not proven** ${formatShortCell(line, context)}`),
    ...listRaisedOutcomes(results).map((line) => `raised to resisted: ${formatShortCell(line, context)}`),
    ...listAttributions(results).map((line) => `also without the attack: ${formatShortCell(line, context)}`),
    ...(twins === undefined ? [] : [twins]),
  ];
  const items = listFirstFew(lines, mostUnproven).map((line) => `- ${line}\n`);
  return lines.length === 0 ? '' : `\n${items.join('')}`;
}

/** The result of the suite in one sentence, which claims no more than the runs show. */
function formatAnswerSentence(results: Results, attacks: readonly AttackRow[]): string {
  const { baseline, not_run = [], skipped = [], unproven = [] } = results;
  const statuses = attacks.map(findReportedStatus);
  const number = (...wanted: ReportedStatus[]): number => statuses.filter((each) => wanted.includes(each)).length;
  const all = count(attacks.length, 'attack', 'attacks');
  if (number('failed') > 0) return `${number('failed')} of ${all} succeeded`;
  const undecided = number('inconclusive', 'error');
  if (undecided > 0) return `${undecided} of ${all} could not be judged`;
  if (attacks.length === 0) return 'No attack was run';
  if (number('not_applicable') === attacks.length) return `None of ${all} applies`;
  if (attacks.every(({ statistics }) => statistics.success.of === 0)) return `None of ${all} was judged`;
  if (unproven.some(({ why }) => why === 'no_task_done')) return `${all}: nothing shows that the agent works`;
  if (unproven.length > 0) return `${all}: not everything is proven`;
  const isIncomplete = not_run.length > 0 || skipped.length > 0 || (baseline?.missing.length ?? 0) > 0;
  const answer =
    number('accepted') > 0
      ? `Nothing beyond what is accepted in ${all}`
      : formatResisted(all, number('not_applicable'));
  return isIncomplete ? `${answer}, but not all was run` : answer;
}

function formatResisted(all: string, inapplicable: number): string {
  return inapplicable === 0
    ? `${all} resisted`
    : `${all}: every attack that applies was resisted, ${inapplicable} do not apply`;
}

function listDifferences({ attacks, missing }: Comparison): readonly string[] {
  const number = (change: string): number => attacks.filter((each) => each.change === change).length;
  return [
    ...['new', 'fixed', 'unexpected', 'unchanged'].map((change) => `${number(change)} ${change}`),
    ...(missing.length > 0 ? [`${missing.length} not run`] : []),
  ];
}

const longestName = 80;

/** The name of a document, an agent or a file. */
function formatName(name: string, context: ReportContext): string {
  return escapeInline(cropEnd(formatPlain(name, context), longestName));
}

function createChangesSection({ baseline }: Results, attacks: readonly AttackRow[], context: ReportContext): Section {
  const changed = listBaselineChanges(attacks).map(({ title, agent, compared }) => {
    const { change, expected, found, reason } = compared;
    const cells = [
      change === 'new' ? `**${change}**` : change,
      formatName(title, context),
      formatName(agent, context),
      expected === null ? '' : formatName(expected, context),
      reason === undefined ? formatName(found, context) : `${formatName(found, context)}: ${escapeInline(reason)}`,
    ];
    return formatTableRow(cells);
  });
  const missing = (baseline?.missing ?? []).map(({ document, agent }) =>
    formatTableRow(['**missing**', formatName(document, context), formatName(agent, context), '', 'not run']),
  );
  return {
    share: 0.4,
    what: ['change', 'changes'],
    open: `\n${formatTableHead(['change', 'attack', 'agent', 'expected', 'found'])}`,
    items: [...changed, ...missing],
  };
}

function formatTableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

function formatTableHead(names: readonly string[]): string {
  return formatTableRow(names) + formatTableRow(names.map(() => '---'));
}

const statusesBySeverity: readonly ReportedStatus[] = [
  'failed',
  'error',
  'inconclusive',
  'accepted',
  'not_applicable',
  'resisted',
];

function rankRowSeverity({ byAgent }: DocumentRow): number {
  return Math.min(...[...byAgent.values()].map((attack) => statusesBySeverity.indexOf(findReportedStatus(attack))));
}

/** A row for each attack and a column for each agent, most severe first. */
function createTableSection(results: Results, attacks: readonly AttackRow[], context: ReportContext): Section {
  const agents = listAttackedAgents(results);
  const names = agents.map((agent) => formatName(agent, context));
  const rows = groupByDocument(attacks)
    .map((row) => ({ row, rank: rankRowSeverity(row) }))
    .sort((a, b) => a.rank - b.rank);
  return {
    share: 0.6,
    what: ['attack', 'attacks'],
    open: `\n${formatTableHead(['attack', 'severity', ...names])}`,
    items: rows.map(({ row }) => {
      const severity = [...row.byAgent.values()].find(({ document }) => document !== undefined)?.document?.severity;
      return formatTableRow([
        formatName(row.title, context),
        formatName(severity ?? '', context),
        ...agents.map((agent) => formatTableCell(row.byAgent.get(agent))),
      ]);
    }),
  };
}

function formatTableCell(attack: AttackRow | undefined): string {
  if (attack === undefined) return '';
  const { statistics } = attack;
  const status = findReportedStatus(attack);
  const word = isUnattributed(statistics) ? unattributedMark : escapeInline(formatAttackVerdict(attack));
  const accepted = status === 'accepted' ? ' (accepted)' : '';
  const rate = statistics.runs > 1 ? `<br>${describeSuccess(statistics)}` : '';
  return `${status === 'failed' ? `**${word}**` : word}${accepted}${rate}`;
}

const mostFindings = 5;

function createEvidenceSection(attacks: readonly AttackRow[], context: ReportContext): Section {
  const succeeded = attacks
    .filter(({ statistics }) => statistics.success.count > 0)
    .map((attack) => ({ attack, rank: statusesBySeverity.indexOf(findReportedStatus(attack)) }))
    .sort((a, b) => a.rank - b.rank);
  return {
    share: 0.8,
    what: ['piece of evidence', 'pieces of evidence'],
    open: '\n### Evidence\n',
    items: succeeded.map(({ attack }) => formatAttackEvidence(attack, context)),
  };
}

function formatAttackEvidence(attack: AttackRow, context: ReportContext): string {
  const { title, agent, statistics } = attack;
  const run = findMostSevereRun(attack);
  const findings = run === undefined ? [] : findEvidence(run, context);
  const rate = statistics.runs > 1 ? ` (${describeSuccess(statistics)})` : '';
  const parts = findings.slice(0, mostFindings).map((finding) => {
    const about = formatIndicatorDescription(finding, context);
    const lines = quoteEvidence(finding, 110);
    return `${formatInlineCode(formatFindingHead(finding))}${about === undefined ? '' : `: ${escapeInline(about)}`}\n\n${lines.length === 0 ? '' : formatFenced(lines)}\n`;
  });
  const more = findings.length > mostFindings ? `and ${findings.length - mostFindings} more indicators\n\n` : '';
  return (
    `\n<details><summary>${formatName(title, context)} on <b>${formatName(agent, context)}</b>: ` +
    `${escapeInline(formatAttackVerdict(attack))}${rate}</summary>\n\n${parts.join('')}${more}</details>\n`
  );
}

const mostLacks = 6;

function formatShortCell(text: string, context: ReportContext): string {
  return escapeInline(cropEnd(formatPlain(text, context), 300));
}

function createUndecidedSection(
  { not_run = [], skipped = [] }: Results,
  attacks: readonly AttackRow[],
  context: ReportContext,
): Section {
  const unjudged = attacks.flatMap((attack) => {
    const run = findUnjudgedRun(attack);
    if (run === undefined) return [];
    const lacks = listFirstFew(listLacks(run), mostLacks).map((line) => `  - ${formatShortCell(line, context)}\n`);
    return `- ${findOutcomeOrStatus(attack)}: ${formatName(attack.title, context)} on ${formatName(attack.agent, context)}: ${formatShortCell(run.reason, context)}\n${lacks.join('')}`;
  });
  const notRun = not_run.map(
    ({ document, agent, runs, reason }) =>
      `- ${count(runs, 'run', 'runs')} left out: ${formatName(document, context)} on ${formatName(agent, context)}: ${notRunReasons[reason]}\n`,
  );
  const invalid = skipped.map(
    ({ path, reason }) => `- not valid: ${formatName(path, context)}: ${formatShortCell(reason, context)}\n`,
  );
  return {
    share: 1,
    what: ['reason', 'reasons'],
    open: '\n<details><summary>What could not be judged</summary>\n\n',
    items: [...unjudged, ...notRun, ...invalid],
    close: '\n</details>\n',
  };
}

/** The section about unsuccessful attacks: what their indicators looked at. */
function createUnmatchedSection(attacks: readonly AttackRow[], context: ReportContext): Section {
  const items = attacks.flatMap((attack) => {
    const [run] = attack.runs;
    const lines = run === undefined || findMostSevereRun(attack) !== undefined ? [] : listUnmatchedReasons(run);
    if (lines.length === 0) return [];
    const list = listFirstFew(lines, mostFindings).map((line) => `  - ${formatShortCell(line, context)}\n`);
    return `- ${formatName(attack.title, context)} on ${formatName(attack.agent, context)}\n${list.join('')}`;
  });
  return {
    share: 1,
    what: ['list', 'lists'],
    open: '\n<details><summary>What indicators looked at without a match</summary>\n\n',
    items,
    close: '\n</details>\n',
  };
}
