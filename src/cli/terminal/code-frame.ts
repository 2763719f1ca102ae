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
  // A line may be the whole document, and have thousands of problems, so only the part that can be shown is processed.
  const reach = 4 * columns;
  const frame: string[] = [];
  for (let number = Math.max(1, start.line - linesBefore); number < start.line; number++) {
    const text = cropEnd(escapeInvisible(replaceTabs(dropReturn(lines[number - 1] ?? '').slice(0, reach))), room);
    frame.push(colours.dim(`  ${String(number).padStart(gutter)} | ${text}`.trimEnd()));
  }
  const line = dropReturn(lines[start.line - 1] ?? '');
  const to = end.line === start.line ? end.column - 1 : line.length;
  const from = start.column - 1;
  const before = replaceTabs(line.slice(Math.max(0, from - reach), from));
  const hit = replaceTabs(line.slice(from, Math.min(to, from + reach)));
  const { text, carets } = markLine(
    before + hit + replaceTabs(line.slice(to, to + reach)),
    before.length,
    before.length + hit.length,
    room,
  );
  frame.push(`${colours.red('>')} ${String(start.line).padStart(gutter)} | ${text}`.trimEnd());
  frame.push(`  ${' '.repeat(gutter)} | ${colours.red(carets)}`);
  return `${frame.join('\n')}\n`;
}

function replaceTabs(text: string): string {
  return text.replaceAll('\t', ' '.repeat(tabWidth));
}

function dropReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
