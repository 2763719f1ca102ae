import { button, type Child, h } from './dom.ts';
import { createFilters } from './filters.ts';
import { badge, runWord } from './parts.ts';
import { outcomeNames, type RunRow, severities, tiers } from './results.ts';
import { runLink, runsLink } from './route.ts';
import { createWindow } from './window.ts';
import { duration, grouped, plural, protocolName, spaced } from './words.ts';

interface Column {
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
      `${attack.success.count}/${attack.success.of}`,
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
/** What goes first where there are too many; the filters have it still. */
const dispensable = ['protocol', 'category'];

function columnsFor(rows: readonly RunRow[]): readonly Column[] {
  const needed = columns.filter((column) => column.needed?.(rows) ?? true);
  const spare = dispensable.slice(0, Math.max(0, needed.length - mostColumns));
  return needed.filter(({ key }) => !spare.includes(key));
}

export interface RunTable {
  readonly element: HTMLElement;
  /** Numbers of the runs as they stand in the table. */
  order(): readonly number[];
  /** Takes more runs, while a suite is running. */
  replace(rows: readonly RunRow[]): void;
  filters(): URLSearchParams;
  /** Takes filters out of the address. */
  filter(values: URLSearchParams): void;
  key(event: KeyboardEvent): boolean;
  /** Looks again, after the page has changed around it. */
  update(): void;
  reveal(): void;
}

const phone = matchMedia('screen and (max-width: 760px)');

export function createTable(all: readonly RunRow[]): RunTable {
  let rows = all;
  let shownColumns: readonly Column[] = [];
  let headers: readonly { readonly key: string; readonly cell: HTMLElement }[] = [];
  let sorted = { key: 'outcome', down: false };
  let shown: readonly RunRow[] = [];
  let active = -1;
  const filters = createFilters(rows, () => {
    apply();
    history.replaceState(null, '', runsLink(filters.values()));
  });
  const status = h('p', { role: 'status', class: 'dim count' });
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
  const element = h(
    'section',
    { class: 'run-list', id: 'runs', 'aria-labelledby': 'runs-title' },
    h('h2', { id: 'runs-title' }, 'Runs'),
    filters.element,
    status,
    table,
  );
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
    // Tab reaches the table in one step, wherever the page is scrolled to.
    if (index === Math.max(active, 0)) element.querySelector('a')?.setAttribute('tabindex', '0');
    return element;
  }

  function apply(): void {
    const { by } = shownColumns.find(({ key }) => key === sorted.key) ?? (shownColumns[0] as Column);
    const direction = sorted.down ? -1 : 1;
    const passing = rows.filter(filters.passes);
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
    status.textContent =
      shown.length === rows.length
        ? plural(rows.length, 'run', 'runs')
        : `${grouped(shown.length)} of ${plural(rows.length, 'run', 'runs')}`;
    filters.values();
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
    replace(more) {
      rows = more;
      const chosen = shown[active]?.number;
      filters.offer(rows);
      showColumns();
      apply();
      active = chosen === undefined ? -1 : shown.findIndex(({ number }) => number === chosen);
      if (active >= 0) markActive(false);
    },
    filters: filters.values,
    order: () => shown.map(({ number }) => number),
    filter(values) {
      filters.read(values);
      apply();
    },
    key({ key, target }) {
      if (target === filters.search && key === 'Escape') {
        filters.search.blur();
        return true;
      }
      if (target === filters.search && (key === 'ArrowDown' || key === 'Enter')) {
        moveTo(0);
        return true;
      }
      if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return false;
      if (key === '/') {
        filters.search.focus();
        filters.search.select();
        return true;
      }
      const row = shown[active];
      if (key === 'Enter' && row !== undefined && !(target instanceof HTMLAnchorElement)) {
        location.hash = runLink(row.number);
        return true;
      }
      const move = Object.hasOwn(moves, key) ? moves[key] : undefined;
      if (move === undefined || target instanceof HTMLButtonElement) return false;
      // The page's own keys go on scrolling it, until a row is chosen.
      if (active < 0 && !['j', 'k', 'ArrowDown'].includes(key)) return false;
      moveTo(move());
      return true;
    },
    update: view.update,
    reveal: () => element.scrollIntoView({ block: 'start', behavior: 'instant' }),
  };
}

function spacer(): HTMLElement {
  return h('tr', { class: 'spacer', role: 'presentation' }, h('td', { role: 'presentation' }));
}
