import type { Results } from '../format/model/results-file.ts';
import { formatAgentTable } from './agent-table.ts';
import {
  type AttackRow,
  findMostSevereRun,
  formatAttackVerdict,
  groupByDocument,
  listAttackedAgents,
  listAttackRows,
  listBaselineChanges,
} from './attack-rows.ts';
import { describeSuccess, listAttributions, suggestTwins } from './attribution-text.ts';
import { count, describeCounts, notRunReasons } from './count-text.ts';
import { findUnjudgedRun, listDemands, listFirstFew, listLacks } from './coverage-text.ts';
import { findEvidence } from './find-evidence.ts';
import {
  describeClaim,
  describeDisclosures,
  describeFailTier,
  describeIdleRuns,
  describeInferredRuns,
  describeUnusedServers,
  formatFigures,
  formatUnprovenClaims,
  listRaisedOutcomes,
} from './format-figures.ts';
import { formatPlain } from './format-plain.ts';
import { groupAlike, joinNamesWithin, mostSeparateAgents } from './group-alike.ts';
import { formatFindingHead, quoteEvidence } from './quotation.ts';
import type { ReportContext } from './reporter.ts';
import { cropEnd, pad } from './text-width.ts';

export type Paint = (text: string) => string;

/** The width and colours of the terminal or file for which the text is made. */
export interface TextStyle {
  readonly columns: number;
  readonly colours: { readonly [C in 'bold' | 'dim' | 'red' | 'green' | 'yellow']: Paint };
}

const plain: Paint = (text) => text;
const file: TextStyle = { columns: 120, colours: { bold: plain, dim: plain, red: plain, green: plain, yellow: plain } };

export function writeTextReport(results: Results, context: ReportContext): string {
  return writeText(results, context, file);
}

/** The text report: the table of attacks and agents, changes, evidence, and attacks that could not be judged. */
export function writeText(results: Results, context: ReportContext, look: TextStyle): string {
  const attacks = listAttackRows(results);
  const evidence = [formatEvidenceSection(attacks, context, look), formatUndecidedSection(attacks, context, look)];
  return formatSections(results, attacks, context, look, evidence);
}

/** The same without the evidence, for a terminal on which it was printed before. */
export function writeSummary(results: Results, context: ReportContext, look: TextStyle): string {
  return formatSections(results, listAttackRows(results), context, look, []);
}

function formatSections(
  results: Results,
  attacks: readonly AttackRow[],
  context: ReportContext,
  look: TextStyle,
  evidence: readonly string[],
): string {
  const sections = [
    formatTextSummary(results, attacks, context, look),
    formatUnprovenSection(results, context, look),
    formatComparison(results, attacks, context, look),
    ...evidence,
    formatNotRunSection(results, context, look),
    formatSkippedSection(results, context, look),
  ];
  return sections.filter((section) => section !== '').join('\n');
}

function formatTextSummary(
  results: Results,
  attacks: readonly AttackRow[],
  context: ReportContext,
  look: TextStyle,
): string {
  const { columns, colours } = look;
  if (attacks.length === 0) return 'No attack was run\n';
  const agents = listAttackedAgents(results);
  const table = formatAgentTable(groupByDocument(attacks), agents, context, look);
  const totals = groupAlike(
    agents.map((agent) => {
      const entry = results.agents.find(({ name }) => name === agent);
      const claim = entry && describeClaim(entry, results.runs);
      const unused = entry === undefined ? [] : describeUnusedServers(entry, results.runs);
      const lines = [
        formatAgentTotal(results, agent),
        ...formatUtility(results, agent).map((line) => `    ${line}`),
        ...(claim === undefined ? [] : [`    ${colours.dim(formatPlain(claim, context))}`]),
        ...unused.map((line) => `    ${colours.yellow(formatPlain(line, context))}`),
      ];
      return { agent, text: lines.join('\n') };
    }),
    ({ agent, text }) => (agents.length > mostSeparateAgents ? text : agent),
  ).map(({ first, all }) => {
    const names = all.map(({ agent }) => cropEnd(formatPlain(agent, context), 30));
    return `  ${joinNamesWithin(names, columns / 2)}: ${first.text}`;
  });
  const unusual = listDemands(results.runs.filter(({ twin }) => !twin)).filter((demand) => demand !== 'payload');
  const tier = describeFailTier(results);
  const twins = suggestTwins(results.runs);
  const asked = [
    ...(unusual.length === 0 ? [] : [`  delivery asked for: ${unusual.join(', ')}`]),
    ...(tier === undefined ? [] : [`  ${tier}`]),
    ...(twins === undefined ? [] : [`  ${colours.dim(twins)}`]),
  ];
  return `${[colours.bold('Summary'), ...table, '', ...totals, ...asked].join('\n')}\n`;
}

/** Whether the agent does its task, with and without an attack. */
function formatUtility({ statistics }: Results, agent: string): readonly string[] {
  const own = Object.hasOwn(statistics.agents, agent) ? statistics.agents[agent] : undefined;
  return own === undefined
    ? []
    : [formatFigures(own), describeIdleRuns(own), describeInferredRuns(own), describeDisclosures(own)].flatMap(
        (line) => line ?? [],
      );
}

/** The reasons why the outcomes prove less than they suggest, the outcomes that were raised, and what happens anyway. */
function formatUnprovenSection(results: Results, context: ReportContext, { colours, columns }: TextStyle): string {
  const open = formatUnprovenClaims(results, columns).map((line) => `  ${colours.yellow(formatPlain(line, context))}`);
  const raised = listRaisedOutcomes(results).map((line) => `  ${formatPlain(line, context)}`);
  const without = listAttributions(results).map((line) => `  ${formatPlain(line, context)}`);
  return [
    ...(open.length === 0 ? [] : [colours.bold('Not proven'), ...open]),
    ...(raised.length === 0 ? [] : [colours.bold('Raised to resisted'), ...raised]),
    ...(without.length === 0 ? [] : [colours.bold('Also without the attack'), ...without]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function formatAgentTotal({ statistics }: Results, agent: string): string {
  const own = Object.hasOwn(statistics.agents, agent) ? statistics.agents[agent] : undefined;
  if (own === undefined) return 'not attacked';
  const { outcomes } = own;
  const runs = Object.values(outcomes).reduce((sum, number) => sum + number, 0);
  return `${describeCounts(outcomes)} of ${count(runs, 'run', 'runs')}; attacks succeeded in ${describeSuccess(own)}`;
}

function formatComparison(
  { baseline }: Results,
  attacks: readonly AttackRow[],
  context: ReportContext,
  { colours }: TextStyle,
): string {
  if (baseline === undefined) return '';
  const changeColours = { new: colours.red, fixed: colours.green, unexpected: colours.yellow, unchanged: plain };
  const lines = listBaselineChanges(attacks).map(({ title, agent, compared }) => {
    const { change, expected, found, reason } = compared;
    const word = changeColours[change](pad(change.toUpperCase(), 10));
    const was = expected === null ? 'not in the baseline' : formatPlain(expected, context);
    const why = reason === undefined ? '' : `: ${formatPlain(reason, context)}`;
    return `  ${word}  ${formatPlain(title, context)} on ${formatPlain(agent, context)}: ${was}, now ${formatPlain(found, context)}${why}`;
  });
  const missing = baseline.missing.map(
    ({ document, agent }) =>
      `  ${colours.red(pad('MISSING', 10))}  ${formatPlain(document, context)} on ${formatPlain(agent, context)}: the baseline has it, but it was not run`,
  );
  const unchanged = baseline.attacks.filter(({ change }) => change === 'unchanged').length;
  return `${[
    colours.bold(`Against ${formatPlain(baseline.file, context)}`),
    ...lines,
    ...missing,
    `  ${unchanged} unchanged`,
  ].join('\n')}\n`;
}

function formatEvidenceSection(
  attacks: readonly AttackRow[],
  context: ReportContext,
  { colours, columns }: TextStyle,
): string {
  const entries = attacks.flatMap((attack) => {
    const run = findMostSevereRun(attack);
    if (run === undefined) return [];
    const { statistics } = attack;
    const rate = statistics.runs > 1 ? ` (${describeSuccess(statistics)})` : '';
    const [strongest] = findEvidence(run, context);
    const quoted =
      strongest === undefined
        ? []
        : [
            `      ${colours.dim(formatFindingHead(strongest))}`,
            ...quoteEvidence(strongest, columns - 8).map((line) => `        ${line}`),
          ];
    return { attack, what: `: ${colours.red(formatAttackVerdict(attack))}${rate}`, lines: quoted };
  });
  return formatTextSection('Evidence', entries, context, { colours, columns });
}

const mostLacks = 6;

function formatUndecidedSection(attacks: readonly AttackRow[], context: ReportContext, look: TextStyle): string {
  const { colours } = look;
  const entries = attacks.flatMap((attack) => {
    const run = findUnjudgedRun(attack);
    if (run === undefined) return [];
    const { outcomes, runs } = attack.statistics;
    const share = runs > 1 ? ` (${outcomes.inconclusive + outcomes.error} of ${runs} runs)` : '';
    const lines = listFirstFew(listLacks(run), mostLacks).map(
      (line) => `      ${colours.dim(formatPlain(line, context))}`,
    );
    return { attack, what: `${share}: ${formatPlain(run.reason, context)}`, lines };
  });
  return formatTextSection('Not judged', entries, context, look);
}

/** One entry of a section: an attack on an agent and the lines about it. */
interface SectionEntry {
  readonly attack: AttackRow;
  readonly what: string;
  readonly lines: readonly string[];
}

/** A paragraph for each attack on an agent. With many agents, those with the same lines share one. */
function formatTextSection(
  title: string,
  entries: readonly SectionEntry[],
  context: ReportContext,
  { colours, columns }: TextStyle,
): string {
  if (entries.length === 0) return '';
  const isMany = new Set(entries.map(({ attack }) => attack.agent)).size > mostSeparateAgents;
  const folds = groupAlike(entries, ({ attack, what, lines }) =>
    JSON.stringify([attack.statistics.document, isMany ? '' : attack.agent, what, lines]),
  );
  const paragraphs = folds.map(({ first, all }) => {
    const agents = all.map(({ attack }) => formatPlain(attack.agent, context));
    const name = formatPlain(first.attack.title, context);
    return [`  ${name} on ${joinNamesWithin(agents, columns / 2)}${first.what}`, ...first.lines].join('\n');
  });
  return `${colours.bold(title)}\n${paragraphs.join('\n')}\n`;
}

function formatNotRunSection({ not_run = [] }: Results, context: ReportContext, { colours }: TextStyle): string {
  // An unreachable agent gets one line for all its runs.
  const absent = [...new Set(not_run.flatMap((each) => (each.reason === 'unreachable' ? each.agent : [])))];
  const lines = [
    ...absent.map((name) => {
      const own = not_run.filter(({ agent, reason }) => agent === name && reason === 'unreachable');
      const runs = own.reduce((sum, each) => sum + each.runs, 0);
      return `  ${count(own.length, 'attack', 'attacks')} on ${formatPlain(name, context)}: ${count(runs, 'run', 'runs')} (${notRunReasons.unreachable})`;
    }),
    ...not_run
      .filter(({ reason }) => reason !== 'unreachable')
      .map(
        ({ document, agent, runs, reason }) =>
          `  ${formatPlain(document, context)} on ${formatPlain(agent, context)}: ${count(runs, 'run', 'runs')} (${notRunReasons[reason]})`,
      ),
  ];
  return lines.length === 0 ? '' : `${colours.bold('Not run')}\n${lines.join('\n')}\n`;
}

function formatSkippedSection({ skipped = [] }: Results, context: ReportContext, { colours }: TextStyle): string {
  const lines = skipped.map(({ path, reason }) => `  ${formatPlain(path, context)}: ${formatPlain(reason, context)}`);
  return lines.length === 0 ? '' : `${colours.bold('Left out as not valid')}\n${lines.join('\n')}\n`;
}
