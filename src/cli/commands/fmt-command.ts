import { dirname } from 'node:path';
import { type FormatResult, formatDocument } from '../../format/document/format.ts';
import { diagnose } from '../../format/load.ts';
import type { LocatedDiagnostic } from '../../format/model/errors.ts';
import { count } from '../../report/count-text.ts';
import { type DocumentSource, findDocuments } from '../../suite/library/find-documents.ts';
import { type ReadDocument, readSourceDocument } from '../../suite/library/read-document.ts';
import { type Exit, findMostSevereExit } from '../command-outcome.ts';
import type { Arguments, Command } from '../commands.ts';
import { complain, createRefusal, defaultToStdin, type Io } from '../io.ts';
import { describeProblems } from '../reports/diagnostics-text.ts';
import { addSchemaComment, resolveSchemaAddress } from '../schema-comment.ts';
import { formatUnifiedDiff } from '../unified-diff.ts';
import { writeWhole } from '../write-whole.ts';

type Values = Arguments<'fmt'>;

export const runFmtCommand: Command<'fmt'> = async (values, io) => {
  const refuse = createRefusal('fmt', io);
  const operands = defaultToStdin(values.documents, io);
  if (operands === undefined) return refuse('no documents are given', 'name files or folders, such as oatf fmt .');
  const exits = new Set<Exit>();
  const tally = { files: 0, changed: 0 };
  const sources = findDocuments(operands, io.cwd, values.stdinName);
  const shipped = sources.find((source) => source.kind === 'file' && source.shipped)?.name;
  if (shipped !== undefined)
    return refuse(
      `${shipped} is a document of the library, which cannot be formatted in place`,
      `oatf explain ${shipped} --source | oatf fmt prints it formatted`,
    );
  for (const source of sources) {
    const read = await readSourceDocument(source, io);
    if (read.kind === 'unreadable') {
      exits.add((await complain(io, 'unreadable', `${source.name}: ${read.reason}`, read.hint)).exit);
      continue;
    }
    const formatted =
      read.kind === 'text' ? formatDocument(addSchemaReference(read.text, values.schema, source, io.cwd)) : undefined;
    if (!formatted?.ok) {
      const diagnostics = findFormatProblems(read, formatted);
      await io.stderr.write(describeProblems({ file: source.name, text: read.text, diagnostics }, io.stderr));
      exits.add('invalid');
      continue;
    }
    tally.files += 1;
    const changed = formatted.text !== read.text;
    if (changed) tally.changed += 1;
    exits.add(await settleFormatted(source, read.text, formatted.text, values, io));
  }
  if (sources.some(({ kind }) => kind === 'file') && !values.diff)
    await io.stderr.write(
      `oatf: ${count(tally.files, 'file', 'files')}, ${tally.changed} ${values.check ? 'would change' : 'changed'}\n`,
    );
  return findMostSevereExit(exits);
};

function addSchemaReference(text: string, location: string | undefined, source: DocumentSource, cwd: string): string {
  if (location === undefined) return text;
  const folder = source.kind === 'file' ? dirname(source.path) : cwd;
  return addSchemaComment(text, resolveSchemaAddress(location, folder, cwd));
}

async function settleFormatted(
  source: DocumentSource,
  before: string,
  after: string,
  { check, diff }: Values,
  io: Io,
): Promise<Exit> {
  const changed = before !== after;
  if (check || diff) {
    if (changed)
      await io.stdout.write(diff ? formatUnifiedDiff(source.name, before, after, io.stdout) : `${source.name}\n`);
    return changed && check ? 'found' : 'ok';
  }
  if (source.kind !== 'file') {
    await io.stdout.write(after, 'exact');
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
function findFormatProblems(read: ReadDocument, formatted: FormatResult | undefined): readonly LocatedDiagnostic[] {
  if (read.kind === 'invalid') return [read.diagnostic];
  if (read.kind !== 'text' || formatted === undefined || formatted.ok) return [];
  const places = new Set(formatted.errors.map(({ line, column }) => `${line}:${column}`));
  return diagnose(read.text).filter(({ range: { start } }) => places.has(`${start.line}:${start.column}`));
}
