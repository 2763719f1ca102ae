import type { Rate } from '../../src/format/model/results-file.ts';
import type { PageIndex } from '../../src/report/html/page-data.ts';
import { h } from './dom.ts';
import { filterLink, rateBar, rateText } from './parts.ts';
import { type RunRow, reachedOf, severities, successOf, tiers, valuesOf } from './results.ts';
import { grouped, protocolName, spaced } from './words.ts';

interface Breakdown {
  readonly key: string;
  readonly title: string;
  readonly note?: string;
  readonly values: readonly string[];
  readonly name: (value: string) => string;
  readonly rate: (rows: readonly RunRow[], value: string) => Rate;
}

/** Success rates by the properties in which attacks differ. */
export function breakdowns({ agents }: PageIndex, rows: readonly RunRow[]): HTMLElement {
  const having = (of: (row: RunRow) => readonly (string | undefined)[]) => (all: readonly RunRow[], value: string) =>
    successOf(all.filter((row) => of(row).includes(value)).map(({ run }) => run));
  const compared =
    agents.length > mostAgents
      ? [{ name: 'all agents', rows }]
      : agents.map(({ name }, agent) => ({ name, rows: rows.filter(({ run }) => run.agent === agent) }));
  const bySeverity = ({ document }: RunRow) => [document.severity];
  const byCategory = ({ document }: RunRow) => [document.category];
  const byProtocol = ({ document }: RunRow) => document.protocols;
  const tables: readonly Breakdown[] = [
    {
      key: 'severity',
      title: 'By severity',
      values: valuesOf(rows, bySeverity, severities),
      name: spaced,
      rate: having(bySeverity),
    },
    {
      key: 'tier',
      title: 'By tier',
      note: 'that tier, or a more severe one, was reached',
      values: rows.some(({ run }) => run.tier !== undefined) ? tiers : [],
      name: spaced,
      rate: (all, tier) =>
        reachedOf(
          all.map(({ run }) => run),
          tier,
        ),
    },
    {
      key: 'protocol',
      title: 'By protocol',
      values: valuesOf(rows, byProtocol),
      name: protocolName,
      rate: having(byProtocol),
    },
    {
      key: 'category',
      title: 'By category',
      values: valuesOf(rows, byCategory),
      name: spaced,
      rate: having(byCategory),
    },
  ];
  return h(
    'section',
    { class: 'breakdowns', 'aria-label': 'Rates in detail' },
    tables.filter(({ values }) => values.length > 0).map((table) => breakdownTable(table, compared)),
  );
}

/** More agents than this are combined: separate bars for each would be too many to read. */
const mostAgents = 4;

function breakdownTable(
  table: Breakdown,
  compared: readonly { readonly name: string; readonly rows: readonly RunRow[] }[],
): HTMLElement {
  const { key, title, note, values, name, rate } = table;
  const lines = values.map((value) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, filterLink({ [key]: value }, name(value))),
      h(
        'td',
        {},
        compared.map((agent) => {
          const own = rate(agent.rows, value);
          return h(
            'div',
            { class: 'measure' },
            compared.length > 1 && h('span', { class: 'who dim', title: agent.name }, agent.name),
            rateBar(own),
            rateText(own),
            h('span', { class: 'of dim' }, `${grouped(own.count)} of ${grouped(own.of)}`),
          );
        }),
      ),
    ),
  );
  return h(
    'section',
    { 'aria-labelledby': `by-${key}` },
    h('h2', { id: `by-${key}` }, title, note !== undefined && h('small', { class: 'dim' }, ` ${note}`)),
    h('table', { class: 'figures', 'aria-labelledby': `by-${key}` }, h('tbody', {}, lines)),
  );
}
