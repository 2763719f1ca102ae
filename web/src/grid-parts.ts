import type { Cell } from './cells.ts';
import { h, spoken } from './dom.ts';
import { symbol } from './parts.ts';
import { titleOf } from './results.ts';
import { homeLink, runLink } from './route.ts';
import { spaced } from './words.ts';

/** The agents, each with a link to what became of it alone. */
export function headOf(agents: readonly string[]): HTMLElement {
  return h(
    'div',
    { class: 'grid-line', role: 'row', 'aria-rowindex': '1' },
    h('div', { class: 'attack-cell', role: 'columnheader' }, spoken('Attack')),
    agents.map((agent) =>
      h(
        'div',
        { class: 'agent-cell', role: 'columnheader' },
        h(
          'a',
          { href: homeLink('grid', new URLSearchParams({ agent })), tabindex: '-1', title: agent },
          agent,
        ),
      ),
    ),
    // Where there is one agent there is room for reasons.
    agents.length === 1 && h('div', { class: 'why-cell', role: 'columnheader' }, spoken('Why')),
  );
}

/** How far an attack got, or why nothing can be said. */
export function whyElement({ runs }: Cell): HTMLElement {
  const { tier, reason } = runs[0]?.run ?? {};
  const why = reason ?? (tier === undefined ? '' : spaced(tier));
  return h('div', { class: 'why-cell', role: 'cell', title: why }, why);
}

export interface CellLook {
  /** Whether it passes the filters; others of its row stand back. */
  readonly isWanted: boolean;
  readonly isActive: boolean;
  /** Whether Tab stops at it: the grid is reached in one step. */
  readonly isStop: boolean;
}

/** What became of an attack on an agent: the worst of its runs, how many came to that, and the way there. */
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
