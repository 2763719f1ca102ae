import { escapeInvisible } from '../format/model/escape-invisible.ts';
import type { Sink } from './io.ts';

interface Edit {
  readonly mark: ' ' | '-' | '+';
  readonly line: string;
}

const context = 3;

/** A diff in the format of `diff -u`, for reading; control characters are made visible. Empty for equal texts. */
export function formatUnifiedDiff(
  name: string,
  before: string,
  after: string,
  { colours }: Pick<Sink, 'colours'>,
): string {
  if (before === after) return '';
  const edits = findEdits(splitDiffLines(before), splitDiffLines(after));
  const hunks = groupHunks(edits).map(({ from, to, oldStart, newStart }) => {
    const hunk = edits.slice(from, to);
    const olds = hunk.filter(({ mark }) => mark !== '+').length;
    const news = hunk.filter(({ mark }) => mark !== '-').length;
    const head = colours.cyan(`@@ -${oldStart},${olds} +${newStart},${news} @@`);
    const body = hunk.map(({ mark, line }) => {
      const text = `${mark}${escapeInvisible(line, '\t\n')}`;
      return mark === '-' ? colours.red(text) : mark === '+' ? colours.green(text) : text;
    });
    return `${[head, ...body].join('\n')}\n`;
  });
  return `${colours.bold(`--- ${name}`)}\n${colours.bold(`+++ ${name}`)}\n${hunks.join('')}`;
}

function splitDiffLines(text: string): readonly string[] {
  const lines = text.split('\n');
  const last = lines.pop();
  return last === '' || last === undefined ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly oldStart: number;
  readonly newStart: number;
}

function groupHunks(edits: readonly Edit[]): readonly Hunk[] {
  const spans: { from: number; to: number }[] = [];
  edits.forEach(({ mark }, index) => {
    if (mark === ' ') return;
    const last = spans.at(-1);
    const from = Math.max(0, index - context);
    const to = Math.min(edits.length, index + context + 1);
    if (last !== undefined && from <= last.to) last.to = to;
    else spans.push({ from, to });
  });
  let [at, oldLine, newLine] = [0, 1, 1];
  return spans.map(({ from, to }) => {
    for (; at < from; at++) {
      if (edits[at]?.mark !== '+') oldLine += 1;
      if (edits[at]?.mark !== '-') newLine += 1;
    }
    return { from, to, oldStart: oldLine, newStart: newLine };
  });
}

/** The shortest edit script for the lines between the common start and end, within bounds. */
export function findEdits(before: readonly string[], after: readonly string[]): readonly Edit[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let [oldEnd, newEnd] = [before.length, after.length];
  while (oldEnd > start && newEnd > start && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  const same = (line: string): Edit => ({ mark: ' ', line });
  return [
    ...before.slice(0, start).map(same),
    ...findShortestEdits(before.slice(start, oldEnd), after.slice(start, newEnd)),
    ...before.slice(oldEnd).map(same),
  ];
}

/** With more edits a diff is no longer readable, and finding the shortest one is expensive. */
const mostEdits = 1_000;

// Myers, "An O(ND) Difference Algorithm": the furthest old line reached on each diagonal, per number of edits.
function findShortestEdits(before: readonly string[], after: readonly string[]): readonly Edit[] {
  const most = Math.min(before.length + after.length, mostEdits);
  const size = 2 * most + 3;
  const origin = most + 1;
  let reach = new Int32Array(size);
  const history: Int32Array[] = [];
  for (let edits = 0; edits <= most; edits++) {
    history.push(reach.slice());
    for (let k = -edits; k <= edits; k += 2) {
      let x = isDownStep(reach, origin, k, edits)
        ? readReach(reach, origin + k + 1)
        : readReach(reach, origin + k - 1) + 1;
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x += 1;
      reach[origin + k] = x;
      if (x >= before.length && x - k >= after.length) return backtrack(before, after, history, origin);
    }
    reach = reach.slice();
  }
  return [...before.map((line): Edit => ({ mark: '-', line })), ...after.map((line): Edit => ({ mark: '+', line }))];
}

function readReach(reach: Int32Array, index: number): number {
  return reach[index] ?? 0;
}

function isDownStep(reach: Int32Array, origin: number, k: number, edits: number): boolean {
  return k === -edits || (k !== edits && readReach(reach, origin + k - 1) < readReach(reach, origin + k + 1));
}

function backtrack(
  before: readonly string[],
  after: readonly string[],
  history: readonly Int32Array[],
  origin: number,
): readonly Edit[] {
  const script: Edit[] = [];
  let [x, y] = [before.length, after.length];
  for (let edits = history.length - 1; edits >= 0; edits--) {
    const reach = history[edits] as Int32Array;
    const k = x - y;
    const previous = isDownStep(reach, origin, k, edits) ? k + 1 : k - 1;
    const fromX = edits === 0 ? 0 : readReach(reach, origin + previous);
    const fromY = edits === 0 ? 0 : fromX - previous;
    while (x > fromX && y > fromY) {
      script.push({ mark: ' ', line: before[--x] ?? '' });
      y -= 1;
    }
    if (edits === 0) break;
    if (x === fromX) script.push({ mark: '+', line: after[--y] ?? '' });
    else script.push({ mark: '-', line: before[--x] ?? '' });
  }
  return script.reverse();
}
