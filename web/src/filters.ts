import type { CellOutcome } from './cells.ts';
import { h, spoken } from './dom.ts';
import { createOutcomeChoice } from './outcome-choice.ts';
import { type Filtered, type RunRow, severities, tiers, valuesOf } from './results.ts';
import { protocolName, spaced } from './words.ts';

interface Filter {
  readonly key: string;
  readonly label: string;
  readonly of: (row: Filtered) => readonly (string | undefined)[];
  readonly order?: readonly string[];
  readonly name?: (value: string) => string;
}

const filters: readonly Filter[] = [
  { key: 'agent', label: 'Agent', of: ({ agent }) => [agent] },
  { key: 'severity', label: 'Severity', of: ({ document }) => [document.severity], order: severities },
  { key: 'category', label: 'Category', of: ({ document }) => [document.category], name: spaced },
  { key: 'protocol', label: 'Protocol', of: ({ document }) => document.protocols, name: protocolName },
  { key: 'tier', label: 'Tier', of: ({ run }) => [run?.tier], order: tiers, name: spaced },
  {
    key: 'status',
    label: 'Status',
    of: ({ attack }) => [attack !== undefined && attack.runs.length > 1 ? attack.status : undefined],
  },
  { key: 'change', label: 'Baseline', of: ({ attack }) => [attack?.facts?.change] },
  { key: 'tag', label: 'Tag', of: ({ document }) => document.tags },
];

export interface FilterBar {
  readonly element: HTMLElement;
  readonly search: HTMLInputElement;
  /** Offers the values of these rows as choices. */
  offer(rows: readonly RunRow[]): void;
  /** Shows the number of rows with each outcome. */
  count(outcomes: readonly CellOutcome[]): void;
  /** Sets the filters from the address. */
  read(values: URLSearchParams): void;
  values(): URLSearchParams;
  /** Whether a row with this outcome passes. A benign twin has no outcome here. */
  passes(row: Filtered, outcome: CellOutcome | undefined): boolean;
  /** Whether a row passes the filters other than the outcome. */
  passesElse(row: Filtered): boolean;
}

/** The filters: outcomes with their counts, a search field, and a choice for each other property of runs. */
export function createFilters(rows: readonly RunRow[], changed: () => void): FilterBar {
  const search = h('input', {
    type: 'search',
    id: 'search',
    placeholder: 'Search attacks, agents, tags, reasons',
    'aria-label': 'Search',
    'aria-keyshortcuts': '/',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const outcomes = createOutcomeChoice(changed);
  const choices = filters.map((filter) => {
    const select = h('select', { id: `filter-${filter.key}` });
    select.addEventListener('change', changed);
    return { filter, select, label: h('label', { class: 'filter' }, spoken(filter.label), select) };
  });
  const more = h(
    'details',
    { class: 'more-filters' },
    h('summary', {}, 'Filters'),
    h(
      'div',
      { class: 'filter-row' },
      choices.map(({ label }) => label),
    ),
  );
  // Hundreds of options take longer than the rest of the page, so they are made when the choices are first needed.
  let offered: readonly RunRow[] = rows;
  let isMade = false;
  function make(): void {
    isMade = true;
    for (const { filter, select, label } of choices) {
      const { of, order, name = (value: string) => value } = filter;
      const values = valuesOf(offered, of, order);
      const chosen = select.value;
      select.replaceChildren(
        h('option', { value: '' }, `any ${filter.label.toLowerCase()}`),
        ...values.map((value) => h('option', { value }, name(value))),
      );
      select.value = values.includes(chosen) ? chosen : '';
      // A choice with only one value is hidden.
      label.hidden = values.length < 2;
    }
  }
  more.addEventListener('toggle', () => {
    if (more.open && !isMade) make();
  });
  const clear = h('button', { type: 'button', class: 'quiet' }, 'Clear');
  clear.addEventListener('click', () => {
    search.value = '';
    outcomes.choose('');
    for (const { select } of choices) select.value = '';
    changed();
  });
  search.addEventListener('input', changed);

  function passesElse(row: Filtered): boolean {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    return (
      choices.every(({ filter, select }) => select.value === '' || filter.of(row).includes(select.value)) &&
      (words.length === 0 || words.every((word) => searchText(row).includes(word)))
    );
  }

  return {
    element: h('form', { class: 'filters', role: 'search' }, search, outcomes.element, clear, more),
    search,
    offer(more) {
      offered = more;
      if (isMade) make();
    },
    count: outcomes.count,
    read(values) {
      search.value = values.get('q') ?? '';
      outcomes.choose(values.get('outcome') ?? '');
      if (!isMade && filters.some(({ key }) => values.has(key))) make();
      for (const { filter, select } of choices) {
        select.value = values.get(filter.key) ?? '';
        if (select.selectedIndex < 0) select.value = '';
        if (select.value !== '') more.open = true;
      }
    },
    values() {
      const values = new URLSearchParams();
      if (search.value.trim() !== '') values.set('q', search.value.trim());
      if (outcomes.chosen() !== '') values.set('outcome', outcomes.chosen());
      for (const { filter, select } of choices) if (select.value !== '') values.set(filter.key, select.value);
      clear.hidden = values.size === 0;
      return values;
    },
    passes: (row, outcome) => (outcomes.chosen() === '' || outcomes.chosen() === outcome) && passesElse(row),
    passesElse,
  };
}

const texts = new WeakMap<Filtered, string>();

/** All searchable text of a run. It is built on the first search. */
function searchText(row: Filtered): string {
  const known = texts.get(row);
  if (known !== undefined) return known;
  const { document, run, agent, attack } = row;
  const { id, name, severity, category, protocols, tags } = document;
  const words = [id, name, agent, run?.outcome, run?.tier, severity, category, ...protocols, ...tags, run?.reason];
  const text = [...words, attack?.facts?.change, attack?.status]
    .filter((word) => word !== undefined)
    .flatMap((word) => (word.includes('_') ? [word, spaced(word)] : word))
    .join('\n')
    .toLowerCase();
  texts.set(row, text);
  return text;
}
