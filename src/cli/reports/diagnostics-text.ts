import type { LocatedDiagnostic } from '../../format/model/errors.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { count } from '../../report/count-text.ts';
import type { Sink } from '../io.ts';
import { formatCodeFrame } from '../terminal/code-frame.ts';

export interface CheckedDocument {
  readonly file: string;
  readonly text: string;
  readonly diagnostics: readonly LocatedDiagnostic[];
  /** The reason why it could not be read. */
  readonly unreadable?: string;
}

export interface DiagnosticSummary {
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  readonly unreadable: number;
}

/** A report writes as each document is checked, and once more at the end. */
export interface DiagnosticReport {
  document(checked: CheckedDocument): string;
  end(summary: DiagnosticSummary): string;
}

export interface ReportOptions {
  readonly sink: Sink;
  readonly quiet: boolean;
}

export function isErrorDiagnostic({ severity }: LocatedDiagnostic): boolean {
  return severity === 'error';
}

/** A document that is one long line of mistakes may have tens of thousands. */
const mostListed = 1_000;

/** The diagnostics that a report lists, errors first if there are too many, and what it says of the others. */
export function limitDiagnostics(diagnostics: readonly LocatedDiagnostic[]): {
  readonly listed: readonly LocatedDiagnostic[];
  readonly omitted: number;
  readonly notice: string | undefined;
} {
  const omitted = diagnostics.length - mostListed;
  if (omitted <= 0) return { listed: diagnostics, omitted: 0, notice: undefined };
  const kept = new Set(
    [...diagnostics].sort((a, b) => Number(isErrorDiagnostic(b)) - Number(isErrorDiagnostic(a))).slice(0, mostListed),
  );
  const notice = `${count(omitted, 'more problem is', 'more problems are')} not listed; a report lists ${mostListed} for a document, errors first`;
  return { listed: diagnostics.filter((each) => kept.has(each)), omitted, notice };
}

export function formatDiagnosticSentence({ path, message }: LocatedDiagnostic): string {
  return path === '' ? message : `${path}: ${message}`;
}

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
  const { listed, notice } = limitDiagnostics(diagnostics);
  const problems = listed
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
  return notice === undefined ? problems : `${problems}${file}: ${notice}\n\n`;
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
