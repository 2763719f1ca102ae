import { dirname } from 'node:path';
import { type DocumentSource, findDocuments } from '../../catalogue/find-documents.ts';
import { type ReadDocument, readDocument } from '../../catalogue/read-document.ts';
import { type FormatResult, format } from '../../document/format.ts';
import { diagnose } from '../../load.ts';
import type { LocatedDiagnostic } from '../../model/errors.ts';
import type { Arguments, Command } from '../commands.ts';
import { operandsOrStdin } from '../input/operands.ts';
import { complain, type Io } from '../io.ts';
import { type Exit, gravestOf } from '../outcome.ts';
import { count } from '../reports/report.ts';
import { describeProblems } from '../reports/text.ts';
import { schemaAddress, withSchemaComment } from '../schema-comment.ts';
import { unifiedDiff } from '../unified-diff.ts';
import { writeWhole } from '../write-whole.ts';

type Values = Arguments<'fmt'>;

export const fmt: Command<'fmt'> = async (values, io) => {
  const operands = operandsOrStdin(values.documents, io);
  if (operands === undefined)
    return complain(io, 'usage', 'fmt: no documents are given', 'name files or folders, such as oatf fmt .');
  const exits = new Set<Exit>();
  const tally = { files: 0, changed: 0 };
  const sources = findDocuments(operands, io.cwd, values.stdinName);
  const shipped = sources.find((source) => source.kind === 'file' && source.shipped)?.name;
  if (shipped !== undefined)
    return complain(
      io,
      'usage',
      `fmt: ${shipped} is a document of the library, which cannot be formatted in place`,
      `oatf show ${shipped} --source | oatf fmt prints it formatted`,
    );
  for (const source of sources) {
    const read = await readDocument(source, io);
    if (read.kind === 'unreadable') {
      exits.add((await complain(io, 'unreadable', `${source.name}: ${read.reason}`, read.hint)).exit);
      continue;
    }
    const formatted =
      read.kind === 'text' ? format(withSchema(read.text, values.schema, source, io.cwd)) : undefined;
    if (!formatted?.ok) {
      const diagnostics = problemsOf(read, formatted);
      await io.stderr.write(describeProblems({ file: source.name, text: read.text, diagnostics }, io.stderr));
      exits.add('invalid');
      continue;
    }
    tally.files += 1;
    const changed = formatted.text !== read.text;
    if (changed) tally.changed += 1;
    exits.add(await settle(source, read.text, formatted.text, values, io));
  }
  if (sources.some(({ kind }) => kind === 'file') && !values.diff)
    await io.stderr.write(
      `oatf: ${count(tally.files, 'file', 'files')}, ${tally.changed} ${values.check ? 'would change' : 'changed'}\n`,
    );
  return gravestOf(exits);
};

function withSchema(text: string, location: string | undefined, source: DocumentSource, cwd: string): string {
  if (location === undefined) return text;
  const folder = source.kind === 'file' ? dirname(source.path) : cwd;
  return withSchemaComment(text, schemaAddress(location, folder, cwd));
}

async function settle(
  source: DocumentSource,
  before: string,
  after: string,
  { check, diff }: Values,
  io: Io,
): Promise<Exit> {
  const changed = before !== after;
  if (check || diff) {
    if (changed)
      await io.stdout.write(diff ? unifiedDiff(source.name, before, after, io.stdout) : `${source.name}\n`);
    return changed && check ? 'found' : 'ok';
  }
  if (source.kind !== 'file') {
    await io.stdout.write(after);
    return 'ok';
  }
  if (!changed) return 'ok';
  const failure = writeWhole(source.path, after);
  if (failure !== undefined)
    return (await complain(io, 'unavailable', `${source.name}: cannot be written: ${failure}`)).exit;
  await io.stdout.write(`${source.name}\n`);
  return 'ok';
}

/** The problems that kept the document from being formatted, with their whole range and not only the start. */
function problemsOf(read: ReadDocument, formatted: FormatResult | undefined): readonly LocatedDiagnostic[] {
  if (read.kind === 'invalid') return [read.diagnostic];
  if (read.kind !== 'text' || formatted === undefined || formatted.ok) return [];
  const places = new Set(formatted.errors.map(({ line, column }) => `${line}:${column}`));
  return diagnose(read.text).filter(({ range: { start } }) => places.has(`${start.line}:${start.column}`));
}
