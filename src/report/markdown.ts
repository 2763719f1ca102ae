import type { Comparison, Results } from '../model/results.ts';
import {
  type AttackRow,
  agentNamesIn,
  attacksOf,
  changesIn,
  gravestRun,
  type Row,
  rowsOf,
  type Standing,
  standingOf,
  verdictOf,
  wordFor,
} from './attacks.ts';
import { claimOf } from './claims.ts';
import { demandsOf, firstFew, lacksOf, unjudgedRun, whyNotIn } from './coverage.ts';
import { findingsIn } from './evidence.ts';
import { failTierInWords, figuresIn, idleInWords, raisedIn, unprovenIn } from './figures.ts';
import { fenced, inline, inlineCode } from './markdown-text.ts';
import { aboutOf, headOf, quote } from './quotation.ts';
import type { ReportContext } from './reporter.ts';
import { shown } from './shown.ts';
import { skippedCount } from './skipped.ts';
import { crop } from './width.ts';
import { count, describeCounts, describeRate, notRunReasons } from './words.ts';

// In bytes, which are never fewer than the characters that GitHub counts in a comment.
export const commentLimit = 65_000;
export const summaryLimit = 1_000_000;

/** A comment on a pull request. It is short enough for a step summary too. */
export function markdownReport(results: Results, context: ReportContext): string {
  return writeMarkdown(results, context, commentLimit);
}

/** The same report with a given limit, for places with more room. */
export function writeMarkdown(results: Results, context: ReportContext, limit: number): string {
  const attacks = attacksOf(results);
  const room = limit - longestNote;
  let text = headlineOf(results, attacks, context);
  const left: string[] = [];
  for (const { share, what, open, items, close } of [
    changes(results, attacks, context),
    table(results, attacks, context),
    evidence(attacks, context),
    undecided(results, attacks, context),
    whyNot(attacks, context),
  ]) {
    if (items.length === 0) continue;
    const given = share * (room - bytes(text)) - bytes(open) - bytes(close);
    const taken = thatFit(items, given);
    if (taken.length > 0) text += open + taken.join('') + close;
    if (taken.length < items.length) left.push(`${items.length - taken.length} of ${what(items.length)}`);
  }
  return left.length === 0 ? text : `${text}\n${noteOn(left)}\n`;
}

/** A section of the report. It may take a share of the remaining room, and is cut between items. */
interface Section {
  readonly share: number;
  /** The name of the items, for a given number of them. */
  readonly what: (number: number) => string;
  readonly open: string;
  readonly items: readonly string[];
  readonly close: string;
}

function bytes(text: string): number {
  return Buffer.byteLength(text);
}

function thatFit(items: readonly string[], room: number): readonly string[] {
  let used = 0;
  const end = items.findIndex((item) => {
    used += bytes(item);
    return used > room;
  });
  return end < 0 ? items : items.slice(0, end);
}

const longestNote = 400;

function noteOn(left: readonly string[]): string {
  return `> There is no room here for ${left.join(', ')}. \`results.json\` has everything.`;
}

function headlineOf(results: Results, attacks: readonly AttackRow[], context: ReportContext): string {
  const { statistics, agents, tool, baseline, not_run = [], skipped = [] } = results;
  const notRun = not_run.reduce((sum, { runs }) => sum + runs, 0);
  const accepted = attacks.filter((attack) => standingOf(attack) === 'accepted').length;
  const facts = [
    describeCounts(statistics.outcomes),
    count(statistics.runs, 'run', 'runs'),
    count(agents.length, 'agent', 'agents'),
    ...(statistics.success.interval === null ? [] : [`success ${describeRate(statistics.success)}`]),
    ...(accepted > 0 ? [`${accepted} accepted`] : []),
    ...demandsOf(results.runs.filter(({ twin }) => !twin)).map((demand) => `delivery ${inline(demand)}`),
    ...(notRun > 0 ? [`${count(notRun, 'run', 'runs')} left out`] : []),
    ...(skipped.length > 0 ? [`${skippedCount(skipped)} as not valid`] : []),
    inline(`${tool.name} ${tool.version}`),
  ].filter((fact) => fact !== '');
  const against =
    baseline === undefined
      ? ''
      : `\nAgainst ${nameOf(baseline.file, context)}: ${differencesIn(baseline).join(', ')}\n`;
  const claims = agents.flatMap((agent) => {
    const claim = claimOf(agent, results.runs);
    return claim === undefined ? [] : `\n${nameOf(agent.name, context)} is ${inline(claim)}.\n`;
  });
  const useful = `${figureTable(results, context)}${unprovenList(results, context)}`;
  return `## ${answerIn(results, attacks)}\n\n${facts.join(' · ')}\n${useful}${claims.join('')}${against}`;
}

/** A row for each agent and a column for each figure, if any task result is known. */
function figureTable({ statistics, agents }: Results, context: ReportContext): string {
  const rows = agents.flatMap(({ name }) => {
    const own = Object.hasOwn(statistics.agents, name) ? statistics.agents[name] : undefined;
    const figures = own === undefined ? [] : figuresIn(own);
    const idle = own === undefined ? undefined : idleInWords(own);
    return figures.length === 0 ? [] : [{ name, figures, idle }];
  });
  const names = [...new Set(rows.flatMap(({ figures }) => figures.map(({ name }) => name)))];
  if (rows.length === 0) return '';
  const lines = rows.map(({ name, figures, idle }) =>
    rowOf([
      nameOf(name, context),
      ...names.map((each) => figures.find((figure) => figure.name === each)?.value ?? ''),
      idle ?? '',
    ]),
  );
  return `\n${rowOf(['agent', ...names, ''])}${rowOf(Array(names.length + 2).fill('---'))}${lines.join('')}`;
}

const mostUnproven = 20;

/** The reasons why the outcomes prove less than they suggest, and the outcomes that were raised. */
function unprovenList(results: Results, context: ReportContext): string {
  const tier = failTierInWords(results);
  const lines = [
    ...(tier === undefined ? [] : [tier]),
    ...unprovenIn(results).map((line) => `**not proven** ${told(line, context)}`),
    ...raisedIn(results).map((line) => `raised to resisted: ${told(line, context)}`),
  ];
  const items = firstFew(lines, mostUnproven).map((line) => `- ${line}\n`);
  return lines.length === 0 ? '' : `\n${items.join('')}`;
}

/** The result of the suite in one sentence, without claiming more than it shows. */
function answerIn(results: Results, attacks: readonly AttackRow[]): string {
  const { baseline, not_run = [], skipped = [], unproven = [] } = results;
  const standings = attacks.map(standingOf);
  const number = (...wanted: Standing[]): number => standings.filter((each) => wanted.includes(each)).length;
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
      : resistedIn(all, number('not_applicable'));
  return isIncomplete ? `${answer}, but not all was run` : answer;
}

function resistedIn(all: string, inapplicable: number): string {
  return inapplicable === 0
    ? `${all} resisted`
    : `${all}: every attack that applies was resisted, ${inapplicable} do not apply`;
}

function differencesIn({ attacks, missing }: Comparison): readonly string[] {
  const number = (change: string): number => attacks.filter((each) => each.change === change).length;
  return [
    ...['new', 'fixed', 'unexpected', 'unchanged'].map((change) => `${number(change)} ${change}`),
    ...(missing.length > 0 ? [`${missing.length} not run`] : []),
  ];
}

const longestName = 80;

/** The name of a document, an agent or a file. */
function nameOf(name: string, context: ReportContext): string {
  return inline(crop(shown(name, context), longestName));
}

function changes({ baseline }: Results, attacks: readonly AttackRow[], context: ReportContext): Section {
  const changed = changesIn(attacks).map(({ title, agent, compared }) => {
    const { change, expected, found, reason } = compared;
    const cells = [
      change === 'new' ? `**${change}**` : change,
      nameOf(title, context),
      nameOf(agent, context),
      expected === null ? '' : nameOf(expected, context),
      reason === undefined ? nameOf(found, context) : `${nameOf(found, context)}: ${inline(reason)}`,
    ];
    return rowOf(cells);
  });
  const missing = (baseline?.missing ?? []).map(({ document, agent }) =>
    rowOf(['**missing**', nameOf(document, context), nameOf(agent, context), '', 'not run']),
  );
  const head = rowOf(['change', 'attack', 'agent', 'expected', 'found']) + rowOf(Array(5).fill('---'));
  return {
    share: 0.4,
    what: (number) => count(number, 'change', 'changes'),
    open: `\n${head}`,
    items: [...changed, ...missing],
    close: '',
  };
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`;
}

const gravestStanding: readonly Standing[] = [
  'failed',
  'error',
  'inconclusive',
  'accepted',
  'not_applicable',
  'resisted',
];

function gravity({ byAgent }: Row): number {
  return Math.min(...[...byAgent.values()].map((attack) => gravestStanding.indexOf(standingOf(attack))));
}

/** A row for each attack and a column for each agent, gravest first. */
function table(results: Results, attacks: readonly AttackRow[], context: ReportContext): Section {
  const agents = agentNamesIn(results);
  const head =
    rowOf(['attack', 'severity', ...agents.map((agent) => nameOf(agent, context))]) +
    rowOf(Array(agents.length + 2).fill('---'));
  const rows = rowsOf(attacks)
    .map((row) => ({ row, gravity: gravity(row) }))
    .sort((a, b) => a.gravity - b.gravity);
  return {
    share: 0.6,
    what: (number) => count(number, 'attack', 'attacks'),
    open: `\n${head}`,
    items: rows.map(({ row }) => {
      const severity = [...row.byAgent.values()].find(({ document }) => document !== undefined)?.document
        ?.severity;
      return rowOf([
        nameOf(row.title, context),
        nameOf(severity ?? '', context),
        ...agents.map((agent) => cellOf(row.byAgent.get(agent))),
      ]);
    }),
    close: '',
  };
}

function cellOf(attack: AttackRow | undefined): string {
  if (attack === undefined) return '';
  const { runs, success } = attack.statistics;
  const standing = standingOf(attack);
  const word = inline(verdictOf(attack));
  const accepted = standing === 'accepted' ? ' (accepted)' : '';
  const rate = runs > 1 ? `<br>${describeRate(success)}` : '';
  return `${standing === 'failed' ? `**${word}**` : word}${accepted}${rate}`;
}

const mostFindings = 5;

function evidence(attacks: readonly AttackRow[], context: ReportContext): Section {
  const succeeded = attacks
    .filter(({ statistics }) => statistics.success.count > 0)
    .map((attack) => ({ attack, rank: gravestStanding.indexOf(standingOf(attack)) }))
    .sort((a, b) => a.rank - b.rank);
  return {
    share: 0.8,
    what: (number) => `${count(number, 'piece', 'pieces')} of evidence`,
    open: '\n### Evidence\n',
    items: succeeded.map(({ attack }) => evidenceOn(attack, context)),
    close: '',
  };
}

function evidenceOn(attack: AttackRow, context: ReportContext): string {
  const { title, agent, statistics } = attack;
  const run = gravestRun(attack);
  const findings = run === undefined ? [] : findingsIn(run, context);
  const rate = statistics.runs > 1 ? ` (${describeRate(statistics.success)})` : '';
  const parts = findings.slice(0, mostFindings).map((finding) => {
    const about = aboutOf(finding, context);
    const lines = quote(finding, 110);
    return `${inlineCode(headOf(finding))}${about === undefined ? '' : `: ${inline(about)}`}\n\n${lines.length === 0 ? '' : fenced(lines)}\n`;
  });
  const more =
    findings.length > mostFindings ? `and ${findings.length - mostFindings} more indicators\n\n` : '';
  return (
    `\n<details><summary>${nameOf(title, context)} on <b>${nameOf(agent, context)}</b>: ` +
    `${inline(verdictOf(attack))}${rate}</summary>\n\n${parts.join('')}${more}</details>\n`
  );
}

const mostLacks = 6;

function told(text: string, context: ReportContext): string {
  return inline(crop(shown(text, context), 300));
}

function undecided(
  { not_run = [], skipped = [] }: Results,
  attacks: readonly AttackRow[],
  context: ReportContext,
): Section {
  const unjudged = attacks.flatMap((attack) => {
    const run = unjudgedRun(attack);
    if (run === undefined) return [];
    const lacks = firstFew(lacksOf(run), mostLacks).map((line) => `  - ${told(line, context)}\n`);
    return `- ${wordFor(attack)}: ${nameOf(attack.title, context)} on ${nameOf(attack.agent, context)}: ${told(run.reason, context)}\n${lacks.join('')}`;
  });
  const notRun = not_run.map(
    ({ document, agent, runs, reason }) =>
      `- ${count(runs, 'run', 'runs')} left out: ${nameOf(document, context)} on ${nameOf(agent, context)}: ${notRunReasons[reason]}\n`,
  );
  const invalid = skipped.map(
    ({ path, reason }) => `- not valid: ${nameOf(path, context)}: ${told(reason, context)}\n`,
  );
  return {
    share: 1,
    what: (number) => count(number, 'reason', 'reasons'),
    open: '\n<details><summary>What could not be judged</summary>\n\n',
    items: [...unjudged, ...notRun, ...invalid],
    close: '\n</details>\n',
  };
}

/** The section about unsuccessful attacks: what their indicators looked at. */
function whyNot(attacks: readonly AttackRow[], context: ReportContext): Section {
  const items = attacks.flatMap((attack) => {
    const [run] = attack.runs;
    const lines = run === undefined || gravestRun(attack) !== undefined ? [] : whyNotIn(run);
    if (lines.length === 0) return [];
    const list = firstFew(lines, mostFindings).map((line) => `  - ${told(line, context)}\n`);
    return `- ${nameOf(attack.title, context)} on ${nameOf(attack.agent, context)}\n${list.join('')}`;
  });
  return {
    share: 1,
    what: (number) => count(number, 'list', 'lists'),
    open: '\n<details><summary>What indicators looked at without a match</summary>\n\n',
    items,
    close: '\n</details>\n',
  };
}
