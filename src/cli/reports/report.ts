import type { LocatedDiagnostic } from '../../model/errors.ts';
import type { Sink } from '../io.ts';

export { count } from '../../report/words.ts';

/** The result of checking one document. */
export interface CheckedDocument {
  readonly file: string;
  readonly text: string;
  readonly diagnostics: readonly LocatedDiagnostic[];
  /** The reason why it could not be read. */
  readonly unreadable?: string;
}

export interface Summary {
  readonly files: number;
  readonly errors: number;
  readonly warnings: number;
  readonly unreadable: number;
}

/** A report writes as each document is checked, and once more at the end. */
export interface Report {
  document(checked: CheckedDocument): string;
  end(summary: Summary): string;
}

export interface ReportOptions {
  readonly sink: Sink;
  readonly quiet: boolean;
}

export function isError({ severity }: LocatedDiagnostic): boolean {
  return severity === 'error';
}

/** The place in the document and the problem. */
export function sentenceOf({ path, message }: LocatedDiagnostic): string {
  return path === '' ? message : `${path}: ${message}`;
}
