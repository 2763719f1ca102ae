import { type AttackRow, type Row, standingOf, wordFor } from './attacks.ts';
import { foldAlike, mostTold, namesWithin } from './fold.ts';
import type { ReportContext } from './reporter.ts';
import { shown } from './shown.ts';
import type { Look, Paint } from './text.ts';
import { crop, pad, widthOf } from './width.ts';
import { count } from './words.ts';

/** With fewer columns than this for titles, no table is drawn. */
const leastTitle = 24;
const longestName = 30;

/**
 * A table with a row for each attack and a column for each agent. If the agents do not fit, agents with the same
 * outcomes share a column. If that does not fit either, each attack lists the agents that differ.
 */
export function agentTable(
  rows: readonly Row[],
  agents: readonly string[],
  context: ReportContext,
  look: Look,
): readonly string[] {
  const alone = agents.map((agent) => ({ first: agent, all: [agent] }));
  const whole = tableOf(rows, alone, context, look);
  if (whole !== undefined) return whole;
  const alike = foldAlike(agents, (agent) =>
    JSON.stringify(rows.map(({ byAgent }) => cellOf(byAgent.get(agent)))),
  );
  const folded = alike.length < agents.length ? tableOf(rows, alike, context, look) : undefined;
  // A few agents with long names still get a table, even if it is too wide.
  if (folded === undefined && agents.length <= mostTold) return tableOf(rows, alone, context, look, 0) ?? [];
  return folded ?? differencesIn(rows, agents, context, look);
}

/** A column for each group of agents; nothing if the columns do not fit. */
function tableOf(
  rows: readonly Row[],
  groups: readonly { readonly first: string; readonly all: readonly string[] }[],
  context: ReportContext,
  { columns, colours }: Look,
  least = leastTitle,
): readonly string[] | undefined {
  const heads = groups.map(({ first, all }) => {
    const name = crop(shown(first, context), longestName);
    return all.length === 1 ? name : `${name} +${all.length - 1}`;
  });
  const cells = rows.flatMap(({ byAgent }) => groups.map(({ first }) => cellOf(byAgent.get(first)).length));
  const cellWidth = cells.reduce((width, cell) => Math.max(width, cell), Math.max(...heads.map(widthOf)));
  const room = columns - 2 - groups.length * (cellWidth + 2);
  if (room < least) return undefined;
  const titles = rows.map(({ title }) => crop(shown(title, context), Math.max(20, room)));
  const titleWidth = titles.reduce((width, title) => Math.max(width, widthOf(title)), 0);
  const lines = rows.map(({ byAgent }, index) => {
    const line = groups.map(({ first }) => {
      const attack = byAgent.get(first);
      return paintFor(attack, colours)(pad(cellOf(attack), cellWidth));
    });
    return `  ${pad(titles[index] ?? '', titleWidth)}  ${line.join('  ')}`.trimEnd();
  });
  const head = heads.map((name) => pad(name, cellWidth)).join('  ');
  const legend = groups.flatMap(({ all }, index) => {
    const names = all.slice(1).map((name) => shown(name, context));
    return names.length === 0
      ? []
      : `  ${heads[index]}: ${namesWithin(names, columns - 4 - widthOf(heads[index] ?? ''))}`;
  });
  return [
    `  ${' '.repeat(titleWidth)}  ${colours.dim(head.trimEnd())}`,
    ...lines,
    ...(legend.length === 0 ? [] : ['', ...legend]),
  ];
}

/** The words of cells, worst first. */
const gravity = [
  'exploited',
  'flaky',
  'partial',
  'tolerated',
  'error',
  'inconclusive',
  'not_applicable',
  'resisted',
];

function rankOf(attack: AttackRow | undefined): number {
  return attack === undefined ? gravity.length : gravity.indexOf(wordFor(attack));
}

/** First the attacks with the same outcome on all agents, then each other attack with the agents that differ. */
function differencesIn(
  rows: readonly Row[],
  agents: readonly string[],
  context: ReportContext,
  { columns, colours }: Look,
): readonly string[] {
  const told = rows.map(({ title, byAgent }) => {
    const cells = agents.map((agent) => ({ agent: shown(agent, context), attack: byAgent.get(agent) }));
    return {
      title: shown(title, context),
      cells: [...foldAlike(cells, ({ attack }) => cellOf(attack))].sort(
        (a, b) => rankOf(a.first.attack) - rankOf(b.first.attack),
      ),
    };
  });
  const wordWidth = Math.max(
    ...told.flatMap(({ cells }) => cells.map(({ first }) => cellOf(first.attack).length)),
  );
  const numberWidth = String(agents.length).length;
  const lineOf = (attack: AttackRow | undefined, number: number, names: string): string => {
    const word = paintFor(attack, colours)(pad(cellOf(attack), wordWidth));
    return `    ${word}  ${String(number).padStart(numberWidth)}: ${names}`;
  };
  const room = columns - wordWidth - numberWidth - 8;
  const same = foldAlike(
    told.filter(({ cells }) => cells.length === 1),
    ({ cells }) => cellOf(cells[0]?.first.attack),
  ).flatMap(({ first, all }) => {
    const attack = first.cells[0]?.first.attack;
    const titles =
      rankOf(attack) === gravity.indexOf('resisted')
        ? [count(all.length, 'attack', 'attacks')]
        : all.map(({ title }) => crop(title, room));
    return titles.map((title) => lineOf(attack, agents.length, title));
  });
  const differing = told.flatMap(({ title, cells }) => {
    if (cells.length === 1) return [];
    const most = Math.max(...cells.map(({ all }) => all.length));
    // The most common outcome is counted; for the others the agents are named.
    const usual = cells.findLast(({ all }) => all.length === most);
    return [
      `  ${crop(title, columns - 2)}`,
      ...cells.map((cell) => {
        const names = cell.all.map(({ agent }) => agent);
        return lineOf(
          cell.first.attack,
          names.length,
          cell === usual ? 'the others' : namesWithin(names, room),
        );
      }),
    ];
  });
  return [
    ...(same.length === 0 ? [] : [colours.dim('  the same on all agents'), ...same]),
    ...(differing.length === 0 ? [] : [colours.dim('  where agents differ'), ...differing]),
  ];
}

function cellOf(attack: AttackRow | undefined): string {
  if (attack === undefined) return '-';
  const { runs, success } = attack.statistics;
  const word = wordFor(attack).toUpperCase();
  return runs > 1 ? `${word} ${success.count}/${success.of}` : word;
}

function paintFor(attack: AttackRow | undefined, { red, yellow, green, dim }: Look['colours']): Paint {
  if (attack === undefined) return dim;
  if (attack.statistics.success.count > 0) return red;
  return standingOf(attack) === 'resisted' ? green : yellow;
}
