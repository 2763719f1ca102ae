import { type RowKind, type RunPart, rowKinds } from '../../src/report/html/page-data.ts';
import { h, place, spoken, svg } from './dom.ts';
import { type Band, bandsOf, lanesOf } from './lanes.ts';
import { runLink } from './route.ts';
import { plainText } from './text.ts';
import { createWindow } from './window.ts';
import { offset, plural, spaced } from './words.ts';

export interface Diagram {
  readonly element: HTMLElement;
  /** Marks the row of a record and scrolls to it. Returns whether there is such a row. */
  select(seq: number | undefined, options?: { readonly focus?: boolean; readonly reveal?: boolean }): boolean;
  reveal(seq: number): void;
  /** The next or previous record, among all records or those with evidence. */
  neighbour(seq: number | undefined, by: 1 | -1, evidenceOnly: boolean): number | undefined;
  update(): void;
  stop(): void;
}

const phone = matchMedia('screen and (max-width: 760px)');

/** The sequence diagram of a run: a row for each record. Only the visible rows are in the page. */
export function createDiagram(
  run: number,
  agent: string,
  { trace, indicators }: RunPart,
  coveredBelow: () => number,
): Diagram {
  const lanes = lanesOf(trace, agent);
  const bands = bandsOf(trace);
  const matched = new Map<number, number[]>();
  for (const [row, indicator] of trace.marks) matched.set(row, [...(matched.get(row) ?? []), indicator]);
  const items = itemsOf(trace.seq.length, trace.gaps);
  const itemOfRow = new Map<number, number>();
  for (const [item, { row }] of items.entries()) if (row !== undefined) itemOfRow.set(row, item);
  const rowOfSeq = new Map(trace.seq.map((seq, row) => [seq, row]));
  let selected: number | undefined;
  let focusWanted = false;

  const itemHeight = (): number => (phone.matches ? 48 : 32);
  const layer = h('div', { 'aria-hidden': 'true' });
  const list = h('ol', { class: 'rows', 'aria-label': 'Messages' });
  const head = h(
    'div',
    { class: 'lane-names', 'aria-hidden': 'true' },
    h(
      'div',
      { class: 'lanes' },
      lanes.names.map((name, lane) =>
        place(h('span', { class: lane === lanes.agent ? 'lane-name is-agent' : 'lane-name', title: name }, name), {
          left: `${lane * lanes.width}%`,
          width: `${lanes.width}%`,
        }),
      ),
    ),
  );
  const lines = h(
    'div',
    { class: 'lanes lifelines', 'aria-hidden': 'true' },
    lanes.names.map((_, lane) =>
      place(h('span', { class: lane === lanes.agent ? 'lifeline is-agent' : 'lifeline' }), {
        left: `${lanes.centre(lane)}%`,
      }),
    ),
    layer,
  );
  const body = h('div', { class: 'diagram-body' }, lines, list);
  const element = h('div', { class: 'diagram' }, arrowHeads(), head, body);
  // Scrolling to a row needs the full height before the rows are drawn.
  body.style.height = `${items.length * itemHeight()}px`;

  const view = createWindow({
    list,
    count: () => items.length,
    itemHeight,
    covered: () => [head.offsetHeight, coveredBelow()],
    item: (item) => itemElement(items[item] as Item, item),
    shown(from, to) {
      const height = itemHeight();
      body.style.height = `${items.length * height}px`;
      showBands(from, to, height);
      if (focusWanted) list.querySelector<HTMLElement>('.is-selected')?.focus({ preventScroll: true });
    },
  });

  let bandsShown = '';
  function showBands(from: number, to: number, height: number): void {
    const shown = bands.filter(
      (band) => (itemOfRow.get(band.from) ?? 0) < to && (itemOfRow.get(band.to) ?? items.length) > from,
    );
    const now = `${height} ${shown.map((band) => band.from)}`;
    if (now === bandsShown) return;
    bandsShown = now;
    layer.replaceChildren(...shown.map((band) => bandElement(band, height)));
  }

  function bandElement({ actor, from, to, odd }: Band, height: number): HTMLElement {
    const [first, last] = [itemOfRow.get(from) ?? 0, itemOfRow.get(to) ?? items.length];
    return place(h('span', { class: odd ? 'band is-odd' : 'band' }), {
      left: `${lanes.of(actor) * lanes.width}%`,
      width: `${lanes.width}%`,
      top: `${first * height}px`,
      height: `${(last - first) * height}px`,
    });
  }

  function itemElement({ row, leftOut }: Item, item: number): HTMLElement {
    const content = row === undefined ? gapElement(leftOut) : rowElement(row);
    const element = h('li', { 'aria-posinset': item + 1, 'aria-setsize': items.length }, content);
    return place(element, { top: `${item * itemHeight()}px` });
  }

  function gapElement(records: number): HTMLElement {
    return h('p', { class: 'gap' }, `⋯ ${plural(records, 'record is', 'records are')} in ${trace.file} only ⋯`);
  }

  function rowElement(row: number): HTMLElement {
    const kind: RowKind = rowKinds[trace.kind[row] ?? 0] ?? 'request';
    const own = matched.get(row) ?? [];
    const isMessage = (trace.kind[row] ?? 0) < rowKinds.indexOf('phase');
    const seq = trace.seq[row] ?? 0;
    const text = h('span', { class: 'text' });
    for (const indicator of own.slice(0, 3))
      text.append(h('span', { class: 'chip' }, indicators[indicator]?.id ?? ''), ' ');
    if (own.length > 3) text.append(h('span', { class: 'chip' }, `+${own.length - 3}`), ' ');
    // On a phone, a lane is too narrow for a name.
    if (isMessage && phone.matches) {
      plainText(text.appendChild(h('b')), methodOf(row));
      text.append(' ');
    }
    plainText(text, isMessage ? (trace.text[row] ?? '') : markerText(row, kind));
    const classes = ['row', `kind-${kind}`];
    if (own.length > 0) classes.push('has-evidence');
    if (seq === selected) classes.push('is-selected');
    return h(
      'a',
      {
        class: classes.join(' '),
        href: runLink(run, seq),
        tabindex: seq === selected || (selected === undefined && row === 0) ? '0' : '-1',
        'aria-current': seq === selected && 'true',
      },
      h('span', { class: 'time' }, offset(trace.ms[row] ?? 0)),
      h('span', { class: 'lanes' }, isMessage ? arrow(row, kind) : marker(row, kind)),
      text,
    );
  }

  const methodOf = (row: number): string => trace.methods[trace.method[row] ?? -1] ?? '';

  function markerText(row: number, kind: RowKind): string {
    const text = kind === 'phase' ? (trace.phases[trace.phase[row] ?? -1] ?? '') : (trace.text[row] ?? '');
    return text === '' ? spaced(kind) : `${spaced(kind)} ${text}`;
  }

  function arrow(row: number, kind: RowKind): readonly (HTMLElement | SVGElement)[] {
    const lane = lanes.of(trace.actor[row] ?? -1);
    const fromAgent = trace.fromAgent[row] === 1;
    const [start, end] = fromAgent ? [lanes.agent, lane] : [lane, lanes.agent];
    const [x1, x2] = [lanes.centre(start), lanes.centre(end)];
    const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)];
    const label = place(h('span', { class: 'method' }), { left: `${left}%`, width: `${right - left}%` });
    if (!phone.matches) plainText(label.appendChild(h('span')), methodOf(row));
    return [
      svg(
        'svg',
        { 'aria-hidden': 'true', class: fromAgent ? 'arrow is-agents' : 'arrow' },
        svg('line', {
          x1: `${x1}%`,
          x2: `${x2}%`,
          y1: '50%',
          y2: '50%',
          'marker-end': `url(#${fromAgent ? 'head-agent' : 'head-actor'})`,
        }),
      ),
      spoken(fromAgent ? `agent to ${lanes.names[lane]}, ${kind} ` : `${lanes.names[lane]} to agent, ${kind} `),
      label,
    ];
  }

  function marker(row: number, kind: RowKind): HTMLElement {
    const actor = trace.actor[row] ?? -1;
    const name = kind === 'phase' ? (trace.phases[trace.phase[row] ?? -1] ?? '') : spaced(kind);
    const label = h('span', { class: 'marker' }, h('span', {}, spoken(`${lanes.names[lanes.of(actor)]}, `), name));
    return place(label, { left: `${lanes.of(actor) * lanes.width}%`, width: `${lanes.width}%` });
  }

  return {
    element,
    select(seq, { focus = false, reveal = true } = {}) {
      selected = seq;
      focusWanted = focus;
      const row = seq === undefined ? undefined : rowOfSeq.get(seq);
      const item = row === undefined ? undefined : itemOfRow.get(row);
      if (item !== undefined && reveal) view.reveal(item);
      view.update();
      focusWanted = false;
      return item !== undefined;
    },
    reveal(seq) {
      const item = itemOfRow.get(rowOfSeq.get(seq) ?? -1);
      if (item !== undefined) view.reveal(item);
    },
    neighbour(seq, by, evidenceOnly) {
      const start = seq === undefined ? undefined : rowOfSeq.get(seq);
      if (!evidenceOnly) return trace.seq[start === undefined ? 0 : start + by];
      const rows = [...matched.keys()].sort((a, b) => (a - b) * by);
      const next = start === undefined ? rows[0] : rows.find((row) => (row - start) * by > 0);
      return next === undefined ? undefined : trace.seq[next];
    },
    update: view.update,
    stop: view.stop,
  };
}

interface Item {
  readonly row: number | undefined;
  readonly leftOut: number;
}

function itemsOf(rows: number, gaps: readonly (readonly [row: number, records: number])[]): readonly Item[] {
  const before = new Map(gaps);
  const items: Item[] = [];
  for (let row = 0; row <= rows; row++) {
    const leftOut = before.get(row);
    if (leftOut !== undefined) items.push({ row: undefined, leftOut });
    if (row < rows) items.push({ row, leftOut: 0 });
  }
  return items;
}

function arrowHeads(): SVGElement {
  const size = {
    markerWidth: 8,
    markerHeight: 8,
    refX: 8,
    refY: 4,
    orient: 'auto',
    markerUnits: 'userSpaceOnUse',
  };
  return svg(
    'svg',
    { class: 'heads', 'aria-hidden': 'true', width: 0, height: 0 },
    svg(
      'defs',
      {},
      svg('marker', { id: 'head-agent', ...size }, svg('path', { class: 'head is-agents', d: 'M0,0.5 L8,4 L0,7.5 Z' })),
      svg('marker', { id: 'head-actor', ...size }, svg('path', { class: 'head', d: 'M0,0.5 L8,4 L0,7.5 Z' })),
    ),
  );
}
