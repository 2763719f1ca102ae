import { visible } from './visible.ts';
import { crop, cropStart, widthOf } from './width.ts';

export interface MarkedLine {
  readonly text: string;
  /** Carets that stand under the span when written on the next line. */
  readonly carets: string;
}

/** One line of hostile text with a marked span, cut to the available columns. */
export function markLine(line: string, from: number, to: number, columns: number): MarkedLine {
  // Only the part that can be shown is processed, however long the line is.
  const reach = 4 * columns;
  const tail = visible(line.slice(to, to + reach));
  const hit = crop(visible(line.slice(from, Math.min(to, from + reach))), Math.max(columns - 2, 1));
  const room = columns - widthOf(hit);
  const head = visible(line.slice(Math.max(0, from - reach), from));
  const headRoom = Math.max(Math.min(widthOf(head), room - Math.min(widthOf(tail), Math.floor(room / 3))), 1);
  const before = head === '' ? '' : cropStart(head, headRoom);
  const after = tail === '' ? '' : crop(tail, Math.max(room - widthOf(before), 1));
  return {
    text: before + hit + after,
    carets: ' '.repeat(widthOf(before)) + '^'.repeat(Math.max(widthOf(hit), 1)),
  };
}
