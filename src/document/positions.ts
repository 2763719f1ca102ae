import type { SourcePosition, SourceRange } from '../model/errors.ts';

export type Positions = (from: number, to: number) => SourceRange;

/** Turns offsets into lines and columns; the table of line starts is made on first use. */
export function positionsIn(text: string): Positions {
  let starts: number[] | undefined;
  const at = (offset: number): SourcePosition => {
    starts ??= lineStarts(text);
    const line = lastAtOrBefore(starts, offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1, offset };
  };
  return (from, to) => ({ start: at(from), end: at(Math.max(from, to)) });
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lastAtOrBefore(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
