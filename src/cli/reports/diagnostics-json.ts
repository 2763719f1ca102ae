import { version } from '../version.ts';
import { type DiagnosticReport, isErrorDiagnostic } from './diagnostic-report.ts';

/** One object for all documents. Its shape is in the help of `validate`, and later versions only add fields. */
export function createJsonReport(): DiagnosticReport {
  const files: object[] = [];
  return {
    document({ file, diagnostics, unreadable }) {
      const valid = unreadable === undefined && !diagnostics.some(isErrorDiagnostic);
      files.push({ file, valid, ...(unreadable !== undefined && { unreadable }), diagnostics });
      return '';
    },
    end: (summary) => `${JSON.stringify({ version: 1, tool: { name: 'oatf', version }, files, summary }, null, 2)}\n`,
  };
}
