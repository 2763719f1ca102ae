import { type DocumentSource, findDocument } from '../../catalogue/find-documents.ts';
import { readDocument } from '../../catalogue/read-document.ts';
import { visible } from '../../report/visible.ts';
import { summarizeDocument } from '../../suite/document-summary.ts';
import type { Command } from '../commands.ts';
import { loadSource } from '../input/load-document.ts';
import { complain, type Io } from '../io.ts';
import { documentToJson } from '../library/json.ts';
import { showDocument } from '../library/show-text.ts';
import { type Outcome, ok } from '../outcome.ts';

export const show: Command<'show'> = async ({ id, source: asSource, json }, io) => {
  if (asSource && json)
    return complain(io, 'usage', 'show: --source and --json cannot both be printed', 'give one of them');
  const source = findDocument(id, io.cwd);
  if (asSource) return printSource(source, io);
  const loaded = await loadSource(source, io);
  if (loaded.kind === 'failed') return loaded.outcome;
  const { document, text } = loaded;
  const file = source.kind === 'file' && source.shipped ? source.path : source.name;
  const summarized = json ? summarizeDocument(text) : undefined;
  await io.stdout.write(
    summarized?.ok
      ? `${JSON.stringify(documentToJson(document, summarized.summary, file), null, 2)}\n`
      : showDocument(document, source, io.stdout),
  );
  return ok;
};

async function printSource(source: DocumentSource, io: Io): Promise<Outcome> {
  const read = await readDocument(source, io);
  if (read.kind === 'unreadable')
    return complain(io, 'unreadable', `${source.name}: ${read.reason}`, read.hint);
  if (read.kind === 'invalid')
    return complain(io, 'invalid', `${source.name}: ${visible(read.diagnostic.message)}`);
  // A terminal would obey what hides in the text; a file gets every byte.
  await io.stdout.write(io.stdout.isTTY ? visible(read.text, '\n\t') : read.text);
  return ok;
}
