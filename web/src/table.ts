import type { PageOutcome } from '../../src/report/html/page-data.ts';
import { type Column, columnsFor } from './columns.ts';
import { button, h } from './dom.ts';
import type { FilterBar } from './filters.ts';
import type { RunList } from './home.ts';
import type { RunRow } from './results.ts';
import { runLink } from './route.ts';
import { createWindow } from './window.ts';
import { partOf } from './words.ts';

const phone = matchMedia('screen and (max-width: 760px)');

/** A sortable table with a line for every run. */
export function createTable(all: readonly RunRow[], filters: FilterBar): RunList {
  let rows = all;
  let shownColumns: readonly Column[] = [];
  let headers: readonly { readonly key: string; readonly cell: HTMLElement }[] = [];
  let sorted = { key: 'outcome', down: false };
  let shown: readonly RunRow[] = [];
  let active = -1;
  const [above, below] = [spacer(), spacer()];
  const body = h('tbody', { role: 'rowgroup' }, above, below);
  const headRow = h('tr', { role: 'row', 'aria-rowindex': '1' });
  function showColumns(): void {
    const wanted = columnsFor(rows);
    if (wanted.length === shownColumns.length) return;
    shownColumns = wanted;
    headers = wanted.map(({ key, title }) => {
      const sort = button(title, {}, () => {
        sorted = { key, down: sorted.key === key && !sorted.down };
        apply();
      });
      return { key, cell: h('th', { scope: 'col', role: 'columnheader', class: `column-${key}` }, sort) };
    });
    headRow.replaceChildren(...headers.map(({ cell }) => cell));
  }
  showColumns();
  const table = h(
    'table',
    { class: 'runs', role: 'table', 'aria-label': 'Runs' },
    h('thead', { role: 'rowgroup' }, headRow),
    body,
  );
  const element = h('section', { class: 'run-list', 'aria-label': 'Runs' }, table);
  const itemHeight = (): number => (phone.matches ? 64 : 38);
  const view = createWindow({
    list: body,
    count: () => shown.length,
    itemHeight,
    covered: () => [headers[0]?.cell.offsetHeight ?? 0, 0],
    item: rowElement,
    end: below,
    shown(from, to) {
      const height = itemHeight();
      above.style.height = `${from * height}px`;
      below.style.height = `${(shown.length - to) * height}px`;
    },
  });

  function rowElement(index: number): HTMLElement {
    const row = shown[index] as RunRow;
    const element = h(
      'tr',
      { role: 'row', 'aria-rowindex': index + 2, 'data-index': index },
      shownColumns.map(({ key, cell }) => h('td', { role: 'cell', class: `column-${key}` }, cell(row))),
    );
    // Tab enters the table at one row, wherever the page is scrolled to.
    if (index === Math.max(active, 0)) element.querySelector('a')?.setAttribute('tabindex', '0');
    return element;
  }

  function apply(): void {
    const { by } = shownColumns.find(({ key }) => key === sorted.key) ?? (shownColumns[0] as Column);
    const direction = sorted.down ? -1 : 1;
    const passing = rows.filter((row) => filters.passes(row, outcomeOf(row)));
    const keys = new Map(passing.map((row) => [row, by(row)]));
    shown = passing.sort((a, b) => {
      const [left, right] = [keys.get(a) ?? '', keys.get(b) ?? ''];
      return left === right ? a.number - b.number : left < right ? -direction : direction;
    });
    for (const { key, cell } of headers)
      if (key === sorted.key) cell.setAttribute('aria-sort', sorted.down ? 'descending' : 'ascending');
      else cell.removeAttribute('aria-sort');
    active = -1;
    table.setAttribute('aria-rowcount', String(shown.length + 1));
    view.update();
  }

  function markActive(focus = true): void {
    for (const row of body.querySelectorAll('.is-active')) row.classList.remove('is-active');
    const row = body.querySelector(`[data-index="${active}"]`);
    row?.classList.add('is-active');
    if (focus) row?.querySelector('a')?.focus({ preventScroll: true });
  }

  function moveTo(index: number): void {
    if (shown.length === 0) return;
    active = Math.max(0, Math.min(shown.length - 1, index));
    view.reveal(active);
    view.update();
    markActive();
  }

  body.addEventListener('click', ({ target }) => {
    const row = target instanceof Element ? target.closest('[data-index]') : null;
    if (row === null || (target instanceof Element && target.closest('a') !== null)) return;
    row.querySelector('a')?.click();
  });

  const pageOf = (): number => Math.max(1, Math.floor(innerHeight / itemHeight()) - 4);
  const moves: { readonly [key: string]: () => number } = {
    j: () => active + 1,
    ArrowDown: () => active + 1,
    k: () => active - 1,
    ArrowUp: () => active - 1,
    PageDown: () => active + pageOf(),
    PageUp: () => active - pageOf(),
    Home: () => 0,
    End: () => shown.length - 1,
  };

  return {
    element,
    replace(_, more) {
      rows = more;
      const chosen = shown[active]?.number;
      showColumns();
      apply();
      active = chosen === undefined ? -1 : shown.findIndex(({ number }) => number === chosen);
      if (active >= 0) markActive(false);
    },
    apply,
    status: () => partOf(shown.length, rows.length, 'run', 'runs'),
    outcomes: () => rows.flatMap((row) => (filters.passesElse(row) ? (outcomeOf(row) ?? []) : [])),
    order: () => shown.map(({ number }) => number),
    enter: () => moveTo(0),
    key({ key, target }) {
      const row = shown[active];
      if (key === 'Enter' && row !== undefined && !(target instanceof HTMLAnchorElement)) {
        location.hash = runLink(row.number);
        return true;
      }
      const move = Object.hasOwn(moves, key) ? moves[key] : undefined;
      if (move === undefined || target instanceof HTMLButtonElement) return false;
      // Until a row is chosen, the browser's scrolling keys keep working.
      if (active < 0 && !['j', 'k', 'ArrowDown'].includes(key)) return false;
      moveTo(move());
      return true;
    },
    update: view.update,
  };
}

/** A benign twin is not an attack, so it counts under no outcome. */
function outcomeOf({ run }: RunRow): PageOutcome | undefined {
  return run.twin ? undefined : run.outcome;
}

function spacer(): HTMLElement {
  return h('tr', { class: 'spacer', role: 'presentation' }, h('td', { role: 'presentation' }));
}
