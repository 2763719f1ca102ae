import { version } from '../version.ts';
import { isError, type Report } from './report.ts';

/** One object for all documents. Its shape is in the help of `validate`, and later versions only add fields. */
export function jsonReport(): Report {
  const files: object[] = [];
  return {
    document({ file, diagnostics, unreadable }) {
      const valid = unreadable === undefined && !diagnostics.some(isError);
      files.push({ file, valid, ...(unreadable !== undefined && { unreadable }), diagnostics });
      return '';
    },
    end: (summary) =>
      `${JSON.stringify({ version: 1, tool: { name: 'oatf', version }, files, summary }, null, 2)}\n`,
  };
}
