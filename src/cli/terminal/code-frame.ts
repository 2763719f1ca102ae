import type { SourceRange } from '../../model/errors.ts';
import { markLine } from '../../report/marked-line.ts';
import { visible } from '../../report/visible.ts';
import { crop } from '../../report/width.ts';
import type { Colours } from '../io.ts';

const linesBefore = 2;
const tabWidth = 2;

/** The lines around a range in a text, with carets under it. */
export function codeFrame(
  lines: readonly string[],
  range: SourceRange,
  columns: number,
  colours: Colours,
): string {
  const { start, end } = range;
  const gutter = String(start.line).length;
  const room = columns - gutter - 5;
  const frame: string[] = [];
  for (let number = Math.max(1, start.line - linesBefore); number < start.line; number++) {
    const text = crop(visible(untab(lines[number - 1] ?? '').slice(0, 4 * columns)), room);
    frame.push(colours.dim(`  ${String(number).padStart(gutter)} | ${text}`.trimEnd()));
  }
  const line = (lines[start.line - 1] ?? '').replace(/\r$/, '');
  const to = end.line === start.line ? end.column - 1 : line.length;
  const before = untab(line.slice(0, start.column - 1));
  const hit = untab(line.slice(start.column - 1, to));
  const { text, carets } = markLine(
    before + hit + untab(line.slice(to)),
    before.length,
    before.length + hit.length,
    room,
  );
  frame.push(`${colours.red('>')} ${String(start.line).padStart(gutter)} | ${text}`.trimEnd());
  frame.push(`  ${' '.repeat(gutter)} | ${colours.red(carets)}`);
  return `${frame.join('\n')}\n`;
}

function untab(text: string): string {
  return text.replaceAll('\t', ' '.repeat(tabWidth)).replace(/\r$/, '');
}
