import { describeWaiting } from '../../src/format/model/trace-record.ts';
import type { DocumentPart, RunPart } from '../../src/report/html/page-data.ts';
import { pieceKey, whyOf } from './coverage.ts';
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

/** The document as it was run, with linkable lines, its coverage, and its indicators marked. */
export function createSource(
  run: number,
  { lines, path }: DocumentPart,
  part: RunPart,
  document: DocumentPart,
): SourceView {
  const notes = notesOn(document, part);
  const marks = marksOn(document, part);
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
    const mark = marks.get(number);
    const classes = [number === selected ? 'is-selected' : '', mark === undefined ? '' : `has-${mark}`];
    const element = h(
      'li',
      { class: classes.join(' ').trim(), 'aria-current': number === selected && 'true' },
      link,
      code,
      (notes.get(number) ?? []).map(({ word, why }) => [
        badge(word),
        why !== undefined && h('span', { class: 'why dim' }, why),
      ]),
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

interface Note {
  readonly word: string;
  readonly why?: string | undefined;
}

/** Notes on a line: about the piece, the phase or the indicator that begins there. */
function notesOn({ pieces, indicators, actors }: DocumentPart, part: RunPart): ReadonlyMap<number, readonly Note[]> {
  const notes = new Map<number, Note[]>();
  const add = (line: number, note: Note): void => {
    const own = notes.get(line);
    if (own === undefined) notes.set(line, [note]);
    else if (!own.some(({ word, why }) => word === note.word && why === note.why)) own.push(note);
  };
  const covered = new Map((part.coverage?.pieces ?? []).map((piece) => [pieceKey(piece), piece]));
  for (const place of pieces) {
    const piece = covered.get(pieceKey(place));
    if (piece === undefined) continue;
    const { delivered, label } = piece;
    add(
      place.line,
      delivered ? { word: 'reached', why: label } : { word: 'not_reached', why: `${label}: ${whyOf(piece)}` },
    );
  }
  for (const [actor, { phases, phases_entered, waiting }] of Object.entries(part.delivery))
    for (const { name, line } of actors.find((each) => each.name === actor)?.phases ?? [])
      if (phases.includes(name) && !phases_entered.includes(name))
        add(line, { word: 'never_began', why: waiting && describeWaiting(waiting) });
  for (const { id, line } of indicators) {
    const own = part.indicators.find((each) => each.id === id);
    if (own !== undefined) add(line, { word: own.result, why: own.looked?.sentence });
  }
  return notes;
}

/** Coverage marks for the lines of pieces. A piece within another one marks its own lines. */
function marksOn({ pieces }: DocumentPart, part: RunPart): ReadonlyMap<number, 'reached' | 'not_reached'> {
  const covered = new Map((part.coverage?.pieces ?? []).map((piece) => [pieceKey(piece), piece.delivered]));
  const marks = new Map<number, 'reached' | 'not_reached'>();
  for (const place of [...pieces].sort((a, b) => b.end - b.line - (a.end - a.line))) {
    const delivered = covered.get(pieceKey(place));
    if (delivered === undefined) continue;
    for (let line = place.line; line <= place.end; line++) marks.set(line, delivered ? 'reached' : 'not_reached');
  }
  return marks;
}

const keyed = /^(\s*(?:- +)*)([\w.@/-]+)(:)(?= |$)/;

/** Colours keys and comments. More would need a YAML parser. */
function coloured(parent: HTMLElement, text: string): void {
  if (/^\s*#/.test(text)) {
    plainText(parent.appendChild(h('span', { class: 'comment' })), text);
    return;
  }
  const [whole = '', indent = '', key = '', colon = ''] = keyed.exec(text) ?? [];
  if (whole !== '') parent.append(indent, h('span', { class: 'key' }, key), colon);
  plainText(parent, text.slice(whole.length));
}
