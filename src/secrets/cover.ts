/** Replaces a text that looks like a secret. */
export const stars = '****';
/** Replaces a secret that was given. It is longer, so that a reader sees the difference. */
export const givenStars = '******';

/** A part of a text: from its first character to the one after its last. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** Finds secrets in a text. */
export interface Finder {
  readonly stars: string;
  /** The ranges of secrets that are not empty, from left to right, without overlap. */
  find(text: string): readonly Range[];
}

export interface MarkedText {
  readonly text: string;
  readonly spans: readonly TextSpan[];
}

/** The offsets of a marked span. */
export type TextSpan = readonly [from: number, to: number];

export function coverText(text: string, finder: Finder): string {
  return coverMarked({ text, spans: [] }, finder).text;
}

/** Masks the secrets in a text, and moves the spans so that they still mark the same parts. */
export function coverMarked(marked: MarkedText, finder: Finder): MarkedText {
  const { text, spans } = marked;
  const ranges = finder.find(text);
  if (ranges.length === 0) return marked;
  let covered = '';
  let end = 0;
  for (const { from, to } of ranges) {
    covered += text.slice(end, from) + finder.stars;
    end = to;
  }
  const size = finder.stars.length;
  return {
    text: covered + text.slice(end),
    spans: spans.map(([from, to]) => [moveOffset(from, ranges, size, 0), moveOffset(to, ranges, size, size)]),
  };
}

/** The new position of an offset. An offset inside a secret moves to the edge of the stars. */
function moveOffset(offset: number, ranges: readonly Range[], size: number, edge: number): number {
  let shift = 0;
  for (const { from, to } of ranges) {
    if (offset <= from) break;
    if (offset < to) return from + shift + edge;
    shift += size - (to - from);
  }
  return offset + shift;
}

/** Sorts ranges from left to right, and merges those that overlap. */
export function mergeRanges(ranges: readonly Range[]): readonly Range[] {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last !== undefined && range.from < last.to)
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else if (range.from < range.to) merged.push(range);
  }
  return merged;
}
