import { visible } from '../terminal/visible.ts';
import { type Report, sentenceOf } from './report.ts';

/** Workflow commands: GitHub shows them as annotations on the lines that they name. */
export function githubReport(): Report {
  return {
    document: ({ file, diagnostics, unreadable }) =>
      (unreadable === undefined ? '' : command('error', { file, title: 'oatf' }, unreadable)) +
      diagnostics
        .map((diagnostic) => {
          const { severity, code, hint, range } = diagnostic;
          const { start, end } = range;
          return command(
            severity,
            {
              file,
              line: start.line,
              col: start.column,
              endLine: end.line,
              endColumn: end.column,
              title: `oatf ${code}`,
            },
            visible(sentenceOf(diagnostic)) + (hint === undefined ? '' : `\nhint: ${visible(hint)}`),
          );
        })
        .join(''),
    end: () => '',
  };
}

function command(
  kind: 'error' | 'warning',
  properties: { readonly [name: string]: string | number },
  message: string,
): string {
  const list = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
  return `::${kind} ${list.join(',')}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
