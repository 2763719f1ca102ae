import type { SourceRange } from '../../format/model/errors.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { markLine } from '../../report/marked-line.ts';
import { cropEnd } from '../../report/text-width.ts';
import type { Colours } from '../io.ts';

const linesBefore = 2;
const tabWidth = 2;

/** The lines around a range in a text, with carets under it. */
export function formatCodeFrame(
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
    const text = cropEnd(escapeInvisible(replaceTabs(lines[number - 1] ?? '').slice(0, 4 * columns)), room);
    frame.push(colours.dim(`  ${String(number).padStart(gutter)} | ${text}`.trimEnd()));
  }
  const line = (lines[start.line - 1] ?? '').replace(/\r$/, '');
  const to = end.line === start.line ? end.column - 1 : line.length;
  const before = replaceTabs(line.slice(0, start.column - 1));
  const hit = replaceTabs(line.slice(start.column - 1, to));
  const { text, carets } = markLine(
    before + hit + replaceTabs(line.slice(to)),
    before.length,
    before.length + hit.length,
    room,
  );
  frame.push(`${colours.red('>')} ${String(start.line).padStart(gutter)} | ${text}`.trimEnd());
  frame.push(`  ${' '.repeat(gutter)} | ${colours.red(carets)}`);
  return `${frame.join('\n')}\n`;
}

function replaceTabs(text: string): string {
  return text.replaceAll('\t', ' '.repeat(tabWidth)).replace(/\r$/, '');
}
