import { type AttackRow, type DocumentRow, findOutcomeOrStatus, findReportedStatus } from './attack-rows.ts';
import { isUnattributed, unattributedMark } from './attribution-text.ts';
import { count } from './count-text.ts';
import { formatPlain } from './format-plain.ts';
import { groupAlike, joinNamesWithin, mostSeparateAgents } from './group-alike.ts';
import type { ReportContext } from './reporter.ts';
import type { Paint, TextStyle } from './text-report.ts';
import { cropEnd, measureWidth, pad } from './text-width.ts';

/** No table is drawn if titles would get fewer columns than this. */
const leastTitle = 24;
const longestName = 30;

/**
 * A table with a row for each attack and a column for each agent. If the agents do not fit, agents with the same
 * outcomes share a column. If that does not fit either, each attack lists the agents that differ.
 */
export function formatAgentTable(
  rows: readonly DocumentRow[],
  agents: readonly string[],
  context: ReportContext,
  look: TextStyle,
): readonly string[] {
  const alone = agents.map((agent) => ({ first: agent, all: [agent] }));
  const whole = formatTable(rows, alone, context, look);
  if (whole !== undefined) return whole;
  const alike = groupAlike(agents, (agent) =>
    JSON.stringify(rows.map(({ byAgent }) => formatAttackCell(byAgent.get(agent)))),
  );
  const folded = alike.length < agents.length ? formatTable(rows, alike, context, look) : undefined;
  // A few agents with long names still get a table, even if it is too wide.
  if (folded === undefined && agents.length <= mostSeparateAgents)
    return formatTable(rows, alone, context, look, 0) ?? [];
  return folded ?? formatDifferences(rows, agents, context, look);
}

/** A column for each group of agents; nothing if the columns do not fit. */
function formatTable(
  rows: readonly DocumentRow[],
  groups: readonly { readonly first: string; readonly all: readonly string[] }[],
  context: ReportContext,
  { columns, colours }: TextStyle,
  least = leastTitle,
): readonly string[] | undefined {
  const heads = groups.map(({ first, all }) => {
    const name = cropEnd(formatPlain(first, context), longestName);
    return all.length === 1 ? name : `${name} +${all.length - 1}`;
  });
  const cells = rows.flatMap(({ byAgent }) => groups.map(({ first }) => formatAttackCell(byAgent.get(first)).length));
  const cellWidth = cells.reduce((width, cell) => Math.max(width, cell), Math.max(...heads.map(measureWidth)));
  const room = columns - 2 - groups.length * (cellWidth + 2);
  if (room < least) return undefined;
  const titles = rows.map(({ title }) => cropEnd(formatPlain(title, context), Math.max(20, room)));
  const titleWidth = titles.reduce((width, title) => Math.max(width, measureWidth(title)), 0);
  const lines = rows.map(({ byAgent }, index) => {
    const line = groups.map(({ first }) => {
      const attack = byAgent.get(first);
      return choosePaint(attack, colours)(pad(formatAttackCell(attack), cellWidth));
    });
    return `  ${pad(titles[index] ?? '', titleWidth)}  ${line.join('  ')}`.trimEnd();
  });
  const head = heads.map((name) => pad(name, cellWidth)).join('  ');
  const legend = groups.flatMap(({ all }, index) => {
    const names = all.slice(1).map((name) => formatPlain(name, context));
    return names.length === 0
      ? []
      : `  ${heads[index]}: ${joinNamesWithin(names, columns - 4 - measureWidth(heads[index] ?? ''))}`;
  });
  return [
    `  ${' '.repeat(titleWidth)}  ${colours.dim(head.trimEnd())}`,
    ...lines,
    ...(legend.length === 0 ? [] : ['', ...legend]),
  ];
}

/** The words of cells, most severe first. */
const gravity = ['exploited', 'flaky', 'partial', 'tolerated', 'error', 'inconclusive', 'not_applicable', 'resisted'];

function rankAttack(attack: AttackRow | undefined): number {
  return attack === undefined ? gravity.length : gravity.indexOf(findOutcomeOrStatus(attack));
}

/** First the attacks with the same outcome on all agents, then each other attack with the agents that differ. */
function formatDifferences(
  rows: readonly DocumentRow[],
  agents: readonly string[],
  context: ReportContext,
  { columns, colours }: TextStyle,
): readonly string[] {
  const attacks = rows.map(({ title, byAgent }) => {
    const cells = agents.map((agent) => ({ agent: formatPlain(agent, context), attack: byAgent.get(agent) }));
    return {
      title: formatPlain(title, context),
      cells: [...groupAlike(cells, ({ attack }) => formatAttackCell(attack))].sort(
        (a, b) => rankAttack(a.first.attack) - rankAttack(b.first.attack),
      ),
    };
  });
  const wordWidth = Math.max(
    ...attacks.flatMap(({ cells }) => cells.map(({ first }) => formatAttackCell(first.attack).length)),
  );
  const numberWidth = String(agents.length).length;
  const lineOf = (attack: AttackRow | undefined, number: number, names: string): string => {
    const word = choosePaint(attack, colours)(pad(formatAttackCell(attack), wordWidth));
    return `    ${word}  ${String(number).padStart(numberWidth)}: ${names}`;
  };
  const room = columns - wordWidth - numberWidth - 8;
  const same = groupAlike(
    attacks.filter(({ cells }) => cells.length === 1),
    ({ cells }) => formatAttackCell(cells[0]?.first.attack),
  ).flatMap(({ first, all }) => {
    const attack = first.cells[0]?.first.attack;
    const titles =
      rankAttack(attack) === gravity.indexOf('resisted')
        ? [count(all.length, 'attack', 'attacks')]
        : all.map(({ title }) => cropEnd(title, room));
    return titles.map((title) => lineOf(attack, agents.length, title));
  });
  const differing = attacks.flatMap(({ title, cells }) => {
    if (cells.length === 1) return [];
    const most = Math.max(...cells.map(({ all }) => all.length));
    // The most common outcome is counted; for the others the agents are named.
    const usual = cells.findLast(({ all }) => all.length === most);
    return [
      `  ${cropEnd(title, columns - 2)}`,
      ...cells.map((cell) => {
        const names = cell.all.map(({ agent }) => agent);
        return lineOf(cell.first.attack, names.length, cell === usual ? 'the others' : joinNamesWithin(names, room));
      }),
    ];
  });
  return [
    ...(same.length === 0 ? [] : [colours.dim('  the same on all agents'), ...same]),
    ...(differing.length === 0 ? [] : [colours.dim('  where agents differ'), ...differing]),
  ];
}

function formatAttackCell(attack: AttackRow | undefined): string {
  if (attack === undefined) return '-';
  const { runs, success, unattributed = 0 } = attack.statistics;
  if (isUnattributed(attack.statistics))
    return `${unattributedMark.toUpperCase()}${runs > 1 ? ` ${unattributed}/${runs}` : ''}`;
  const word = findOutcomeOrStatus(attack).toUpperCase();
  const beside = unattributed === 0 ? '' : `, ${unattributed} ${unattributedMark}`;
  return runs > 1 ? `${word} ${success.count}/${success.of}${beside}` : word;
}

function choosePaint(attack: AttackRow | undefined, { red, yellow, green, dim }: TextStyle['colours']): Paint {
  if (attack === undefined) return dim;
  if (attack.statistics.success.count > 0) return red;
  return findReportedStatus(attack) === 'resisted' ? green : yellow;
}
