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

/** A view of the runs that pass the filters. */
export interface RunList {
  readonly element: HTMLElement;
  /** Takes the new runs while a suite is running. */
  replace(index: PageIndex, rows: readonly RunRow[]): void;
  /** Applies the filters again. */
  apply(): void;
  /** The number of shown entries, in words. */
  status(): string;
  /** The outcomes that the outcome filter counts. */
  outcomes(): readonly CellOutcome[];
  /** The run numbers in the order of the view. */
  order(): readonly number[];
  /** Moves to the first of them. */
  enter(): void;
  key(event: KeyboardEvent): boolean;
  /** Redraws after the page around it has changed. */
  update(): void;
}

export interface Home {
  readonly element: HTMLElement;
  show(tab: Tab, filters: URLSearchParams): void;
  replace(index: PageIndex, rows: readonly RunRow[]): void;
  /** The address of the current view, for the link back to it. */
  link(): string;
  order(): readonly number[];
  key(event: KeyboardEvent): boolean;
}

const tabNames: { readonly [T in Tab]: string } = { grid: 'Grid', runs: 'Runs', figures: 'Figures' };

/** The first page: the result of the suite, then the attacks, the runs or the rates. */
export function createHome(index: PageIndex, rows: readonly RunRow[], pages: Pages): Home {
  let tab: Tab = 'grid';
  let isPrinting = false;
  // On paper all views are printed. The lists listen for the same events and must be visible when those arrive.
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
  /** Builds the rates when the user first opens them. */
  let unmade: (() => readonly HTMLElement[]) | undefined = () => figures(index, rows);
  const choice = h('div', {}, filters.element, status);
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
