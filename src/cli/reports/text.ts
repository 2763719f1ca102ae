import { visible } from '../../report/visible.ts';
import type { Sink } from '../io.ts';
import { codeFrame } from '../terminal/code-frame.ts';
import {
  type CheckedDocument,
  count,
  type Report,
  type ReportOptions,
  type Summary,
  sentenceOf,
} from './report.ts';

export function textReport({ sink, quiet }: ReportOptions): Report {
  let firstCode: string | undefined;
  return {
    document(checked) {
      firstCode ??= checked.diagnostics[0]?.code;
      return describeProblems(checked, sink);
    },
    end(summary) {
      if (quiet) return '';
      const more = sink.isTTY && firstCode !== undefined ? `oatf explain ${firstCode} says more\n` : '';
      return `${summarize(summary, sink)}\n${sink.colours.dim(more)}`;
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
      const frame = text === '' ? '' : codeFrame(lines, range, columns, colours);
      return (
        `${place} ${word} ${visible(sentenceOf(diagnostic))} ${colours.dim(`(${code})`)}\n${frame}` +
        `${hint === undefined ? '' : `  ${colours.cyan('hint:')} ${visible(hint)}\n`}\n`
      );
    })
    .join('');
}

function summarize({ files, errors, warnings, unreadable }: Summary, { colours }: Sink): string {
  const parts = [
    count(files, 'file', 'files'),
    ...(unreadable > 0 ? [colours.red(`${unreadable} not readable`)] : []),
    ...(errors > 0 ? [colours.red(count(errors, 'error', 'errors'))] : []),
    ...(warnings > 0 ? [colours.yellow(count(warnings, 'warning', 'warnings'))] : []),
  ];
  return parts.length === 1 ? `${parts[0]}, ${colours.green('no problems')}` : parts.join(', ');
}
