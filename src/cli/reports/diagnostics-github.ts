import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { type Annotation, formatAnnotations } from '../../report/annotations.ts';
import { type CheckedDocument, type DiagnosticReport, formatDiagnosticSentence } from './diagnostics-text.ts';

export function createGithubReport(): DiagnosticReport {
  return { document: (checked) => formatAnnotations(toAnnotations(checked)), end: () => '' };
}

function toAnnotations({ file, diagnostics, unreadable }: CheckedDocument): readonly Annotation[] {
  const notRead: readonly Annotation[] =
    unreadable === undefined ? [] : [{ level: 'error', file, title: 'oatf', message: unreadable }];
  const found = diagnostics.map((diagnostic): Annotation => {
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
  return [...notRead, ...found];
}
