import type { Cell } from './cells.ts';
import { h, spoken } from './dom.ts';
import { symbol } from './parts.ts';
import { titleOf } from './results.ts';
import { homeLink, runLink } from './route.ts';
import { spaced } from './words.ts';

/** The heads of the columns: each agent, with a link to its own results. */
export function headOf(agents: readonly string[]): HTMLElement {
  return h(
    'div',
    { class: 'grid-line', role: 'row', 'aria-rowindex': '1' },
    h('div', { class: 'attack-cell', role: 'columnheader' }, spoken('Attack')),
    agents.map((agent) =>
      h(
        'div',
        { class: 'agent-cell', role: 'columnheader' },
        h('a', { href: homeLink('grid', new URLSearchParams({ agent })), tabindex: '-1', title: agent }, agent),
      ),
    ),
    // With a single agent there is room for reasons.
    agents.length === 1 && h('div', { class: 'why-cell', role: 'columnheader' }, spoken('Why')),
  );
}

/** The tier that an attack reached, or the reason why it could not be judged. */
export function whyElement({ runs }: Cell): HTMLElement {
  const { tier, reason } = runs[0]?.run ?? {};
  const why = reason ?? (tier === undefined ? '' : spaced(tier));
  return h('div', { class: 'why-cell', role: 'cell', title: why }, why);
}

export interface CellLook {
  /** Whether the cell passes the filters. Other cells of its row are dimmed. */
  readonly isWanted: boolean;
  readonly isActive: boolean;
  /** Whether Tab stops at the cell: Tab enters the grid at one cell only. */
  readonly isStop: boolean;
}

/**
 * The result of an attack on an agent: the worst outcome of its runs, the number of runs with that outcome, and a link
 * to the run.
 */
export function cellElement(cell: Cell, { isWanted, isActive, isStop }: CellLook): HTMLElement {
  const { outcome, count, of, runs, agent, document } = cell;
  const [worst] = runs;
  const times = of > 1 ? `${count}/${of}` : '';
  const content = [
    symbol(outcome),
    h('span', { class: 'outcome-word' }, spaced(outcome)),
    times !== '' && h('span', { class: 'times' }, times),
  ];
  const classes = ['cell', `is-${outcome}`];
  if (!isWanted) classes.push('is-aside');
  if (isActive) classes.push('is-active');
  const attributes = {
    class: classes.join(' '),
    title: `${titleOf(document)} on ${agent}: ${spaced(outcome)}${times === '' ? '' : ` in ${count} of ${of} runs`}`,
    tabindex: isStop ? '0' : '-1',
  };
  return h(
    'div',
    { role: 'cell', class: 'cell-place' },
    worst === undefined
      ? h('span', attributes, content)
      : h('a', { ...attributes, href: runLink(worst.number) }, content),
  );
}

/** Makes a cell the active one, at which Tab stops, or an ordinary one. */
export function setActive(cell: HTMLElement, isActive: boolean): void {
  cell.classList.toggle('is-active', isActive);
  cell.tabIndex = isActive ? 0 : -1;
}
