import { coverageSection } from './coverage.ts';
import { createDiagram } from './diagram.ts';
import { h } from './dom.ts';
import { gravestFirst } from './gravest.ts';
import { createPanel } from './message.ts';
import type { Pages } from './page.ts';
import type { RunRow } from './results.ts';
import { type Route, runLink, sourceLink } from './route.ts';
import {
  aboutSection,
  deliverySection,
  diagnosticsSection,
  indicatorsSection,
  runHead,
  storyHead,
} from './run-sections.ts';
import { createSource } from './source.ts';

export interface RunView {
  readonly element: HTMLElement;
  readonly number: number;
  show(route: Route): void;
  key(event: KeyboardEvent): boolean;
  stop(): void;
}

const roomForPanel = matchMedia('screen and (min-width: 1080px)');

/** The page of one run. */
export async function openRun(row: RunRow, pages: Pages): Promise<RunView> {
  const { number, document } = row;
  const [part, source] = await Promise.all([
    pages.run(number),
    document.source ? pages.document(row.run.document) : undefined,
  ]);
  const panel = createPanel(row, part, source, pages);
  // If there is no room beside the diagram, the message covers its lower part.
  const panelHeight = (): number => (roomForPanel.matches || panel.element.hidden ? 0 : panel.element.offsetHeight);
  const diagram = createDiagram(number, row.agent, part, panelHeight);
  const text = source === undefined ? undefined : createSource(number, source, part, source);
  const tabs = [
    { view: 'run', link: h('a', { href: runLink(number) }, 'What happened') },
    ...(text === undefined ? [] : [{ view: 'source', link: h('a', { href: sourceLink(number) }, 'The document') }]),
  ];
  const story = h(
    'div',
    { class: 'story' },
    storyHead(part),
    h('div', { class: 'story-body' }, diagram.element, panel.element),
  );
  const element = h(
    'article',
    { class: 'run', 'aria-labelledby': 'run-title' },
    runHead(row, part),
    h(
      'div',
      { class: 'findings' },
      h('div', {}, indicatorsSection(number, part, source), coverageSection(number, part, source)),
      deliverySection(part),
    ),
    aboutSection(row, part, source),
    diagnosticsSection(part),
    h(
      'nav',
      { class: 'tabs', 'aria-label': 'Views of this run' },
      tabs.map(({ link }) => link),
    ),
    story,
    text?.element,
  );
  const mostSevere = gravestFirst(part.indicators, source).find(
    ({ result, seq }) => result === 'matched' && seq !== undefined,
  )?.seq;
  /** The record that the user chose. A record may also be shown without being chosen. */
  let chosen: number | undefined;
  let opened = false;

  function show(route: Route): void {
    const isSource = route.view === 'source' && text !== undefined;
    story.hidden = isSource;
    if (text !== undefined) text.element.hidden = !isSource;
    for (const { view, link } of tabs) {
      if (isSource === (view === 'source')) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
    }
    if (isSource) text?.select(route.view === 'source' ? route.line : undefined);
    else if (route.view === 'run') select(route.seq);
    opened = true;
  }

  function select(seq: number | undefined): void {
    // With room beside the diagram, a run opens on its gravest evidence.
    const shown = seq ?? (roomForPanel.matches && !opened ? mostSevere : undefined);
    // After closing a message, the focus stays on its row.
    const isClosing = shown === undefined && chosen !== undefined;
    element.classList.toggle('has-panel', shown !== undefined);
    diagram.select(isClosing ? chosen : shown, { focus: opened, reveal: seq !== undefined });
    chosen = seq;
    void panel.show(shown).then(() => {
      if (seq !== undefined && seq === chosen) diagram.reveal(seq);
    });
  }

  function goTo(next: number | undefined): boolean {
    if (next === undefined) return false;
    history[chosen === undefined ? 'pushState' : 'replaceState'](null, '', runLink(number, next));
    select(next);
    return true;
  }

  const keys: { readonly [key: string]: () => boolean } = {
    j: () => goTo(diagram.neighbour(chosen, 1, false)),
    ArrowDown: () => goTo(diagram.neighbour(chosen, 1, false)),
    k: () => goTo(diagram.neighbour(chosen, -1, false)),
    ArrowUp: () => goTo(diagram.neighbour(chosen, -1, false)),
    n: () => goTo(diagram.neighbour(chosen, 1, true)),
    p: () => goTo(diagram.neighbour(chosen, -1, true)),
    s: () => {
      if (text === undefined) return false;
      location.hash = story.hidden ? runLink(number, chosen) : sourceLink(number);
      return true;
    },
  };

  return {
    element,
    number,
    show,
    key({ key, target }) {
      // The arrow keys scroll the message or the source that has the focus.
      if (target instanceof Element && target.closest('.panel, .source-scroll') !== null && key.startsWith('Arrow'))
        return false;
      if (story.hidden && key !== 's') return false;
      if (key === 'Enter' && target instanceof Element && target.classList.contains('is-selected')) {
        panel.focus();
        return true;
      }
      if (key === 'Escape' && chosen !== undefined && !story.hidden) {
        location.hash = runLink(number);
        return true;
      }
      return (Object.hasOwn(keys, key) ? keys[key]?.() : false) ?? false;
    },
    stop() {
      diagram.stop();
      text?.stop();
    },
  };
}
