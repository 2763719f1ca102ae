import type { PageIndex } from '../../src/report/html/page-data.ts';
import { type Cell, filteredIn, type Grid, type GridRow, gridOf } from './cells.ts';
import { createDetail, detailHeight } from './detail.ts';
import { h, place } from './dom.ts';
import type { FilterBar } from './filters.ts';
import { cellElement, headOf, setActive, whyElement } from './grid-parts.ts';
import type { RunList } from './home.ts';
import type { Pages } from './page.ts';
import { type RunRow, titleOf } from './results.ts';
import { createWindow } from './window.ts';
import { partOf } from './words.ts';

const phone = matchMedia('screen and (max-width: 760px)');

/** A line of the grid: an attack, or a part of the details unfolded below it. */
type Line = { readonly row: GridRow } | { readonly detail: GridRow; readonly lines: number } | 'covered';

/** The grid of attacks and agents, worst first. Only the visible rows are in the page. */
export function createGrid(index: PageIndex, runs: readonly RunRow[], filters: FilterBar, pages: Pages): RunList {
  let grid: Grid = gridOf(index, runs);
  let rows: readonly GridRow[] = [];
  let columns: readonly number[] = [];
  let lines: readonly Line[] = [];
  let active: { readonly row: number; readonly column: number } | undefined;
  const unfolded = new Set<string>();
  const head = h('div', { class: 'grid-head', role: 'rowgroup' });
  const body = h('div', { class: 'grid-rows', role: 'presentation' });
  const scroller = h('div', { class: 'grid-scroll', role: 'rowgroup' }, body);
  const element = h('div', { class: 'grid', role: 'table', 'aria-label': 'Attacks and agents' }, head, scroller);
  const lineHeight = (): number => (phone.matches ? 46 : 32);
  const view = createWindow({
    list: body,
    count: () => lines.length,
    itemHeight: lineHeight,
    covered: () => [head.offsetHeight, 0],
    item: (line) => place(lineElement(lines[line] as Line), { top: `${line * lineHeight()}px` }),
    shown() {
      body.style.height = `${lines.length * lineHeight()}px`;
    },
  });
  // The agent names stick to the top of the page and scroll sideways with the cells.
  scroller.addEventListener('scroll', () => {
    head.scrollLeft = scroller.scrollLeft;
  });
  head.addEventListener('scroll', () => {
    scroller.scrollLeft = head.scrollLeft;
  });
  let width = 0;
  new ResizeObserver(() => {
    // The grid itself changes its height. Redrawing on that would lose the focus.
    if (scroller.clientWidth === width) return;
    adapt();
    view.update();
  }).observe(scroller);

  /** Cells show words if there is room, otherwise symbols. */
  function adapt(): void {
    const hasRepeats = rows.some(({ cells }) => cells.some(({ of }) => of > 1));
    width = scroller.clientWidth;
    const room = width - columns.length * (hasRepeats ? 160 : 128);
    element.classList.toggle('has-repeats', hasRepeats);
    element.classList.toggle('is-compact', room < (phone.matches ? 165 : 320));
    element.classList.toggle('has-why', columns.length === 1);
    element.style.setProperty('--agents', String(columns.length));
    element.style.setProperty('--screen', `${width}px`);
  }

  const isWanted = (cell: Cell): boolean => filteredIn(cell).some((each) => filters.passes(each, cell.outcome));

  function apply(): void {
    const wanted = grid.rows.map(({ cells }) => cells.map(isWanted));
    rows = grid.rows.filter((_, row) => wanted[row]?.some(Boolean));
    columns = [...grid.agents.keys()].filter((column) => wanted.some((cells) => cells[column]));
    active = undefined;
    head.replaceChildren(headOf(columns.map((column) => grid.agents[column] ?? '')));
    element.setAttribute('aria-rowcount', String(rows.length + 1));
    adapt();
    layOut();
  }

  function layOut(): void {
    lines = rows.flatMap((row): readonly Line[] => {
      if (!unfolded.has(titleOf(row.document))) return [{ row }];
      const height = Math.min(mostLines, Math.ceil(detailHeight(row) / lineHeight()));
      return [{ row }, { detail: row, lines: height }, ...Array<Line>(height - 1).fill('covered')];
    });
    view.update();
  }

  function lineElement(line: Line): HTMLElement {
    if (line === 'covered') return h('div', { class: 'covered', role: 'presentation' });
    if ('detail' in line) {
      const cell = h('div', { role: 'cell' }, createDetail(line.detail, pages));
      const element = h('div', { class: 'grid-line has-detail', role: 'row' }, cell);
      return place(element, { height: `${line.lines * lineHeight()}px` });
    }
    return rowElement(line.row);
  }

  function rowElement(row: GridRow): HTMLElement {
    const number = rows.indexOf(row);
    const isOpen = unfolded.has(titleOf(row.document));
    const { id, name, severity } = row.document;
    const title = h(
      'button',
      {
        type: 'button',
        class: 'attack',
        tabindex: '-1',
        'aria-expanded': String(isOpen),
        title: titleOf(row.document),
      },
      h(
        'span',
        { class: 'attack-name' },
        id !== undefined && h('span', { class: 'id' }, `${id} `),
        id === name ? '' : name,
      ),
      severity !== undefined && h('span', { class: 'severity' }, severity),
    );
    title.addEventListener('click', () => toggle(row));
    const at = active?.row === number ? active.column : undefined;
    return h(
      'div',
      { class: 'grid-line', role: 'row', 'aria-rowindex': number + 2, 'data-row': number },
      h('div', { class: 'attack-cell', role: 'rowheader' }, title),
      columns.map((column, place) => {
        const cell = row.cells[column] as Cell;
        const isFirst = active === undefined && number === 0 && place === 0;
        return cellElement(cell, {
          isWanted: isWanted(cell),
          isActive: at === place,
          isStop: isFirst || at === place,
        });
      }),
      columns.length === 1 && whyElement(row.cells[columns[0] ?? 0] as Cell),
    );
  }

  function toggle(row: GridRow): void {
    const title = titleOf(row.document);
    if (!unfolded.delete(title)) unfolded.add(title);
    layOut();
  }

  const lineOf = (row: number): number =>
    lines.findIndex((line) => line !== 'covered' && 'row' in line && line.row === rows[row]);

  function moveTo(row: number, column: number): void {
    if (rows.length === 0 || columns.length === 0) return;
    active = { row: clamp(row, rows.length), column: clamp(column, columns.length) };
    view.reveal(lineOf(active.row));
    // After the page was scrolled, its rows are drawn with the next frame.
    if (activeCell() === undefined) view.update();
    const cell = activeCell();
    if (cell === undefined) return;
    // Drawing all rows again would take long where there are many agents.
    for (const each of body.querySelectorAll<HTMLElement>('.cell[tabindex="0"]')) setActive(each, false);
    setActive(cell, true);
    revealSideways(cell);
    cell.focus({ preventScroll: true });
  }

  function activeCell(): HTMLElement | undefined {
    const line = body.querySelector(`[data-row="${active?.row}"]`);
    return line?.querySelectorAll<HTMLElement>('.cell')[active?.column ?? 0];
  }

  /** Scrolls a cell out from under the attack names, which cover the left side. */
  function revealSideways(cell: HTMLElement): void {
    const covered = body.querySelector<HTMLElement>('.attack-cell')?.offsetWidth ?? 0;
    const [inner, outer] = [cell.getBoundingClientRect(), scroller.getBoundingClientRect()];
    const left = inner.left - outer.left - covered;
    if (left < 0) scroller.scrollLeft += left;
    else if (inner.right > outer.right) scroller.scrollLeft += inner.right - outer.right;
  }

  const page = (): number => Math.max(1, Math.floor(innerHeight / lineHeight()) - 4);
  const steps: { readonly [key: string]: () => readonly [down: number, right: number] } = {
    j: () => [1, 0],
    ArrowDown: () => [1, 0],
    k: () => [-1, 0],
    ArrowUp: () => [-1, 0],
    l: () => [0, 1],
    ArrowRight: () => [0, 1],
    h: () => [0, -1],
    ArrowLeft: () => [0, -1],
    PageDown: () => [page(), 0],
    PageUp: () => [-page(), 0],
    Home: () => [-rows.length, 0],
    End: () => [rows.length, 0],
  };

  return {
    element,
    replace(more, all) {
      grid = gridOf(more, all);
      const isFocused = body.contains(document.activeElement);
      const [row, column] = [rows[active?.row ?? -1]?.document, grid.agents[columns[active?.column ?? -1] ?? -1]];
      apply();
      if (row === undefined || column === undefined) return;
      const title = titleOf(row);
      const found = rows.findIndex(({ document }) => titleOf(document) === title);
      if (isFocused) moveTo(found, columns.indexOf(grid.agents.indexOf(column)));
    },
    apply,
    status: () => partOf(rows.length, grid.rows.length, 'attack', 'attacks'),
    outcomes: () =>
      grid.rows.flatMap(({ cells }) =>
        cells.flatMap((cell) => (filteredIn(cell).some(filters.passesElse) ? cell.outcome : [])),
      ),
    order: () =>
      rows.flatMap(({ cells }) =>
        columns.flatMap((column) => {
          const cell = cells[column];
          return cell !== undefined && isWanted(cell) ? cell.runs.map(({ number }) => number) : [];
        }),
      ),
    enter: () => moveTo(0, 0),
    key({ key, target }) {
      const row = active === undefined ? undefined : rows[active.row];
      if ((key === ' ' || key === 'e') && row !== undefined && !(target instanceof HTMLButtonElement)) {
        toggle(row);
        body.querySelector<HTMLElement>('.is-active')?.focus({ preventScroll: true });
        return true;
      }
      const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
      if (step === undefined || (target instanceof HTMLButtonElement && !body.contains(target))) return false;
      // Until a cell is chosen, the browser's scrolling keys keep working.
      if (active === undefined && !['j', 'k', 'ArrowDown'].includes(key)) return false;
      const [down, right] = step();
      moveTo(active === undefined ? 0 : active.row + down, active === undefined ? 0 : active.column + right);
      return true;
    },
    update: view.update,
  };
}

/** The number of lines that the window keeps above the screen: unfolded details stay while a part of them is visible. */
const mostLines = 8;

function clamp(at: number, length: number): number {
  return Math.max(0, Math.min(length - 1, at));
}
