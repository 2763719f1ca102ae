import { type ConversionChange, convertDocument } from '../../format/document/convert-document.ts';
import { diagnoseMarked } from '../../format/load-marked.ts';
import type { LocatedDiagnostic } from '../../format/model/errors.ts';
import { escapeInvisible } from '../../format/model/escape-invisible.ts';
import { count } from '../../report/count-text.ts';
import { type DocumentSource, findDocuments } from '../../suite/library/find-documents.ts';
import { readSourceDocument } from '../../suite/library/read-document.ts';
import { type Exit, findMostSevereExit } from '../command-outcome.ts';
import type { Arguments, Command } from '../commands.ts';
import { complain, createRefusal, defaultToStdin, type Io } from '../io.ts';
import { describeProblems } from '../reports/diagnostics-text.ts';
import { writeWhole } from '../write-whole.ts';

interface Converted {
  readonly source: DocumentSource;
  readonly before: string;
  readonly text: string;
  readonly changes: readonly ConversionChange[];
  /** Problems that the converted document still has. */
  readonly errors: readonly LocatedDiagnostic[];
}

export const runConvertCommand: Command<'convert'> = async (values, io) => {
  const refuse = createRefusal('convert', io);
  const operands = defaultToStdin(values.documents, io);
  if (operands === undefined) return refuse('no documents are given', 'name a file, such as oatf convert a.yaml');
  const sources = findDocuments(operands, io.cwd, values.stdinName);
  if (sources.length > 1 && !values.write && !values.json)
    return refuse(
      `${sources.length} documents are given, but only one can be printed`,
      '--write rewrites them in place; --json prints all',
    );
  if (values.write && sources.some((source) => source.kind === 'file' && source.shipped))
    return refuse('documents of the library cannot be rewritten');
  const exits = new Set<Exit>();
  const converted: Converted[] = [];
  for (const source of sources) {
    const read = await readSourceDocument(source, io);
    if (read.kind === 'unreadable') {
      exits.add((await complain(io, 'unreadable', `${source.name}: ${read.reason}`, read.hint)).exit);
      continue;
    }
    const result = read.kind === 'text' ? convertDocument(read.text) : undefined;
    const { text, changes } = result?.ok ? result : { text: read.text, changes: [] };
    const errors =
      read.kind === 'invalid' ? [read.diagnostic] : diagnoseMarked(text).filter(({ severity }) => severity === 'error');
    converted.push({ source, before: read.text, text, changes, errors });
  }
  if (values.json) await io.stdout.write(convertedToJson(converted));
  for (const each of converted) exits.add(await settleConverted(each, values, io));
  return findMostSevereExit(exits);
};

async function settleConverted(converted: Converted, { write, json }: Arguments<'convert'>, io: Io): Promise<Exit> {
  const { source, before, text, changes, errors } = converted;
  if (!json) await io.stderr.write(describeConverted(converted));
  if (errors.length > 0) {
    await io.stderr.write(describeProblems({ file: source.name, text, diagnostics: errors }, io.stderr));
    return (await complain(io, 'invalid', `${source.name}: the document is not valid`, chooseConvertHint(before))).exit;
  }
  if (write && source.kind === 'file') {
    const failure = text === before ? undefined : writeWhole(source.path, text);
    if (failure !== undefined)
      return (await complain(io, 'unavailable', `${source.name}: cannot be written: ${failure}`)).exit;
    if (text !== before && !json) await io.stdout.write(`${source.name}\n`);
  } else if (!json) await io.stdout.write(text, 'exact');
  return changes.some(({ kind }) => kind === 'left') ? 'found' : 'ok';
}

function describeConverted({ source, changes }: Converted): string {
  const lines = changes.map(({ kind, line, path, message }) => {
    const how = kind === 'left' ? 'left as it is' : 'rewritten';
    return `${source.name}:${line}: ${how}: ${escapeInvisible(path)}: ${escapeInvisible(message)}\n`;
  });
  const left = changes.filter(({ kind }) => kind === 'left').length;
  const total =
    changes.length === 0
      ? 'nothing to convert'
      : `${count(changes.length - left, 'place', 'places')} rewritten, ${left} left`;
  return `${lines.join('')}oatf: ${source.name}: ${total}\n`;
}

/** ThoughtJack had another format before it played OATF documents. */
function chooseConvertHint(text: string): string | undefined {
  return /^server:/m.test(text) && /^tools:/m.test(text) && !/^oatf:/m.test(text)
    ? 'this looks like a server of an older ThoughtJack, which is another format than OATF'
    : undefined;
}

function convertedToJson(converted: readonly Converted[]): string {
  const files = converted.map(({ source, before, text, changes, errors }) => ({
    file: source.name,
    changed: text !== before,
    valid: errors.length === 0,
    text,
    changes,
  }));
  return `${JSON.stringify({ version: 1, files }, null, 2)}\n`;
}
