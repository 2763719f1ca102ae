import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import type { Sink } from '../io.ts';
import { formatCodeFrame } from '../terminal/code-frame.ts';
import {
  type CheckedDocument,
  count,
  type DiagnosticReport,
  type DiagnosticSummary,
  formatDiagnosticSentence,
  type ReportOptions,
} from './diagnostic-report.ts';

export function createTextReport({ sink, quiet }: ReportOptions): DiagnosticReport {
  let firstCode: string | undefined;
  return {
    document(checked) {
      firstCode ??= checked.diagnostics[0]?.code;
      return describeProblems(checked, sink);
    },
    end(summary) {
      if (quiet) return '';
      const more = sink.isTTY && firstCode !== undefined ? `oatf explain ${firstCode} says more\n` : '';
      return `${summarizeDiagnostics(summary, sink)}\n${sink.colours.dim(more)}`;
    },
  };
}

/** Each diagnostic: `file:line:column`, the lines around it, and a hint. */
export function describeProblems({ file, text, diagnostics }: CheckedDocument, sink: Sink): string {
  const { colours, columns } = sink;
  const lines = diagnostics.length === 0 ? [] : text.split('\n');
  return diagnostics
    .map((diagnostic) => {
      const { severity, code, hint, range } = diagnostic;
      const place = colours.bold(`${file}:${range.start.line}:${range.start.column}:`);
      const word = severity === 'error' ? colours.red('error:') : colours.yellow('warning:');
      const frame = text === '' ? '' : formatCodeFrame(lines, range, columns, colours);
      return (
        `${place} ${word} ${escapeInvisible(formatDiagnosticSentence(diagnostic))} ${colours.dim(`(${code})`)}\n${frame}` +
        `${hint === undefined ? '' : `  ${colours.cyan('hint:')} ${escapeInvisible(hint)}\n`}\n`
      );
    })
    .join('');
}

function summarizeDiagnostics({ files, errors, warnings, unreadable }: DiagnosticSummary, { colours }: Sink): string {
  const parts = [
    count(files, 'file', 'files'),
    ...(unreadable > 0 ? [colours.red(`${unreadable} not readable`)] : []),
    ...(errors > 0 ? [colours.red(count(errors, 'error', 'errors'))] : []),
    ...(warnings > 0 ? [colours.yellow(count(warnings, 'warning', 'warnings'))] : []),
  ];
  return parts.length === 1 ? `${parts[0]}, ${colours.green('no problems')}` : parts.join(', ');
}
