import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { type Annotation, formatAnnotations } from '../../report/annotations.ts';
import {
  type CheckedDocument,
  type DiagnosticReport,
  formatDiagnosticSentence,
  limitDiagnostics,
} from './diagnostics-text.ts';

export function createGithubReport(): DiagnosticReport {
  return { document: (checked) => formatAnnotations(toAnnotations(checked)), end: () => '' };
}

function toAnnotations({ file, diagnostics, unreadable }: CheckedDocument): readonly Annotation[] {
  const notRead: readonly Annotation[] =
    unreadable === undefined ? [] : [{ level: 'error', file, title: 'oatf', message: unreadable }];
  const { listed, notice } = limitDiagnostics(diagnostics);
  const found = listed.map((diagnostic): Annotation => {
    const { severity, code, hint, range } = diagnostic;
    const { start, end } = range;
    return {
      level: severity,
      file,
      line: start.line,
      column: start.column,
      endLine: end.line,
      endColumn: end.column,
      title: `oatf ${code}`,
      message:
        escapeInvisible(formatDiagnosticSentence(diagnostic)) +
        (hint === undefined ? '' : `\nhint: ${escapeInvisible(hint)}`),
    };
  });
  const rest: readonly Annotation[] =
    notice === undefined ? [] : [{ level: 'warning', file, title: 'oatf', message: notice }];
  return [...notRead, ...found, ...rest];
}
