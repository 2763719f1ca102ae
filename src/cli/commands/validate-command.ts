import { diagnoseMarked } from '../../format/load-marked.ts';
import type { LocatedDiagnostic } from '../../format/model/errors.ts';
import { findDocuments } from '../../suite/library/find-documents.ts';
import { readSourceDocument } from '../../suite/library/read-document.ts';
import { type CommandOutcome, type Exit, findMostSevereExit } from '../command-outcome.ts';
import type { Arguments, Command } from '../commands.ts';
import { complain, createRefusal, defaultToStdin, type Io } from '../io.ts';
import {
  type CheckedDocument,
  createTextReport,
  type DiagnosticReport,
  isErrorDiagnostic,
  limitDiagnostics,
  type ReportOptions,
} from '../reports/diagnostics-text.ts';
import { version } from '../version.ts';

type Values = Arguments<'validate'>;

type MakeReport = (options: ReportOptions) => DiagnosticReport;

const reports: { readonly [F in Values['format']]: () => MakeReport | Promise<MakeReport> } = {
  text: () => createTextReport,
  json: () => createJsonReport,
  sarif: async () => (await import('../reports/diagnostics-sarif.ts')).createSarifReport,
  github: async () => (await import('../reports/diagnostics-github.ts')).createGithubReport,
};

export const runValidateCommand: Command<'validate'> = async (values, io) => {
  const refuse = createRefusal('validate', io);
  const operands = defaultToStdin(values.documents, io);
  if (operands === undefined) return refuse('no documents are given', hintForNone);
  if (!values.watch) return checkAll(operands, values, io);
  if (operands.includes('-')) return refuse('standard input cannot be watched', 'name files or folders');
  const { watchDocuments } = await import('../watch.ts');
  return watchDocuments(operands, io, () => checkAll(operands, values, io));
};

const hintForNone = 'name files or folders, such as oatf validate . or - for standard input';

async function checkAll(operands: readonly string[], values: Values, io: Io): Promise<CommandOutcome> {
  const makeReport = await reports[values.format]();
  const report = makeReport({ sink: io.stdout, quiet: values.quiet });
  const how = values.format === 'github' ? 'exact' : undefined;
  const summary = { files: 0, errors: 0, warnings: 0, unreadable: 0 };
  const exits = new Set<Exit>();
  for (const source of findDocuments(operands, io.cwd, values.stdinName)) {
    const read = await readSourceDocument(source, io);
    const text = read.kind === 'unreadable' ? '' : read.text;
    const found = read.kind === 'text' ? diagnoseMarked(read.text) : read.kind === 'invalid' ? [read.diagnostic] : [];
    const checked: CheckedDocument = {
      file: source.name,
      text,
      diagnostics: applySeverityFlags(found, values),
      ...(read.kind === 'unreadable' && { unreadable: read.reason }),
    };
    summary.files += 1;
    const errors = checked.diagnostics.filter(isErrorDiagnostic).length;
    summary.errors += errors;
    summary.warnings += checked.diagnostics.length - errors;
    if (read.kind === 'unreadable') {
      summary.unreadable += 1;
      exits.add((await complain(io, 'unreadable', `${source.name}: ${read.reason}`, read.hint)).exit);
    }
    if (errors > 0) exits.add('invalid');
    await io.stdout.write(report.document(checked), how);
  }
  await io.stdout.write(report.end(summary), how);
  return findMostSevereExit(exits);
}

function applySeverityFlags(
  diagnostics: readonly LocatedDiagnostic[],
  { warningsAsErrors, quiet }: Values,
): readonly LocatedDiagnostic[] {
  const meant = warningsAsErrors
    ? diagnostics.map((diagnostic) => ({ ...diagnostic, severity: 'error' as const }))
    : diagnostics;
  return quiet ? meant.filter(isErrorDiagnostic) : meant;
}

/** One object for all documents. Its shape is in the help of `validate`, and later versions only add fields. */
function createJsonReport(): DiagnosticReport {
  const files: object[] = [];
  return {
    document({ file, diagnostics, unreadable }) {
      const valid = unreadable === undefined && !diagnostics.some(isErrorDiagnostic);
      const { listed, omitted } = limitDiagnostics(diagnostics);
      files.push({
        file,
        valid,
        ...(unreadable !== undefined && { unreadable }),
        diagnostics: listed,
        ...(omitted > 0 && { omitted }),
      });
      return '';
    },
    end: (summary) => `${JSON.stringify({ version: 1, tool: { name: 'oatf', version }, files, summary }, null, 2)}\n`,
  };
}
