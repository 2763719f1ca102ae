import { type DocumentSource, findDocuments } from '../../catalogue/find-documents.ts';
import { readDocument } from '../../catalogue/read-document.ts';
import { type Change, convert } from '../../document/convert.ts';
import { diagnoseMarked } from '../../load-marked.ts';
import type { LocatedDiagnostic } from '../../model/errors.ts';
import { visible } from '../../report/visible.ts';
import type { Arguments, Command } from '../commands.ts';
import { operandsOrStdin } from '../input/operands.ts';
import { complain, type Io } from '../io.ts';
import { type Exit, gravestOf } from '../outcome.ts';
import { count } from '../reports/report.ts';
import { describeProblems } from '../reports/text.ts';
import { writeWhole } from '../write-whole.ts';

interface Converted {
  readonly source: DocumentSource;
  readonly before: string;
  readonly text: string;
  readonly changes: readonly Change[];
  /** Problems that the converted document still has. */
  readonly errors: readonly LocatedDiagnostic[];
}

export const convertDocuments: Command<'convert'> = async (values, io) => {
  const operands = operandsOrStdin(values.documents, io);
  if (operands === undefined)
    return complain(
      io,
      'usage',
      'convert: no documents are given',
      'name a file, such as oatf convert a.yaml',
    );
  const sources = findDocuments(operands, io.cwd, values.stdinName);
  if (sources.length > 1 && !values.write && !values.json)
    return complain(
      io,
      'usage',
      `convert: ${sources.length} documents are given, but only one can be printed`,
      '--write rewrites them in place; --json prints all',
    );
  if (values.write && sources.some((source) => source.kind === 'file' && source.shipped))
    return complain(io, 'usage', 'convert: documents of the library cannot be rewritten');
  const exits = new Set<Exit>();
  const converted: Converted[] = [];
  for (const source of sources) {
    const read = await readDocument(source, io);
    if (read.kind === 'unreadable') {
      exits.add((await complain(io, 'unreadable', `${source.name}: ${read.reason}`, read.hint)).exit);
      continue;
    }
    const result = read.kind === 'text' ? convert(read.text) : undefined;
    const { text, changes } = result?.ok ? result : { text: read.text, changes: [] };
    const errors =
      read.kind === 'invalid'
        ? [read.diagnostic]
        : diagnoseMarked(text).filter(({ severity }) => severity === 'error');
    converted.push({ source, before: read.text, text, changes, errors });
  }
  if (values.json) await io.stdout.write(toJson(converted));
  for (const each of converted) exits.add(await settle(each, values, io));
  return gravestOf(exits);
};

async function settle(converted: Converted, { write, json }: Arguments<'convert'>, io: Io): Promise<Exit> {
  const { source, before, text, changes, errors } = converted;
  if (!json) await io.stderr.write(describe(converted));
  if (errors.length > 0) {
    await io.stderr.write(describeProblems({ file: source.name, text, diagnostics: errors }, io.stderr));
    return (await complain(io, 'invalid', `${source.name}: the document is not valid`, hintFor(before))).exit;
  }
  if (write && source.kind === 'file') {
    const failure = text === before ? undefined : writeWhole(source.path, text);
    if (failure !== undefined)
      return (await complain(io, 'unavailable', `${source.name}: cannot be written: ${failure}`)).exit;
    if (text !== before && !json) await io.stdout.write(`${source.name}\n`);
  } else if (!json) await io.stdout.write(text);
  return changes.some(({ kind }) => kind === 'left') ? 'found' : 'ok';
}

function describe({ source, changes }: Converted): string {
  const lines = changes.map(({ kind, line, path, message }) => {
    const how = kind === 'left' ? 'left as it is' : 'rewritten';
    return `${source.name}:${line}: ${how}: ${visible(path)}: ${visible(message)}\n`;
  });
  const left = changes.filter(({ kind }) => kind === 'left').length;
  const total =
    changes.length === 0
      ? 'nothing to convert'
      : `${count(changes.length - left, 'place', 'places')} rewritten, ${left} left`;
  return `${lines.join('')}oatf: ${source.name}: ${total}\n`;
}

/** ThoughtJack had another format before it played OATF documents. */
function hintFor(text: string): string | undefined {
  return /^server:/m.test(text) && /^tools:/m.test(text) && !/^oatf:/m.test(text)
    ? 'this looks like a server of an older ThoughtJack, which is another format than OATF'
    : undefined;
}

function toJson(converted: readonly Converted[]): string {
  const files = converted.map(({ source, before, text, changes, errors }) => ({
    file: source.name,
    changed: text !== before,
    valid: errors.length === 0,
    text,
    changes,
  }));
  return `${JSON.stringify({ version: 1, files }, null, 2)}\n`;
}
