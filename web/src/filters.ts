import { h, spoken } from './dom.ts';
import { outcomeNames, type RunRow, severities, tiers, valuesOf } from './results.ts';
import { protocolName, spaced } from './words.ts';

interface Filter {
  readonly key: string;
  readonly label: string;
  readonly of: (row: RunRow) => readonly (string | undefined)[];
  readonly order?: readonly string[];
  readonly name?: (value: string) => string;
}

const filters: readonly Filter[] = [
  { key: 'outcome', label: 'Outcome', of: ({ run }) => [run.outcome], order: outcomeNames, name: spaced },
  { key: 'agent', label: 'Agent', of: ({ agent }) => [agent] },
  { key: 'severity', label: 'Severity', of: ({ document }) => [document.severity], order: severities },
  { key: 'category', label: 'Category', of: ({ document }) => [document.category], name: spaced },
  { key: 'protocol', label: 'Protocol', of: ({ document }) => document.protocols, name: protocolName },
  { key: 'tier', label: 'Tier', of: ({ run }) => [run.tier], order: tiers, name: spaced },
  {
    key: 'status',
    label: 'Status',
    of: ({ attack }) => [attack.runs.length > 1 ? attack.status : undefined],
  },
  { key: 'change', label: 'Baseline', of: ({ attack }) => [attack.facts?.change] },
  { key: 'tag', label: 'Tag', of: ({ document }) => document.tags },
];

export interface FilterBar {
  readonly element: HTMLElement;
  readonly search: HTMLInputElement;
  /** Offers what these rows have to choose from. */
  offer(rows: readonly RunRow[]): void;
  /** Takes what the address says. */
  read(values: URLSearchParams): void;
  values(): URLSearchParams;
  passes(row: RunRow): boolean;
}

/** Search and one choice for each thing that runs differ in. */
export function createFilters(rows: readonly RunRow[], changed: () => void): FilterBar {
  const search = h('input', {
    type: 'search',
    id: 'search',
    placeholder: 'Search attacks, tags, reasons',
    'aria-label': 'Search',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const choices = filters.map((filter) => {
    const select = h('select', { id: `filter-${filter.key}` });
    select.addEventListener('change', changed);
    return { filter, select, label: h('label', { class: 'filter' }, spoken(filter.label), select) };
  });
  function offer(rows: readonly RunRow[]): void {
    for (const { filter, select, label } of choices) {
      const { of, order, name = (value: string) => value } = filter;
      const values = valuesOf(rows, of, order);
      const chosen = select.value;
      select.replaceChildren(
        h('option', { value: '' }, `any ${filter.label.toLowerCase()}`),
        ...values.map((value) => h('option', { value }, name(value))),
      );
      select.value = values.includes(chosen) ? chosen : '';
      // A choice of one is none.
      label.hidden = values.length < 2;
    }
  }
  offer(rows);
  const clear = h('button', { type: 'button', class: 'quiet' }, 'Clear');
  clear.addEventListener('click', () => {
    search.value = '';
    for (const { select } of choices) select.value = '';
    changed();
  });
  search.addEventListener('input', changed);

  return {
    element: h(
      'form',
      { class: 'filters', role: 'search' },
      search,
      choices.map(({ label }) => label),
      clear,
    ),
    search,
    offer,
    read(values) {
      search.value = values.get('q') ?? '';
      for (const { filter, select } of choices) {
        select.value = values.get(filter.key) ?? '';
        if (select.selectedIndex < 0) select.value = '';
      }
    },
    values() {
      const values = new URLSearchParams();
      if (search.value.trim() !== '') values.set('q', search.value.trim());
      for (const { filter, select } of choices) if (select.value !== '') values.set(filter.key, select.value);
      clear.hidden = values.size === 0;
      return values;
    },
    passes(row) {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      return (
        choices.every(({ filter, select }) => select.value === '' || filter.of(row).includes(select.value)) &&
        (words.length === 0 || words.every((word) => searchText(row).includes(word)))
      );
    },
  };
}

const texts = new WeakMap<RunRow, string>();

/** Everything about a run that people would search for; put together when the first search comes. */
function searchText(row: RunRow): string {
  const known = texts.get(row);
  if (known !== undefined) return known;
  const { document, run, agent, attack } = row;
  const { id, name, severity, category, protocols, tags } = document;
  const words = [
    id,
    name,
    agent,
    run.outcome,
    run.tier,
    severity,
    category,
    ...protocols,
    ...tags,
    run.reason,
  ];
  const text = [...words, attack.facts?.change, attack.status]
    .filter((word) => word !== undefined)
    .flatMap((word) => (word.includes('_') ? [word, spaced(word)] : word))
    .join('\n')
    .toLowerCase();
  texts.set(row, text);
  return text;
}
