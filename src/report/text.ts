import type { Results } from '../model/results.ts';
import { agentTable } from './agent-table.ts';
import {
  type AttackRow,
  agentNamesIn,
  attacksOf,
  changesIn,
  gravestRun,
  rowsOf,
  verdictOf,
} from './attacks.ts';
import { claimOf } from './claims.ts';
import { demandsOf, firstFew, lacksOf, unjudgedRun } from './coverage.ts';
import { findingsIn } from './evidence.ts';
import { failTierInWords, figuresInWords, idleInWords, raisedIn, unprovenInWords } from './figures.ts';
import { foldAlike, mostTold, namesWithin } from './fold.ts';
import { inertLines } from './inert-lines.ts';
import { headOf, quote } from './quotation.ts';
import type { ReportContext } from './reporter.ts';
import { shown } from './shown.ts';
import { crop, pad } from './width.ts';
import { count, describeCounts, describeRate, notRunReasons } from './words.ts';

export type Paint = (text: string) => string;

/** The width and colours of the place where the text is read. */
export interface Look {
  readonly columns: number;
  readonly colours: { readonly [C in 'bold' | 'dim' | 'red' | 'green' | 'yellow']: Paint };
}

const plain: Paint = (text) => text;
const file: Look = {
  columns: 120,
  colours: { bold: plain, dim: plain, red: plain, green: plain, yellow: plain },
};

export function textReport(results: Results, context: ReportContext): string {
  return writeText(results, context, file);
}

/** The text report: the table of attacks and agents, changes, evidence, and attacks that could not be judged. */
export function writeText(results: Results, context: ReportContext, look: Look): string {
  const attacks = attacksOf(results);
  return joined([
    summaryOf(results, attacks, context, look),
    unprovenParts(results, context, look),
    comparisonOf(results, attacks, context, look),
    evidenceIn(attacks, context, look),
    undecidedIn(attacks, context, look),
    notRunIn(results, context, look),
    skippedIn(results, context, look),
  ]);
}

/** The same without the evidence, for a terminal that has just shown it. */
export function writeSummary(results: Results, context: ReportContext, look: Look): string {
  const attacks = attacksOf(results);
  return joined([
    summaryOf(results, attacks, context, look),
    unprovenParts(results, context, look),
    comparisonOf(results, attacks, context, look),
    notRunIn(results, context, look),
    skippedIn(results, context, look),
  ]);
}

function joined(parts: readonly string[]): string {
  return inertLines(parts.filter((part) => part !== '').join('\n'));
}

function summaryOf(
  results: Results,
  attacks: readonly AttackRow[],
  context: ReportContext,
  look: Look,
): string {
  const { columns, colours } = look;
  if (attacks.length === 0) return 'No attack was run\n';
  const agents = agentNamesIn(results);
  const table = agentTable(rowsOf(attacks), agents, context, look);
  const totals = foldAlike(
    agents.map((agent) => {
      const entry = results.agents.find(({ name }) => name === agent);
      const claim = entry && claimOf(entry, results.runs);
      const lines = [
        totalOf(results, agent),
        ...usefulness(results, agent).map((line) => `    ${line}`),
        ...(claim === undefined ? [] : [`    ${colours.dim(shown(claim, context))}`]),
      ];
      return { agent, text: lines.join('\n') };
    }),
    ({ agent, text }) => (agents.length > mostTold ? text : agent),
  ).map(({ first, all }) => {
    const names = all.map(({ agent }) => crop(shown(agent, context), 30));
    return `  ${namesWithin(names, columns / 2)}: ${first.text}`;
  });
  const unusual = demandsOf(results.runs.filter(({ twin }) => !twin)).filter(
    (demand) => demand !== 'payload',
  );
  const tier = failTierInWords(results);
  const asked = [
    ...(unusual.length === 0 ? [] : [`  delivery asked for: ${unusual.join(', ')}`]),
    ...(tier === undefined ? [] : [`  ${tier}`]),
  ];
  return `${[colours.bold('Summary'), ...table, '', ...totals, ...asked].join('\n')}\n`;
}

/** Whether the agent does its task, with and without an attack. */
function usefulness({ statistics }: Results, agent: string): readonly string[] {
  const own = Object.hasOwn(statistics.agents, agent) ? statistics.agents[agent] : undefined;
  return own === undefined ? [] : [figuresInWords(own), idleInWords(own)].flatMap((line) => line ?? []);
}

/** The reasons why the outcomes prove less than they suggest, and the outcomes that were raised. */
function unprovenParts(results: Results, context: ReportContext, { colours, columns }: Look): string {
  const open = unprovenInWords(results, columns).map((line) => `  ${colours.yellow(shown(line, context))}`);
  const raised = raisedIn(results).map((line) => `  ${shown(line, context)}`);
  return [
    ...(open.length === 0 ? [] : [colours.bold('Not proven'), ...open]),
    ...(raised.length === 0 ? [] : [colours.bold('Raised to resisted'), ...raised]),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function totalOf({ statistics }: Results, agent: string): string {
  const own = Object.hasOwn(statistics.agents, agent) ? statistics.agents[agent] : undefined;
  if (own === undefined) return 'not attacked';
  const { outcomes, success } = own;
  const runs = Object.values(outcomes).reduce((sum, number) => sum + number, 0);
  return `${describeCounts(outcomes)} of ${count(runs, 'run', 'runs')}; attacks succeeded in ${describeRate(success)}`;
}

function comparisonOf(
  { baseline }: Results,
  attacks: readonly AttackRow[],
  context: ReportContext,
  { colours }: Look,
): string {
  if (baseline === undefined) return '';
  const changeColours = {
    new: colours.red,
    fixed: colours.green,
    unexpected: colours.yellow,
    unchanged: plain,
  };
  const lines = changesIn(attacks).map(({ title, agent, compared }) => {
    const { change, expected, found, reason } = compared;
    const word = changeColours[change](pad(change.toUpperCase(), 10));
    const was = expected === null ? 'not in the baseline' : shown(expected, context);
    const why = reason === undefined ? '' : `: ${shown(reason, context)}`;
    return `  ${word}  ${shown(title, context)} on ${shown(agent, context)}: ${was}, now ${shown(found, context)}${why}`;
  });
  const missing = baseline.missing.map(
    ({ document, agent }) =>
      `  ${colours.red(pad('MISSING', 10))}  ${shown(document, context)} on ${shown(agent, context)}: the baseline has it, but it was not run`,
  );
  const unchanged = baseline.attacks.filter(({ change }) => change === 'unchanged').length;
  return `${[
    colours.bold(`Against ${shown(baseline.file, context)}`),
    ...lines,
    ...missing,
    `  ${unchanged} unchanged`,
  ].join('\n')}\n`;
}

function evidenceIn(
  attacks: readonly AttackRow[],
  context: ReportContext,
  { colours, columns }: Look,
): string {
  const told = attacks.flatMap((attack) => {
    const run = gravestRun(attack);
    if (run === undefined) return [];
    const { statistics } = attack;
    const rate = statistics.runs > 1 ? ` (${describeRate(statistics.success)})` : '';
    const [strongest] = findingsIn(run, context);
    const quoted =
      strongest === undefined
        ? []
        : [
            `      ${colours.dim(headOf(strongest))}`,
            ...quote(strongest, columns - 8).map((line) => `        ${line}`),
          ];
    return { attack, what: `: ${colours.red(verdictOf(attack))}${rate}`, lines: quoted };
  });
  return sectionOf('Evidence', told, context, { colours, columns });
}

const mostLacks = 6;

function undecidedIn(attacks: readonly AttackRow[], context: ReportContext, look: Look): string {
  const { colours } = look;
  const told = attacks.flatMap((attack) => {
    const run = unjudgedRun(attack);
    if (run === undefined) return [];
    const { outcomes, runs } = attack.statistics;
    const share = runs > 1 ? ` (${outcomes.inconclusive + outcomes.error} of ${runs} runs)` : '';
    const lines = firstFew(lacksOf(run), mostLacks).map(
      (line) => `      ${colours.dim(shown(line, context))}`,
    );
    return { attack, what: `${share}: ${shown(run.reason, context)}`, lines };
  });
  return sectionOf('Not judged', told, context, look);
}

/** One entry of a section: an attack on an agent and the lines about it. */
interface Told {
  readonly attack: AttackRow;
  readonly what: string;
  readonly lines: readonly string[];
}

/** A paragraph for each attack on an agent. With many agents, those with the same lines share one. */
function sectionOf(
  title: string,
  told: readonly Told[],
  context: ReportContext,
  { colours, columns }: Look,
): string {
  if (told.length === 0) return '';
  const isMany = new Set(told.map(({ attack }) => attack.agent)).size > mostTold;
  const folds = foldAlike(told, ({ attack, what, lines }) =>
    JSON.stringify([attack.statistics.document, isMany ? '' : attack.agent, what, lines]),
  );
  const paragraphs = folds.map(({ first, all }) => {
    const agents = all.map(({ attack }) => shown(attack.agent, context));
    const name = shown(first.attack.title, context);
    return [`  ${name} on ${namesWithin(agents, columns / 2)}${first.what}`, ...first.lines].join('\n');
  });
  return `${colours.bold(title)}\n${paragraphs.join('\n')}\n`;
}

function notRunIn({ not_run = [] }: Results, context: ReportContext, { colours }: Look): string {
  // An agent that was not there gets one line for all its runs.
  const absent = [...new Set(not_run.flatMap((each) => (each.reason === 'not_there' ? each.agent : [])))];
  const lines = [
    ...absent.map((name) => {
      const own = not_run.filter(({ agent, reason }) => agent === name && reason === 'not_there');
      const runs = own.reduce((sum, each) => sum + each.runs, 0);
      return `  ${count(own.length, 'attack', 'attacks')} on ${shown(name, context)}: ${count(runs, 'run', 'runs')} (${notRunReasons.not_there})`;
    }),
    ...not_run
      .filter(({ reason }) => reason !== 'not_there')
      .map(
        ({ document, agent, runs, reason }) =>
          `  ${shown(document, context)} on ${shown(agent, context)}: ${count(runs, 'run', 'runs')} (${notRunReasons[reason]})`,
      ),
  ];
  return lines.length === 0 ? '' : `${colours.bold('Not run')}\n${lines.join('\n')}\n`;
}

function skippedIn({ skipped = [] }: Results, context: ReportContext, { colours }: Look): string {
  const lines = skipped.map(({ path, reason }) => `  ${shown(path, context)}: ${shown(reason, context)}`);
  return lines.length === 0 ? '' : `${colours.bold('Left out as not valid')}\n${lines.join('\n')}\n`;
}
