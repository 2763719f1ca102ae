import type { Diagnostic } from '../../../model/errors.ts';
import { visible } from '../../../report/visible.ts';
import type { Sink } from '../../io.ts';
import { count } from '../../reports/report.ts';

export function warningLine(diagnostic: Diagnostic, { colours }: Sink, file?: string): string {
  const { code, path = '', message } = diagnostic;
  const place = [file, visible(path)].filter(Boolean).map((part) => `${part}: `);
  return `oatf: ${colours.yellow('warning:')} ${place.join('')}${visible(message)} ${colours.dim(`(${code})`)}\n`;
}

/** The summary of several runs; empty for one. */
export function summary(lines: readonly string[], total: number, { colours }: Sink): string {
  if (total === 1) return '';
  const left = total - lines.length;
  return (
    `\n${colours.bold('Summary')}\n${lines.map((line) => `  ${line}`).join('')}` +
    `${left === 0 ? '' : `  ${colours.yellow(`${count(left, 'document', 'documents')} not run`)}\n`}`
  );
}

/** The paths of the results and the report. */
export function resultsLine(folder: string, { colours }: Sink): string {
  return `\n${colours.bold('Results')}  ${folder}\n${colours.bold('Report')}   ${folder}/report.html\n`;
}
