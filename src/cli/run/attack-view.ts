import type { AgentUnderTest } from '../../agent/agent.ts';
import type { RunOutcome } from '../../evaluate/delivery.ts';
import type { IndicatorVerdict } from '../../model/verdict.ts';
import { enumerations } from '../../registry/enumerations.ts';
import type { Colours, Sink } from '../io.ts';
import { count } from '../reports/report.ts';
import { markLine } from '../terminal/marked-line.ts';
import { visible } from '../terminal/visible.ts';
import { crop, pad, widthOf } from '../terminal/width.ts';
import { evidenceOf } from '../verdict/evidence.ts';
import type { Judgement } from '../verdict/judgement.ts';
import { outcomeWord, titleOf } from '../verdict/text.ts';

// How attacks on agents look on a terminal: a heading for each document, a line for each agent, a table at the end.

/** One document against one agent. */
export interface Attack {
  readonly agent: string;
  readonly judgement: Judgement;
  readonly durationMs: number;
}

const outcomeWidth = 'INCONCLUSIVE'.length;

export function attackLine(
  { agent, judgement, durationMs }: Attack,
  agentWidth: number,
  { colours }: Sink,
): string {
  const { outcome, verdict } = judgement;
  const word = padColoured(outcomeWord(outcome, colours), outcome.outcome.length, outcomeWidth);
  const tier = pad(verdict.maxTier ?? '', 15);
  return `  ${pad(visible(agent), agentWidth)}  ${word}  ${tier}  ${colours.dim(timeOf(durationMs))}\n`;
}

function padColoured(coloured: string, width: number, columns: number): string {
  return coloured + ' '.repeat(Math.max(0, columns - width));
}

function timeOf(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** Why a line says what it says: the strongest evidence, or the reason that there is none. */
export function attackReason(
  { judgement }: Attack,
  { colours, columns }: Sink,
  showSecrets: boolean,
): string {
  const { outcome, verdict, document } = judgement;
  if ('reason' in outcome) return `${crop(`      ${visible(outcome.reason)}`, columns)}\n`;
  const tierOf = new Map((document.attack.indicators ?? []).map(({ id, tier }) => [id, tier]));
  const strength = ({ indicatorId }: IndicatorVerdict): number =>
    enumerations.Tier.indexOf(tierOf.get(indicatorId) ?? 'ingested');
  const [strongest] = verdict.indicatorVerdicts
    .filter(({ result }) => result === 'matched')
    .sort((a, b) => strength(b) - strength(a));
  const evidence = strongest === undefined ? undefined : evidenceOf(strongest, showSecrets);
  if (strongest === undefined || evidence === undefined) return '';
  const { match, indicatorId } = strongest;
  const path = match === undefined || match.path === '' ? '' : ` in ${visible(match.path)}`;
  const { text, carets } = markLine(evidence.text, evidence.from, evidence.to, columns - 8);
  const marked = evidence.to - evidence.from < evidence.text.length ? `        ${colours.red(carets)}\n` : '';
  return `${colours.dim(`      ${visible(indicatorId)}${path}`)}\n        ${text}\n${marked}`;
}

/** The attacks of one document, in the order of the agents; fewer where the run was ended. */
export type Row = readonly Attack[];

/** Documents down, agents across. */
export function attackTable(rows: readonly Row[], agents: readonly AgentUnderTest[], sink: Sink): string {
  const { colours, columns } = sink;
  const cellWidth = Math.max(outcomeWidth, ...agents.map(({ name }) => Math.min(widthOf(name), 30)));
  const titleWidth = Math.max(20, columns - 2 - agents.length * (cellWidth + 2));
  const shown = Math.min(titleWidth, Math.max(...rows.map((row) => widthOf(titleOfRow(row))), 8));
  const head = agents.map(({ name }) => pad(crop(visible(name), cellWidth), cellWidth)).join('  ');
  const lines = rows.map((row) => {
    const cells = agents.map(({ name }) => {
      const attack = row.find(({ agent }) => agent === name);
      if (attack === undefined) return pad(colours.dim('-'), cellWidth);
      const { outcome } = attack.judgement;
      return padColoured(outcomeWord(outcome, colours), outcome.outcome.length, cellWidth);
    });
    return `  ${pad(crop(titleOfRow(row), shown), shown)}  ${cells.join('  ')}`.trimEnd();
  });
  const totals = agents.map(({ name }) => `  ${visible(name)}: ${totalOf(rows, name, colours)}\n`).join('');
  return `${colours.bold('Summary')}\n  ${' '.repeat(shown)}  ${colours.dim(head.trimEnd())}\n${lines.join('\n')}\n\n${totals}`;
}

function titleOfRow([first]: Row): string {
  return first === undefined ? '' : titleOf(first.judgement.document);
}

const order: readonly RunOutcome['outcome'][] = ['exploited', 'partial', 'resisted', 'inconclusive', 'error'];

function totalOf(rows: readonly Row[], agent: string, colours: Colours): string {
  const outcomes = rows
    .flat()
    .flatMap((attack) => (attack.agent === agent ? attack.judgement.outcome.outcome : []));
  const parts = order.flatMap((outcome) => {
    const number = outcomes.filter((each) => each === outcome).length;
    return number === 0 ? [] : `${number} ${outcome}`;
  });
  return `${parts.join(', ')} ${colours.dim(`of ${count(outcomes.length, 'attack', 'attacks')}`)}`;
}
