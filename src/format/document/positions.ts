import type { SourcePosition, SourceRange } from '../model/errors.ts';

export type Positions = (from: number, to: number) => SourceRange;

/** Converts offsets to lines and columns. The table of line starts grows only as far as needed. */
export function createPositions(text: string): Positions {
  const starts = [0];
  let end = text.indexOf('\n');
  const at = (offset: number): SourcePosition => {
    for (; end >= 0 && end < offset; end = text.indexOf('\n', end + 1)) starts.push(end + 1);
    const line = findLastStart(starts, offset);
    return { line: line + 1, column: offset - (starts[line] ?? 0) + 1, offset };
  };
  return (from, to) => ({ start: at(from), end: at(Math.max(from, to)) });
}

function findLastStart(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
