import { escapeInvisible } from '../format/model/escape-invisible.ts';
import { cropEnd, cropStart, measureWidth } from './text-width.ts';

export interface MarkedLine {
  readonly text: string;
  /** Carets that stand under the span when written on the next line. */
  readonly carets: string;
}

/** One line of hostile text with a marked span, cut to the available columns. */
export function markLine(line: string, from: number, to: number, columns: number): MarkedLine {
  // Only the part that can be shown is processed, however long the line is.
  const reach = 4 * columns;
  const tail = escapeInvisible(line.slice(to, to + reach));
  const hit = cropEnd(escapeInvisible(line.slice(from, Math.min(to, from + reach))), Math.max(columns - 2, 1));
  const room = columns - measureWidth(hit);
  const head = escapeInvisible(line.slice(Math.max(0, from - reach), from));
  const headRoom = Math.max(Math.min(measureWidth(head), room - Math.min(measureWidth(tail), Math.floor(room / 3))), 1);
  const before = head === '' ? '' : cropStart(head, headRoom);
  const after = tail === '' ? '' : cropEnd(tail, Math.max(room - measureWidth(before), 1));
  return {
    text: before + hit + after,
    carets: ' '.repeat(measureWidth(before)) + '^'.repeat(Math.max(measureWidth(hit), 1)),
  };
}
