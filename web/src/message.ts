import { type DocumentPart, type PageMessage, type RunPart, rowKinds } from '../../src/report/html/page-data.ts';
import { button, h } from './dom.ts';
import { gravestFirst } from './gravest.ts';
import type { Pages } from './page.ts';
import type { RunRow } from './results.ts';
import { runLink, sourceLink } from './route.ts';
import { jsonLines } from './text.ts';
import { offset, spaced } from './words.ts';

export interface MessagePanel {
  readonly element: HTMLElement;
  /** Shows a record. `undefined` closes the panel. */
  show(seq: number | undefined): Promise<void>;
  focus(): void;
}

/** The panel with one full record and the evidence in it. */
export function createPanel(
  { number: run, agent }: RunRow,
  part: RunPart,
  source: DocumentPart | undefined,
  pages: Pages,
): MessagePanel {
  const { trace, indicators } = part;
  const element = h('aside', { class: 'panel', 'aria-label': 'Message', tabindex: '-1' });
  element.hidden = true;
  let wanted: number | undefined;
  const nameOf = (indicator: number): string => indicators[indicator]?.id ?? '';

  async function contentsOf(row: number): Promise<PageMessage | undefined> {
    const number = trace.parts.findLastIndex((first) => first <= row);
    if (number < 0) return undefined;
    const messages = await pages.messages(run, number);
    return messages[row - (trace.parts[number] ?? 0)];
  }

  function headOf(row: number, message: PageMessage | undefined): readonly HTMLElement[] {
    const actor = trace.actors[trace.actor[row] ?? -1]?.name;
    const kind = rowKinds[trace.kind[row] ?? 0] ?? '';
    const fromAgent = trace.fromAgent[row] === 1;
    const isMessage = (trace.kind[row] ?? 0) < rowKinds.indexOf('phase');
    const way =
      actor === undefined ? '' : !isMessage ? actor : fromAgent ? `${agent} → ${actor}` : `${actor} → ${agent}`;
    const phase = trace.phases[trace.phase[row] ?? -1];
    const facts: readonly (readonly [string, string | undefined])[] = [
      ['from, to', way],
      ['kind', kind],
      ['phase', phase],
      ['time', `${offset(trace.ms[row] ?? 0)} s`],
      ['id', message?.id],
      ['session', message?.session],
    ];
    const close = button('Close', { class: 'quiet', 'aria-keyshortcuts': 'Escape' }, () => {
      location.hash = runLink(run);
    });
    return [
      h(
        'header',
        { class: 'panel-head' },
        h('h2', {}, h('span', { class: 'dim' }, `${trace.seq[row]} `), trace.methods[trace.method[row] ?? -1] ?? kind),
        close,
      ),
      h(
        'dl',
        { class: 'panel-facts' },
        facts.flatMap(([name, value]) =>
          value === undefined || value === '' ? [] : [h('div', {}, h('dt', {}, name), h('dd', {}, value))],
        ),
      ),
    ];
  }

  function matchesIn(row: number): HTMLElement | undefined {
    const own = trace.marks.flatMap(([each, number]) => (each === row ? (indicators[number] ?? []) : []));
    if (own.length === 0) return undefined;
    return h(
      'ul',
      { class: 'panel-matches' },
      gravestFirst(own, source).map(({ id, path = '', projection }) => {
        const known = source?.indicators.find((indicator) => indicator.id === id);
        return h(
          'li',
          {},
          h('a', { class: 'chip', href: known === undefined ? undefined : sourceLink(run, known.line) }, id),
          known?.tier !== undefined && h('span', { class: 'tier' }, spaced(known.tier)),
          ' ',
          known?.description ?? '',
          h('span', { class: 'dim' }, ` at ${path === '' ? 'the whole message' : path}`),
          projection !== undefined && projection !== path && h('span', { class: 'dim' }, ` (seen as ${projection})`),
        );
      }),
    );
  }

  return {
    element,
    async show(seq) {
      wanted = seq;
      const row = seq === undefined ? -1 : trace.seq.indexOf(seq);
      element.hidden = row < 0;
      if (row < 0) return;
      const message = await contentsOf(row);
      // The user may have chosen another record in the meantime.
      if (wanted !== seq) return;
      const contents = h(
        'div',
        { role: 'region', 'aria-label': 'Content', tabindex: '0' },
        message === undefined ? 'The content is not in this report.' : jsonLines(message.lines, nameOf),
      );
      const request =
        message?.request === undefined
          ? []
          : [h('h3', {}, 'Answers'), h('div', {}, jsonLines(message.request, nameOf))];
      element.replaceChildren(...headOf(row, message), ...[matchesIn(row) ?? []].flat(), contents, ...request);
      element.setAttribute('aria-label', `Message ${seq}`);
      element.scrollTop = 0;
      revealEvidence(contents);
    },
    focus: () => element.focus({ preventScroll: true }),
  };
}

/** Scrolls to the first evidence without moving the page. */
function revealEvidence(contents: HTMLElement): void {
  const mark = contents.querySelector('mark');
  const scroller = contents.closest<HTMLElement>('.panel');
  if (mark === null || scroller === null) return;
  const [inner, outer] = [mark.getBoundingClientRect(), scroller.getBoundingClientRect()];
  if (inner.bottom > outer.bottom) scroller.scrollTop += inner.top - outer.top - outer.height / 3;
}
