import { escapeInvisible } from '../../src/format/model/escape-invisible.ts';
import type { LineMark, PageLine } from '../../src/report/html/page-data.ts';
import { h, place, spoken } from './dom.ts';
import { plural } from './words.ts';

// Quotation marks and backslashes are written as in JSON. Invisible characters, and those that reverse the text, are
// spelt out.
const special = /["\\\n]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|[\u{e0100}-\u{e01ef}]/gu;

function escaped(character: string): string {
  const written = JSON.stringify(character).slice(1, -1);
  return written === character ? escapeInvisible(character) : written;
}

/** Text as it stands in a JSON string. Line breaks are both spelt out and shown. */
function jsonText(parent: Node, text: string): void {
  let end = 0;
  for (const { 0: character, index } of text.matchAll(special)) {
    if (index > end) parent.appendChild(document.createTextNode(text.slice(end, index)));
    parent.appendChild(h('span', { class: 'escape' }, escaped(character)));
    if (character === '\n') parent.appendChild(document.createTextNode('\n'));
    end = index + character.length;
  }
  if (end < text.length) parent.appendChild(document.createTextNode(text.slice(end)));
}

/** Text outside JSON: only hidden characters are spelt out. */
export function plainText(parent: Node, text: string): void {
  let end = 0;
  for (const { 0: character, index } of text.matchAll(special)) {
    if (character === '"' || character === '\\' || character === '\n' || character === '\t') continue;
    parent.appendChild(document.createTextNode(text.slice(end, index)));
    parent.appendChild(h('span', { class: 'escape' }, escapeInvisible(character)));
    end = index + character.length;
  }
  parent.appendChild(document.createTextNode(text.slice(end)));
}

export type IndicatorName = (indicator: number) => string;

const deepestIndent = 24;
/** A longer text that matched as a whole is not marked: the mark would cover everything. */
const longestWhole = 80;

/** Formatted JSON with its evidence marked. */
export function jsonLines(lines: readonly PageLine[], nameOf: IndicatorName): HTMLElement {
  return h(
    'div',
    { class: 'json' },
    lines.map((line) => jsonLine(line, nameOf)),
  );
}

function jsonLine(line: PageLine, nameOf: IndicatorName): HTMLElement {
  const { depth, key, kind, text, comma, marks = [], cuts = [] } = line;
  const element = place(h('div', { class: 'line' }), {
    paddingInlineStart: `${Math.min(depth, deepestIndent) * 1.25 + 1}em`,
  });
  const isWhole = ([from, to]: LineMark): boolean => from === to || (from === 0 && to >= text.length);
  const isLong = kind === 'text' && text.length > longestWhole;
  const [whole] = marks.filter((mark) => mark[0] === mark[1] || (isLong && isWhole(mark)));
  const marked = whole === undefined ? element : element.appendChild(markFor(whole, nameOf));
  // If a long text matched as a whole, its key is marked instead.
  const target = isLong && key !== undefined ? element : marked;
  if (key !== undefined) {
    const name = marked.appendChild(h('span', { class: 'key' }));
    name.append('"');
    jsonText(name, key);
    name.append('"');
    target.appendChild(document.createTextNode(': '));
  }
  if (kind !== 'text') target.appendChild(h('span', { class: kind }, kind === 'note' ? `⋯ ${text} ⋯` : text));
  else {
    const value = target.appendChild(h('span', { class: 'string' }));
    value.append('"');
    markedText(
      value,
      text,
      marks.filter((mark) => mark[0] < mark[1] && !(isLong && isWhole(mark))),
      cuts,
      nameOf,
    );
    value.append('"');
  }
  if (comma) element.append(',');
  return element;
}

function markFor([, , indicator]: LineMark, nameOf: IndicatorName): HTMLElement {
  const name = nameOf(indicator);
  return h('mark', { title: `evidence of ${name}` }, spoken(`evidence of ${name}: `));
}

/** Splits a string wherever evidence begins or ends, or text was cut. */
function markedText(
  parent: Node,
  text: string,
  marks: readonly LineMark[],
  cuts: NonNullable<PageLine['cuts']>,
  nameOf: IndicatorName,
): void {
  const edges = new Set([0, text.length, ...marks.flat(), ...cuts.map(([at]) => at)]);
  const sorted = [...edges].sort((a, b) => a - b);
  for (const [index, from] of sorted.entries()) {
    const cut = cuts.find(([at]) => at === from);
    if (cut !== undefined)
      parent.appendChild(h('span', { class: 'note' }, ` ⋯ ${plural(cut[1], 'character', 'characters')} left out ⋯ `));
    const to = sorted[index + 1];
    if (to === undefined) break;
    const mark = marks.find((each) => each[0] <= from && each[1] >= to);
    jsonText(mark === undefined ? parent : parent.appendChild(markFor(mark, nameOf)), text.slice(from, to));
  }
}

/** The number of characters quoted before and after a match. */
const around = { whole: [160, 240], brief: [60, 120] } as const;

/** The quote of evidence beside its indicator: the match and the text around it. */
export function quotedEvidence(
  { text, from, to }: { readonly text: string; readonly from: number; readonly to: number },
  room: keyof typeof around = 'whole',
): HTMLElement {
  const quote = h('blockquote', { class: 'evidence' });
  const isWhole = from === 0 && to >= text.length && text.length > longestWhole;
  const [start, end] = isWhole ? [0, 0] : [from, to];
  const [before, after] = around[room];
  const [first, last] = [Math.max(0, start - before), Math.min(text.length, end + after)];
  if (first > 0) quote.append('…');
  plainText(quote, text.slice(first, start));
  if (start < end) plainText(quote.appendChild(h('mark')), text.slice(start, end));
  plainText(quote, text.slice(end, last));
  if (last < text.length) quote.append('…');
  return quote;
}
