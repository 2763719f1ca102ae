import { findDocuments } from '../../catalogue/find-documents.ts';
import { readDocument } from '../../catalogue/read-document.ts';
import { diagnoseMarked } from '../../load-marked.ts';
import type { LocatedDiagnostic } from '../../model/errors.ts';
import type { Arguments, Command } from '../commands.ts';
import { operandsOrStdin } from '../input/operands.ts';
import { complain, type Io } from '../io.ts';
import { type CommandOutcome, type Exit, gravestOf } from '../outcome.ts';
import { type CheckedDocument, isError, type Report, type ReportOptions } from '../reports/report.ts';
import { textReport } from '../reports/text.ts';

type Values = Arguments<'validate'>;

type MakeReport = (options: ReportOptions) => Report;

const reports: { readonly [F in Values['format']]: () => MakeReport | Promise<MakeReport> } = {
  text: () => textReport,
  json: async () => (await import('../reports/json.ts')).jsonReport,
  sarif: async () => (await import('../reports/sarif.ts')).sarifReport,
  github: async () => (await import('../reports/github.ts')).githubReport,
};

export const validate: Command<'validate'> = async (values, io) => {
  const operands = operandsOrStdin(values.documents, io);
  if (operands === undefined) return complain(io, 'usage', 'validate: no documents are given', hintForNone);
  if (!values.watch) return checkAll(operands, values, io);
  if (operands.includes('-'))
    return complain(io, 'usage', 'validate: standard input cannot be watched', 'name files or folders');
  const { watchDocuments } = await import('../watch.ts');
  return watchDocuments(operands, io, () => checkAll(operands, values, io));
};

const hintForNone = 'name files or folders, such as oatf validate . or - for standard input';

async function checkAll(operands: readonly string[], values: Values, io: Io): Promise<CommandOutcome> {
  const makeReport = await reports[values.format]();
  const report = makeReport({ sink: io.stdout, quiet: values.quiet });
  const summary = { files: 0, errors: 0, warnings: 0, unreadable: 0 };
  const exits = new Set<Exit>();
  for (const source of findDocuments(operands, io.cwd, values.stdinName)) {
    const read = await readDocument(source, io);
    const text = read.kind === 'unreadable' ? '' : read.text;
    const found =
      read.kind === 'text' ? diagnoseMarked(read.text) : read.kind === 'invalid' ? [read.diagnostic] : [];
    const checked: CheckedDocument = {
      file: source.name,
      text,
      diagnostics: atSeverity(found, values),
      ...(read.kind === 'unreadable' && { unreadable: read.reason }),
    };
    summary.files += 1;
    const errors = checked.diagnostics.filter(isError).length;
    summary.errors += errors;
    summary.warnings += checked.diagnostics.length - errors;
    if (read.kind === 'unreadable') {
      summary.unreadable += 1;
      exits.add((await complain(io, 'unreadable', `${source.name}: ${read.reason}`, read.hint)).exit);
    }
    if (errors > 0) exits.add('invalid');
    await io.stdout.write(report.document(checked));
  }
  await io.stdout.write(report.end(summary));
  return gravestOf(exits);
}

function atSeverity(
  diagnostics: readonly LocatedDiagnostic[],
  { warningsAsErrors, quiet }: Values,
): readonly LocatedDiagnostic[] {
  const meant = warningsAsErrors
    ? diagnostics.map((diagnostic) => ({ ...diagnostic, severity: 'error' as const }))
    : diagnostics;
  return quiet ? meant.filter(isError) : meant;
}
