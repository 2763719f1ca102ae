import type { LocatedDiagnostic } from '../../format/model/errors.ts';
import type { Sink } from '../io.ts';

export { count } from '../../report/count-text.ts';

/** The result of checking one document. */
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

/** The place in the document and the problem. */
export function formatDiagnosticSentence({ path, message }: LocatedDiagnostic): string {
  return path === '' ? message : `${path}: ${message}`;
}
