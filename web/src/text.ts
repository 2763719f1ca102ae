import type { Line, LineMark } from '../../src/report/html/page-data.ts';
import { visible } from '../../src/report/visible.ts';
import { h, place, spoken } from './dom.ts';
import { plural } from './words.ts';

// Quotation marks and backslashes as JSON writes them; what is invisible or would turn the text around, spelt out.
const special = /["\\\n]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|[\u{e0100}-\u{e01ef}]/gu;

function escaped(character: string): string {
  const written = JSON.stringify(character).slice(1, -1);
  return written === character ? visible(character) : written;
}

/** Text as it stands in a JSON string, with its line breaks both written and made. */
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

/** Text outside of JSON: only what hides is spelt out. */
export function plainText(parent: Node, text: string): void {
  let end = 0;
  for (const { 0: character, index } of text.matchAll(special)) {
    if (character === '"' || character === '\\' || character === '\n' || character === '\t') continue;
    parent.appendChild(document.createTextNode(text.slice(end, index)));
    parent.appendChild(h('span', { class: 'escape' }, visible(character)));
    end = index + character.length;
  }
  parent.appendChild(document.createTextNode(text.slice(end)));
}

export type IndicatorName = (indicator: number) => string;

const deepestIndent = 24;

/** Formatted JSON, with evidence marked where it stands. */
export function jsonLines(lines: readonly Line[], nameOf: IndicatorName): HTMLElement {
  return h(
    'div',
    { class: 'json' },
    lines.map((line) => jsonLine(line, nameOf)),
  );
}

function jsonLine(line: Line, nameOf: IndicatorName): HTMLElement {
  const { depth, key, kind, text, comma, marks = [], cuts = [] } = line;
  const element = place(h('div', { class: 'line' }), {
    paddingInlineStart: `${Math.min(depth, deepestIndent) * 1.25 + 1}em`,
  });
  const whole = marks.filter(([from, to]) => from === to);
  const target = whole.length === 0 ? element : element.appendChild(markFor(whole[0] as LineMark, nameOf));
  if (key !== undefined) {
    const name = target.appendChild(h('span', { class: 'key' }));
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
      marks.filter(([from, to]) => from < to),
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

/** A string is taken apart wherever evidence begins or ends, or something was left out. */
function markedText(
  parent: Node,
  text: string,
  marks: readonly LineMark[],
  cuts: NonNullable<Line['cuts']>,
  nameOf: IndicatorName,
): void {
  const edges = new Set([0, text.length, ...marks.flat(), ...cuts.map(([at]) => at)]);
  const sorted = [...edges].sort((a, b) => a - b);
  for (const [index, from] of sorted.entries()) {
    const cut = cuts.find(([at]) => at === from);
    if (cut !== undefined)
      parent.appendChild(
        h('span', { class: 'note' }, ` ⋯ ${plural(cut[1], 'character', 'characters')} left out ⋯ `),
      );
    const to = sorted[index + 1];
    if (to === undefined) break;
    const mark = marks.find((each) => each[0] <= from && each[1] >= to);
    jsonText(mark === undefined ? parent : parent.appendChild(markFor(mark, nameOf)), text.slice(from, to));
  }
}

/** Evidence as it is quoted beside its indicator. */
export function quotedEvidence({
  text,
  from,
  to,
}: {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}) {
  const quote = h('blockquote', { class: 'evidence' });
  plainText(quote, text.slice(0, from));
  if (from < to) plainText(quote.appendChild(h('mark')), text.slice(from, to));
  plainText(quote, text.slice(to));
  return quote;
}
