import type { Notification, ReportingDescriptor, Result } from 'sarif';
import type { LocatedDiagnostic } from '../../format/model/errors.ts';
import { formatSarifLog, toSarifLocation, toSarifRegion } from '../../report/sarif-log.ts';
import { findSpecClause, isExplained, readExplanation } from '../explanations.ts';
import { version } from '../version.ts';
import { type DiagnosticReport, formatDiagnosticSentence, limitDiagnostics } from './diagnostics-text.ts';

/** SARIF 2.1.0, one run for all documents. Only rules that have results are described. */
export function createSarifReport(): DiagnosticReport {
  const codes: string[] = [];
  const results: Result[] = [];
  const notifications: Notification[] = [];
  const findIndex = (code: string): number => {
    const index = codes.indexOf(code);
    return index >= 0 ? index : codes.push(code) - 1;
  };
  return {
    document(checked) {
      const { file, unreadable } = checked;
      const { listed, notice } = limitDiagnostics(checked.diagnostics);
      if (unreadable !== undefined) notifications.push(toNotification(file, 'error', unreadable));
      if (notice !== undefined) notifications.push(toNotification(file, 'warning', notice));
      for (const diagnostic of listed) results.push(toResult(file, diagnostic, findIndex(diagnostic.code)));
      return '';
    },
    end: ({ unreadable }) =>
      formatSarifLog({
        tool: { name: 'oatf', version },
        rules: codes.map(toRule),
        results,
        notifications,
        isSuccessful: unreadable === 0,
      }),
  };
}

function toRule(code: string): ReportingDescriptor {
  if (!isExplained(code)) return { id: code };
  const { title, why, wrong, right } = readExplanation(code);
  const clause = findSpecClause(code);
  return {
    id: code,
    shortDescription: { text: title },
    fullDescription: { text: why },
    help: {
      text: `${why} (${clause})\n\nwrong:\n${wrong}\nright:\n${right}`,
      markdown: `${why} (${clause})\n\nwrong:\n\`\`\`yaml\n${wrong}\`\`\`\n\nright:\n\`\`\`yaml\n${right}\`\`\`\n`,
    },
    properties: { clause },
  };
}

function toResult(file: string, diagnostic: LocatedDiagnostic, ruleIndex: number): Result {
  const { code, severity, hint, path, range } = diagnostic;
  const charOffset = range.start.offset;
  const region = { ...toSarifRegion(range), charOffset, charLength: range.end.offset - charOffset };
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: formatDiagnosticSentence(diagnostic) + (hint === undefined ? '' : `\nhint: ${hint}`) },
    locations: [
      { ...toSarifLocation(file, region), ...(path !== '' && { logicalLocations: [{ fullyQualifiedName: path }] }) },
    ],
  };
}

function toNotification(file: string, level: 'error' | 'warning', problem: string): Notification {
  return { level, message: { text: `${file}: ${problem}` }, locations: [toSarifLocation(file)] };
}
