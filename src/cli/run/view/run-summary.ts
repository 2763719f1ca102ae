import type { Diagnostic } from '../../../format/model/errors.ts';
import { escapeInvisible } from '../../../format/model/escape-invisible.ts';
import { count } from '../../../report/count-text.ts';
import type { Sink } from '../../io.ts';

export function formatWarning(diagnostic: Diagnostic, { colours }: Sink, file?: string): string {
  const { code, path = '', message } = diagnostic;
  const place = [file, escapeInvisible(path)].filter(Boolean).map((part) => `${part}: `);
  return `oatf: ${colours.yellow('warning:')} ${place.join('')}${escapeInvisible(message)} ${colours.dim(`(${code})`)}\n`;
}

/** The summary of several runs; empty for one. */
export function formatRunSummary(lines: readonly string[], total: number, { colours }: Sink): string {
  if (total === 1) return '';
  const left = total - lines.length;
  return (
    `\n${colours.bold('Summary')}\n${lines.map((line) => `  ${line}`).join('')}` +
    `${left === 0 ? '' : `  ${colours.yellow(`${count(left, 'document', 'documents')} not run`)}\n`}`
  );
}

export function formatResultsPaths(folder: string, { colours }: Sink): string {
  return `\n${colours.bold('Results')}  ${folder}\n${colours.bold('Report')}   ${folder}/report.html\n`;
}
