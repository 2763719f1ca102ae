import type { DocumentPart, RunPart } from '../../src/report/html/page-data.ts';
import { h, place } from './dom.ts';
import { badge } from './parts.ts';
import { sourceLink } from './route.ts';
import { plainText } from './text.ts';
import { createWindow } from './window.ts';

export interface SourceView {
  readonly element: HTMLElement;
  select(line: number | undefined): void;
  update(): void;
  stop(): void;
}

const lineHeight = 22;

/** The document as it was run, with its lines to link to and its indicators marked. */
export function createSource(
  run: number,
  { lines, path }: DocumentPart,
  part: RunPart,
  document: DocumentPart,
): SourceView {
  const results = new Map(part.indicators.map(({ id, result }) => [id, result]));
  const notes = new Map(
    document.indicators.flatMap(({ id, line }) => {
      const result = results.get(id);
      return result === undefined ? [] : [[line, result] as const];
    }),
  );
  let selected: number | undefined;
  const digits = String(lines.length).length;
  const list = place(h('ol', { class: 'source-lines' }), { height: `${lines.length * lineHeight}px` });
  const longest = lines.reduce((most, line) => Math.max(most, line.length), 0);
  list.style.minWidth = `${Math.min(longest, 400) + digits + 6}ch`;
  const view = createWindow({
    list,
    count: () => lines.length,
    itemHeight: () => lineHeight,
    covered: () => [0, 0],
    item: (number) => lineElement(lines[number] ?? '', number + 1),
  });

  function lineElement(text: string, number: number): HTMLElement {
    const link = h(
      'a',
      { class: 'line-number', href: sourceLink(run, number), 'aria-label': `line ${number}` },
      `${number}`,
    );
    link.style.width = `${digits + 1}ch`;
    const code = h('code', {});
    coloured(code, text);
    const note = notes.get(number);
    const element = h(
      'li',
      { class: number === selected ? 'is-selected' : '', 'aria-current': number === selected && 'true' },
      link,
      code,
      note !== undefined && badge(note),
    );
    return place(element, { top: `${(number - 1) * lineHeight}px` });
  }

  return {
    element: h(
      'section',
      { class: 'source', 'aria-label': 'Document' },
      h('p', { class: 'dim' }, path),
      h('div', { class: 'source-scroll', role: 'region', 'aria-label': 'Source', tabindex: '0' }, list),
    ),
    select(line) {
      selected = line;
      if (line !== undefined) view.reveal(line - 1);
      view.update();
    },
    update: view.update,
    stop: view.stop,
  };
}

const keyed = /^(\s*(?:- +)*)([\w.@/-]+)(:)(?= |$)/;

/** Keys and comments; more would need to understand YAML. */
function coloured(parent: HTMLElement, text: string): void {
  if (/^\s*#/.test(text)) {
    plainText(parent.appendChild(h('span', { class: 'comment' })), text);
    return;
  }
  const [whole = '', indent = '', key = '', colon = ''] = keyed.exec(text) ?? [];
  if (whole !== '') parent.append(indent, h('span', { class: 'key' }, key), colon);
  plainText(parent, text.slice(whole.length));
}
