import { type Child, h } from './dom.ts';
import { badge, runWord } from './parts.ts';
import { outcomeNames, type RunRow, severities, tiers, unattributedText } from './results.ts';
import { runLink } from './route.ts';
import { duration, protocolName, spaced } from './words.ts';

export interface Column {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: RunRow) => Child;
  readonly by: (row: RunRow) => string | number;
}

const rank = (order: readonly string[], value: string | undefined): number => {
  const at = order.indexOf(value ?? '');
  return at < 0 ? order.length : at;
};

const dash = (): Child => h('span', { class: 'dim dash' }, '–');

const columns: readonly (Column & { readonly needed?: (rows: readonly RunRow[]) => boolean })[] = [
  {
    key: 'outcome',
    title: 'Outcome',
    cell: ({ run }) => badge(runWord(run)),
    by: ({ run }) => rank(outcomeNames, run.outcome),
  },
  {
    key: 'attack',
    title: 'Attack',
    cell: ({ document, number }) =>
      h(
        'a',
        { href: runLink(number), tabindex: '-1' },
        document.id !== undefined && h('span', { class: 'id' }, document.id),
        document.id !== undefined && ' ',
        document.name,
      ),
    by: ({ document }) => document.id ?? document.name,
  },
  { key: 'agent', title: 'Agent', cell: ({ agent }) => agent, by: ({ agent }) => agent },
  {
    key: 'coverage',
    title: 'Reached',
    cell: ({ run: { covered } }) =>
      covered === undefined
        ? dash()
        : h(
            'span',
            { title: `${covered[0]} of ${covered[1]} pieces reached the agent` },
            `${covered[0]} of ${covered[1]}`,
          ),
    by: ({ run: { covered } }) => (covered === undefined ? 2 : covered[0] / covered[1]),
    needed: (rows) => rows.some(({ run }) => run.covered !== undefined),
  },
  {
    key: 'task',
    title: 'Task',
    cell: ({ run: { task } }) => (task === undefined || task === 'unknown' ? dash() : badge(task)),
    by: ({ run: { task } }) => rank(['not_done', 'done', 'unknown'], task),
    needed: (rows) => rows.some(({ run }) => run.task === 'done' || run.task === 'not_done'),
  },
  {
    key: 'repeat',
    title: 'Repeat',
    cell: ({ run }) => `${run.repeat}`,
    by: ({ run }) => run.repeat,
    needed: (rows) => rows.some(({ attack }) => attack.runs.length > 1),
  },
  {
    key: 'rate',
    title: 'Rate',
    cell: ({ attack }) => [
      `${attack.success.count}/${attack.success.of}${unattributedText(attack.runs)}`,
      attack.status === 'flaky' && [' ', badge('flaky')],
    ],
    by: ({ attack }) => -(attack.success.rate ?? -1),
    needed: (rows) => rows.some(({ attack }) => attack.runs.length > 1),
  },
  {
    key: 'change',
    title: 'Baseline',
    cell: ({ attack }) => (attack.facts?.change === undefined ? dash() : badge(attack.facts.change)),
    by: ({ attack }) => rank(['new', 'unexpected', 'fixed', 'unchanged'], attack.facts?.change),
    needed: (rows) => rows.some(({ attack }) => attack.facts?.change !== undefined),
  },
  {
    key: 'severity',
    title: 'Severity',
    cell: ({ document }) => document.severity ?? dash(),
    by: ({ document }) => rank(severities, document.severity),
  },
  {
    key: 'category',
    title: 'Category',
    cell: ({ document }) => (document.category === undefined ? dash() : spaced(document.category)),
    by: ({ document }) => document.category ?? '\uffff',
  },
  {
    key: 'protocol',
    title: 'Protocol',
    cell: ({ document }) => document.protocols.map(protocolName).join(', '),
    by: ({ document }) => document.protocols.join(),
  },
  {
    key: 'tier',
    title: 'Tier',
    cell: ({ run }) => (run.tier === undefined ? dash() : spaced(run.tier)),
    by: ({ run }) => rank(tiers, run.tier),
  },
  { key: 'time', title: 'Time', cell: ({ run }) => duration(run.ms), by: ({ run }) => run.ms },
];

const mostColumns = 9;
/** Columns that are dropped first if there are too many. The filters still have them. */
const dispensable = ['protocol', 'category'];

export function columnsFor(rows: readonly RunRow[]): readonly Column[] {
  const needed = columns.filter((column) => column.needed?.(rows) ?? true);
  const spare = dispensable.slice(0, Math.max(0, needed.length - mostColumns));
  return needed.filter(({ key }) => !spare.includes(key));
}
