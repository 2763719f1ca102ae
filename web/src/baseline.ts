import type { PageIndex } from '../../src/report/html/page-data.ts';
import { type Child, h, spoken } from './dom.ts';
import { badge, filterLink } from './parts.ts';
import { type RunRow, titleOf } from './results.ts';
import { homeLink, runLink } from './route.ts';
import { grouped } from './words.ts';

const changes = [
  ['new', 'succeeds now, and did not before'],
  ['unexpected', 'differs from what is expected'],
  ['fixed', 'succeeded before, and does no more'],
  ['unchanged', 'as expected'],
] as const;

/** For each change, the first run of every attack that has it. */
function changesIn(rows: readonly RunRow[]): (change: string) => readonly RunRow[] {
  const firstRuns = [...new Map(rows.toReversed().map((row) => [row.attack, row])).values()].reverse();
  return (change) => firstRuns.filter(({ attack }) => attack.facts?.change === change);
}

/** The number of each change, with a link to its attacks in the grid. */
export function changesLine({ baseline }: PageIndex, rows: readonly RunRow[]): HTMLElement | undefined {
  if (baseline === undefined) return undefined;
  const having = changesIn(rows);
  const present = changes.filter(([change]) => having(change).length > 0);
  return h(
    'p',
    { class: 'facts changes-line' },
    'Against the baseline: ',
    present.map(([change, meaning]) =>
      h(
        'a',
        { href: homeLink('grid', new URLSearchParams({ change })), title: meaning },
        badge(change),
        ` ${grouped(having(change).length)}`,
        spoken(` ${change}`),
      ),
    ),
    baseline.missing.length > 0 &&
      h('a', { href: homeLink('figures') }, badge('missing'), ` ${grouped(baseline.missing.length)}`),
  );
}

export function baselineSection(baseline: NonNullable<PageIndex['baseline']>, rows: readonly RunRow[]): HTMLElement {
  const having = changesIn(rows);
  return h(
    'section',
    { 'aria-labelledby': 'baseline-title' },
    h('h2', { id: 'baseline-title' }, 'Against the baseline', h('small', { class: 'dim' }, ` ${baseline.file}`)),
    h(
      'ul',
      { class: 'legend' },
      changes.map(([change, meaning]) =>
        h('li', { title: meaning }, badge(change), filterLink({ change }, grouped(having(change).length), change)),
      ),
    ),
    h(
      'ul',
      { class: 'changes' },
      changes.slice(0, 3).flatMap(([change]) => having(change).slice(0, mostChanges).map(changeItem)),
      baseline.missing.map(
        ({ document, agent }): Child =>
          h(
            'li',
            {},
            badge('missing'),
            ` ${document} against ${agent} is in the baseline, and there is no such attack`,
          ),
      ),
    ),
  );
}

const mostChanges = 20;

function changeItem({ attack, document, agent, number }: RunRow): HTMLElement {
  const { change = '', expected, found, why } = attack.facts ?? {};
  const because = why === undefined ? '' : `: ${why}`;
  return h(
    'li',
    {},
    badge(change),
    ' ',
    h('a', { href: runLink(number) }, titleOf(document)),
    h('span', { class: 'dim' }, ` ${agent}: ${expected ?? 'nothing'} expected, ${found ?? 'nothing'} found${because}`),
  );
}
