import type { PageIndex } from '../../src/report/html/page-data.ts';
import { type Child, h } from './dom.ts';
import { badge, filterLink } from './parts.ts';
import { type RunRow, titleOf } from './results.ts';
import { runLink } from './route.ts';
import { grouped } from './words.ts';

const changes = [
  ['new', 'new', 'succeeds now, and did not before'],
  ['unexpected', 'unexpected', 'differs from what is expected'],
  ['fixed', 'fixed', 'succeeded before, and does no more'],
  ['unchanged', 'unchanged', 'as expected'],
] as const;

export function baselineSection(
  baseline: NonNullable<PageIndex['baseline']>,
  rows: readonly RunRow[],
): HTMLElement {
  const firstRuns = [...new Map(rows.toReversed().map((row) => [row.attack, row])).values()].reverse();
  const having = (change: string): readonly RunRow[] =>
    firstRuns.filter(({ attack }) => attack.facts?.change === change);
  return h(
    'section',
    { 'aria-labelledby': 'baseline-title' },
    h(
      'h2',
      { id: 'baseline-title' },
      'Against the baseline',
      h('small', { class: 'dim' }, ` ${baseline.file}`),
    ),
    h(
      'ul',
      { class: 'legend' },
      changes.map(([change, word, meaning]) =>
        h(
          'li',
          { title: meaning },
          badge(change),
          filterLink({ change }, grouped(having(change).length), word),
        ),
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
    h(
      'span',
      { class: 'dim' },
      ` ${agent}: ${expected ?? 'nothing'} expected, ${found ?? 'nothing'} found${because}`,
    ),
  );
}
