import type { Diagnostic } from '../../model/errors.ts';
import type { Sink } from '../io.ts';
import { count } from '../reports/report.ts';
import { visible } from '../terminal/visible.ts';

export function warningLine(diagnostic: Diagnostic, { colours }: Sink, file?: string): string {
  const { code, path = '', message } = diagnostic;
  const place = [file, visible(path)].filter(Boolean).map((part) => `${part}: `);
  return `oatf: ${colours.yellow('warning:')} ${place.join('')}${visible(message)} ${colours.dim(`(${code})`)}\n`;
}

/** What the whole came to, and where it is kept. */
export function summary(lines: readonly string[], total: number, folder: string, { colours }: Sink): string {
  const left = total - lines.length;
  const table =
    total === 1
      ? ''
      : `\n${colours.bold('Summary')}\n${lines.map((line) => `  ${line}`).join('')}` +
        `${left === 0 ? '' : `  ${colours.yellow(`${count(left, 'document', 'documents')} not run`)}\n`}`;
  return `${table}\n${colours.bold('Results')}  ${folder}\n`;
}
