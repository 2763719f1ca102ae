import type { Rate } from '../../src/format/model/results-file.ts';
import type { PageRun } from '../../src/report/html/page-data.ts';
import type { CellOutcome } from './cells.ts';
import { h, place, spoken } from './dom.ts';
import { homeLink } from './route.ts';
import { intervalText, percent, spaced } from './words.ts';

// Small elements that several views share.

export function badge(name: string): HTMLElement {
  return h('span', { class: `badge is-${name.replace(/[^a-z_]/g, '')}` }, spaced(name));
}

const symbols: { readonly [O in CellOutcome]: string } = {
  exploited: '✕',
  partial: '◐',
  unattributed: '≈',
  inconclusive: '?',
  error: '!',
  not_run: '○',
  not_applicable: '–',
  resisted: '✓',
};

/** The coloured symbol of an outcome. It is hidden from screen readers, because the word stands beside it. */
export function symbol(outcome: CellOutcome): HTMLElement {
  return h('span', { class: `symbol is-${outcome}`, 'aria-hidden': 'true' }, symbols[outcome]);
}

/** A benign twin contains no attack: nothing is resisted in it, and a match is a false positive. */
export function runWord({ outcome, twin }: Pick<PageRun, 'outcome' | 'twin'>): string {
  if (!twin) return outcome;
  return outcome === 'exploited' || outcome === 'partial'
    ? 'false_positive'
    : outcome === 'resisted'
      ? 'clean'
      : outcome;
}

/** A rate as a bar, with its interval as a line over it. */
export function rateBar(rate: Rate): HTMLElement {
  const bar = h('span', { class: 'bar', 'aria-hidden': 'true' });
  if (rate.rate === null || rate.interval === null) return bar;
  const [low, high] = rate.interval;
  bar.append(
    place(h('span', { class: 'bar-fill' }), { width: `${rate.rate * 100}%` }),
    place(h('span', { class: 'bar-interval' }), { left: `${low * 100}%`, width: `${(high - low) * 100}%` }),
  );
  return bar;
}

export function rateText(rate: Rate): HTMLElement {
  return h(
    'span',
    { class: 'rate' },
    h('b', {}, percent(rate)),
    ' ',
    h('span', { class: 'dim' }, spoken('95 % interval '), intervalText(rate)),
  );
}

/** A link to the runs that pass these filters. */
export function filterLink(filters: { readonly [name: string]: string }, text: string, more?: string): HTMLElement {
  return h(
    'a',
    { href: homeLink('runs', new URLSearchParams(filters)) },
    text,
    more !== undefined && spoken(` ${more}`),
  );
}
