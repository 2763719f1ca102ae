import { visible } from '../../report/visible.ts';
import { workflowCommand } from '../../report/workflow-command.ts';
import { type Report, sentenceOf } from './report.ts';

/** Workflow commands. GitHub shows them as annotations on the lines that they name. */
export function githubReport(): Report {
  return {
    document: ({ file, diagnostics, unreadable }) =>
      (unreadable === undefined ? '' : workflowCommand('error', { file, title: 'oatf' }, unreadable)) +
      diagnostics
        .map((diagnostic) => {
          const { severity, code, hint, range } = diagnostic;
          const { start, end } = range;
          return workflowCommand(
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
