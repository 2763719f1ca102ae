import { disarmCommands } from '../format/model/disarm-commands.ts';
import { escapeInvisible } from '../format/model/escape-invisible.ts';

/** A note that GitHub shows on a line of a file, or beside the log. Runs, checked documents and tests are reported by these. */
export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly message: string;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly endLine?: number | undefined;
  readonly endColumn?: number | undefined;
}

/** Workflow commands, one for each annotation. */
export function formatAnnotations(annotations: readonly Annotation[]): string {
  return annotations.map(formatAnnotation).join('');
}

function formatAnnotation(annotation: Annotation): string {
  const { level, title, message, file, line, column, endLine, endColumn } = annotation;
  const properties = { file, line, col: column, endLine, endColumn, title };
  const list = Object.entries(properties).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${escapeProperty(String(value))}`,
  );
  return `::${level} ${list.join(',')}::${escapeData(message)}\n`;
}

function escapeData(text: string): string {
  return disarmCommands(escapeInvisible(text, '\r\n'))
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
