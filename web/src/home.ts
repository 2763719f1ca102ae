import type { PageIndex } from '../../src/report/html/page-data.ts';
import type { CellOutcome } from './cells.ts';
import { h } from './dom.ts';
import { figures } from './figures.ts';
import { createFilters } from './filters.ts';
import { createGrid } from './grid.ts';
import { heading } from './heading.ts';
import type { Pages } from './page.ts';
import type { RunRow } from './results.ts';
import { homeLink, type Tab, tabs } from './route.ts';
import { createTable } from './table.ts';

/** A view of those runs that pass the filters. */
export interface RunList {
  readonly element: HTMLElement;
  /** Takes more runs, while a suite is running. */
  replace(index: PageIndex, rows: readonly RunRow[]): void;
  /** Asks the filters again. */
  apply(): void;
  /** How many are shown, in words. */
  status(): string;
  /** What the filter of outcomes counts. */
  outcomes(): readonly CellOutcome[];
  /** Numbers of the runs as they stand in the view. */
  order(): readonly number[];
  /** Goes to the first of them. */
  enter(): void;
  key(event: KeyboardEvent): boolean;
  /** Looks again, after the page has changed around it. */
  update(): void;
}

export interface Home {
  readonly element: HTMLElement;
  show(tab: Tab, filters: URLSearchParams): void;
  replace(index: PageIndex, rows: readonly RunRow[]): void;
  /** The address of what is shown, for the way back to it. */
  link(): string;
  order(): readonly number[];
  key(event: KeyboardEvent): boolean;
}

const tabNames: { readonly [T in Tab]: string } = { grid: 'Grid', runs: 'Runs', figures: 'Figures' };

/** The first page: what came of it all, then the attacks, the runs or the rates. */
export function createHome(index: PageIndex, rows: readonly RunRow[], pages: Pages): Home {
  let tab: Tab = 'grid';
  let isPrinting = false;
  // On paper there is no choice. The lists listen for the same events, and must not be hidden when they hear them.
  const print = (is: boolean) => (): void => {
    isPrinting = is;
    showTab();
    for (const list of Object.values(lists)) list.apply();
  };
  addEventListener('beforeprint', print(true));
  addEventListener('afterprint', print(false));
  const filters = createFilters(rows, () => {
    applied();
    history.replaceState(null, '', link());
  });
  const lists = { grid: createGrid(index, rows, filters, pages), runs: createTable(rows, filters) };
  const status = h('p', { role: 'status', class: 'dim count' });
  const top = h('div', {}, heading(index, rows));
  const rates = h('div', { class: 'overview' });
  /** What the rates are made of, once somebody looks at them. */
  let unmade: (() => readonly HTMLElement[]) | undefined = () => figures(index, rows);
  const choice = h('div', { class: 'choice-bar' }, filters.element, status);
  const links = tabs.map((each) => ({ tab: each, link: h('a', {}, tabNames[each]) }));
  const current = (): RunList | undefined => (tab === 'figures' ? undefined : lists[tab]);
  const link = (): string => homeLink(tab, filters.values());

  function applied(): void {
    const list = current();
    list?.apply();
    status.textContent = list?.status() ?? '';
    filters.count(list?.outcomes() ?? []);
    const values = filters.values();
    for (const each of links) each.link.href = homeLink(each.tab, values);
  }

  function showTab(): void {
    lists.grid.element.hidden = tab !== 'grid' && !isPrinting;
    lists.runs.element.hidden = tab !== 'runs' && !isPrinting;
    rates.hidden = tab !== 'figures' && !isPrinting;
    if (!rates.hidden && unmade !== undefined) {
      rates.replaceChildren(...unmade());
      unmade = undefined;
    }
    choice.hidden = tab === 'figures';
    for (const each of links)
      if (each.tab === tab) each.link.setAttribute('aria-current', 'page');
      else each.link.removeAttribute('aria-current');
  }

  const element = h(
    'div',
    { class: 'home' },
    top,
    h(
      'nav',
      { class: 'tabs', 'aria-label': 'Views' },
      links.map((each) => each.link),
    ),
    choice,
    lists.grid.element,
    lists.runs.element,
    rates,
  );

  return {
    element,
    show(wanted, values) {
      tab = wanted;
      showTab();
      filters.read(values);
      applied();
    },
    replace(more, all) {
      top.replaceChildren(...heading(more, all));
      unmade = () => figures(more, all);
      showTab();
      filters.offer(all);
      lists.grid.replace(more, all);
      lists.runs.replace(more, all);
      applied();
    },
    link,
    order: () => (current() ?? lists.grid).order(),
    key(event) {
      const { key, target } = event;
      const list = current();
      if (list === undefined) return false;
      if (target === filters.search && key === 'Escape') {
        filters.search.blur();
        return true;
      }
      if (target === filters.search && (key === 'ArrowDown' || key === 'Enter')) {
        list.enter();
        return true;
      }
      if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return false;
      if (key !== '/') return list.key(event);
      filters.search.focus();
      filters.search.select();
      return true;
    },
  };
}
