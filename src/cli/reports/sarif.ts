import type { LocatedDiagnostic } from '../../model/errors.ts';
import { artifactUri } from '../../report/artifact-uri.ts';
import { clauseOf } from '../clause.ts';
import { type ExplainedCode, explanations } from '../explanations.ts';
import { version } from '../version.ts';
import { type CheckedDocument, type Report, sentenceOf } from './report.ts';

/** SARIF 2.1.0, one run for all documents. Only rules that have results are described. */
export function sarifReport(): Report {
  const codes: string[] = [];
  const results: object[] = [];
  const notifications: object[] = [];
  const indexOf = (code: string): number => {
    const index = codes.indexOf(code);
    return index >= 0 ? index : codes.push(code) - 1;
  };
  return {
    document(checked) {
      if (checked.unreadable !== undefined) notifications.push(toNotification(checked));
      for (const diagnostic of checked.diagnostics)
        results.push(toResult(checked.file, diagnostic, indexOf(diagnostic.code)));
      return '';
    },
    end: ({ unreadable }) =>
      `${JSON.stringify(
        {
          $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
          version: '2.1.0',
          runs: [
            {
              tool: { driver: { name: 'oatf', version, semanticVersion: version, rules: codes.map(toRule) } },
              columnKind: 'utf16CodeUnits',
              invocations: [
                { executionSuccessful: unreadable === 0, toolExecutionNotifications: notifications },
              ],
              results,
            },
          ],
        },
        null,
        2,
      )}\n`,
  };
}

function toRule(code: string): object {
  const explanation = explanations[code as ExplainedCode] as (typeof explanations)[ExplainedCode] | undefined;
  if (explanation === undefined) return { id: code };
  const { title, why, wrong, right } = explanation;
  const clause = clauseOf(code as ExplainedCode);
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

function toResult(file: string, diagnostic: LocatedDiagnostic, ruleIndex: number): object {
  const { code, severity, hint, path, range } = diagnostic;
  const { start, end } = range;
  return {
    ruleId: code,
    ruleIndex,
    level: severity,
    message: { text: sentenceOf(diagnostic) + (hint === undefined ? '' : `\nhint: ${hint}`) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: artifactUri(file) },
          region: {
            startLine: start.line,
            startColumn: start.column,
            endLine: end.line,
            endColumn: end.column,
            charOffset: start.offset,
            charLength: end.offset - start.offset,
          },
        },
        ...(path !== '' && { logicalLocations: [{ fullyQualifiedName: path }] }),
      },
    ],
  };
}

function toNotification({ file, unreadable = '' }: CheckedDocument): object {
  return {
    level: 'error',
    message: { text: `${file}: ${unreadable}` },
    locations: [{ physicalLocation: { artifactLocation: { uri: artifactUri(file) } } }],
  };
}
