import { type Cell, cellOutcomes, type GridRow } from './cells.ts';
import { h } from './dom.ts';
import { gravestFirst } from './gravest.ts';
import type { Pages } from './page.ts';
import { symbol } from './parts.ts';
import { homeLink, runLink } from './route.ts';
import { quotedEvidence } from './text.ts';
import { listed, plural, spaced } from './words.ts';

/** At most this many agents are listed; the others are counted. */
const mostShown = 8;
const entryHeight = 84;

/** The height of the unfolded details of a row. Longer details scroll. */
export function detailHeight(row: GridRow): number {
  const entries = Math.min(toShow(row).length, mostShown);
  return 56 + Math.min(entries, 3) * entryHeight;
}

function toShow({ cells }: GridRow): readonly Cell[] {
  const rank = ({ outcome }: Cell): number => cellOutcomes.indexOf(outcome);
  return cells
    .filter(({ outcome }) => outcome !== 'resisted' && outcome !== 'not_applicable')
    .sort((a, b) => rank(a) - rank(b));
}

/**
 * The details of an attack: the agents that fell for it, each with its gravest evidence; then the runs that could not
 * be judged, with the reason.
 */
export function createDetail(row: GridRow, pages: Pages): HTMLElement {
  const found = toShow(row);
  const { id, name } = row.document;
  const rest = found.length - mostShown;
  return h(
    'div',
    { class: 'detail' },
    h(
      'ul',
      {},
      found.slice(0, mostShown).map((cell) => entry(cell, pages)),
    ),
    h('p', { class: 'dim' }, [
      rest > 0 && `and ${plural(rest, 'agent', 'agents')} more. `,
      sentence('Resisted by', row, 'resisted'),
      sentence('Does not apply to', row, 'not_applicable'),
      h('a', { href: homeLink('runs', new URLSearchParams({ q: id ?? name })) }, 'All runs of this attack'),
    ]),
  );
}

function sentence(words: string, { cells }: GridRow, outcome: Cell['outcome']): string {
  const agents = cells.flatMap((cell) => (cell.outcome === outcome ? cell.agent : []));
  if (agents.length === 0) return '';
  return `${words} ${agents.length > 4 ? plural(agents.length, 'agent', 'agents') : listed(agents)}. `;
}

function entry({ runs, outcome, count, of, agent }: Cell, pages: Pages): HTMLElement {
  const [worst] = runs;
  const item = h(
    'li',
    {},
    h(
      'p',
      { class: 'detail-head' },
      symbol(outcome),
      h('b', {}, spaced(outcome)),
      of > 1 && `in ${count} of ${of} runs`,
      worst === undefined ? h('span', {}, agent) : h('a', { href: runLink(worst.number) }, agent),
      worst?.run.tier !== undefined && h('span', { class: 'tier' }, spaced(worst.run.tier)),
    ),
  );
  if (worst === undefined) return item;
  const { reason, outcome: came } = worst.run;
  if (came !== 'exploited' && came !== 'partial') item.append(h('p', { class: 'dim' }, reason ?? 'no reason is known'));
  else void showEvidence(item, worst.number, worst.document.source ? worst.run.document : undefined, pages);
  return item;
}

async function showEvidence(item: HTMLElement, run: number, document: number | undefined, pages: Pages): Promise<void> {
  const [{ indicators }, source] = await Promise.all([
    pages.run(run),
    document === undefined ? undefined : pages.document(document),
  ]);
  const [mostSevere] = gravestFirst(indicators, source);
  if (mostSevere?.evidence === undefined) return;
  const known = source?.indicators.find(({ id }) => id === mostSevere.id);
  item.append(
    h('p', { class: 'dim' }, `${mostSevere.id} ${known?.description ?? ''}`),
    quotedEvidence(mostSevere.evidence, 'brief'),
  );
}
