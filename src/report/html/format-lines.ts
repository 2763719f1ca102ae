import { stringifyJson } from '../../format/model/json-text-values.ts';
import { isCollection, isValueMap, type Value, type ValueMap } from '../../format/model/value.ts';
import type { MarkedText, Redactor } from '../../secrets/redactor.ts';
import type { LineMark, PageLine } from './page-data.ts';
import type { EvidenceSpan } from './row-marks.ts';

export interface IndicatorSpan extends EvidenceSpan {
  readonly indicator: number;
}

/** The most lines of one message. */
const mostLines = 2_000;
/** The most characters of one message, over all its strings. */
const mostCharacters = 60_000;
const deepest = 60;
/** The parts of a long string that are shown: its beginning, its end, and this much on both sides of evidence. */
const keptParts = { start: 4_000, end: 500, around: 1_000 };

/** The key of a value. An item of a list has no key of its own, but `about` holds the key of its list. */
interface Name {
  readonly key?: string;
  readonly about: string;
}

/** Formats a value as lines of JSON: masked, cut to size, with its evidence marked. */
export function formatLines(value: Value, marked: readonly IndicatorSpan[], redactor: Redactor): readonly PageLine[] {
  const lines: PageLine[] = [];
  let room = mostCharacters;

  function push(line: PageLine): void {
    lines.push(line);
    room -= line.text.length + (line.key?.length ?? 0);
  }

  function visit(
    item: Value,
    { key, about }: Name,
    spans: readonly IndicatorSpan[],
    depth: number,
    comma: boolean,
  ): void {
    const own = spans.length === 0 ? spans : spans.filter(({ path }) => path.length === depth);
    const base = {
      depth,
      ...(key !== undefined && { key: redactor.text(key) }),
      ...(comma && { comma: true as const }),
    };
    const whole = own.filter(({ from, to }) => from === to).map(({ indicator }): LineMark => [0, 0, indicator]);
    if (typeof item === 'string') {
      pushText(item, about, own, whole, base);
      return;
    }
    const wholeMarks = whole.length > 0 && { marks: whole };
    if (!isCollection(item)) {
      const { text } = redactor.named(about, stringifyJson(item), []);
      push({ ...base, kind: 'word', text, ...wholeMarks });
      return;
    }
    visitItems(item, spans, { ...base, ...wholeMarks }, depth, about);
  }

  function pushText(
    item: string,
    about: string,
    own: readonly IndicatorSpan[],
    whole: readonly LineMark[],
    base: Pick<PageLine, 'depth' | 'key' | 'comma'>,
  ): void {
    const inner = own.filter(({ from, to }) => from < to);
    const masked = redactor.named(
      about,
      item,
      inner.map(({ from, to }) => [Math.min(from, item.length), Math.min(to, item.length)]),
    );
    const { text, spans, cuts } = shortenLine(masked, Math.max(room, 200));
    const marks = [...spans.map(([from, to], index): LineMark => [from, to, inner[index]?.indicator ?? 0]), ...whole];
    push({
      ...base,
      kind: 'text',
      text,
      ...(marks.length > 0 && { marks }),
      ...(cuts.length > 0 && { cuts }),
    });
  }

  function visitItems(
    item: readonly Value[] | ValueMap,
    spans: readonly IndicatorSpan[],
    base: Pick<PageLine, 'depth' | 'key' | 'comma' | 'marks'>,
    depth: number,
    about: string,
  ): void {
    const { comma: _none, ...opening } = base;
    const isMap = isValueMap(item);
    const [open, close] = isMap ? ['{', '}'] : ['[', ']'];
    const keys = isMap ? Object.keys(item) : [...item.keys()];
    if (keys.length === 0 || depth >= deepest) {
      push({ ...base, kind: 'mark', text: keys.length === 0 ? `${open}${close}` : `${open} … ${close}` });
      return;
    }
    push({ ...opening, kind: 'mark', text: open });
    let leftOut = 0;
    for (const [index, key] of keys.entries()) {
      const below = spans.length === 0 ? spans : spans.filter(({ path }) => path.length > depth && path[depth] === key);
      // Evidence is shown even when the limits are reached.
      if (below.length === 0 && (room <= 0 || lines.length >= mostLines)) {
        leftOut += 1;
        continue;
      }
      const child = (isMap ? item[key as string] : item[key as number]) as Value;
      const own = isMap ? { key: String(key), about: String(key) } : { about };
      visit(child, own, below, depth + 1, index < keys.length - 1);
    }
    if (leftOut > 0) lines.push({ depth: depth + 1, kind: 'note', text: `${leftOut} more left out` });
    lines.push({ depth, kind: 'mark', text: close, ...(base.comma && { comma: true }) });
  }

  visit(value, { about: '' }, marked, 0, false);
  return lines;
}

interface Shortened extends MarkedText {
  readonly cuts: readonly (readonly [at: number, characters: number])[];
}

/** Cuts out the middle of a string that is too long, but keeps the text around evidence. */
export function shortenLine({ text, spans }: MarkedText, room: number): Shortened {
  if (text.length <= Math.min(room, keptParts.start * 4)) return { text, spans, cuts: [] };
  const start = Math.min(keptParts.start, room);
  const kept = [
    [0, start],
    ...spans.flatMap(([from, to]) => [
      [from - keptParts.around, Math.min(to, from + keptParts.start) + keptParts.around],
      [to - keptParts.around, to + keptParts.around],
    ]),
    [text.length - Math.min(keptParts.end, start), text.length],
  ]
    .map(([from = 0, to = 0]) => [Math.max(0, from), Math.min(text.length, to)] as const)
    .sort((a, b) => a[0] - b[0]);
  let result = '';
  let end = 0;
  const cuts: [number, number][] = [];
  const moves: { readonly from: number; readonly shift: number }[] = [];
  for (const [from, to] of kept) {
    if (to <= end) continue;
    // Cutting a gap of a few characters saves nothing.
    const begin = from - end < 100 ? end : from;
    if (begin > end) {
      cuts.push([result.length, begin - end]);
      moves.push({ from: begin, shift: result.length - begin });
    }
    result += text.slice(begin, to);
    end = to;
  }
  const moved = (offset: number): number => {
    const shift = moves.findLast(({ from }) => from <= offset)?.shift ?? 0;
    return Math.min(result.length, offset + shift);
  };
  return { text: result, spans: spans.map(([from, to]) => [moved(from), moved(to)]), cuts };
}
