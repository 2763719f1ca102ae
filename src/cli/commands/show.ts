import { type DocumentSource, findDocument } from '../../catalogue/find-documents.ts';
import { readDocument } from '../../catalogue/read-document.ts';
import { benignTwin } from '../../marks/benign-twin.ts';
import type { Mark } from '../../model/marks.ts';
import { visible } from '../../report/visible.ts';
import { summarizeDocument } from '../../suite/document-summary.ts';
import type { Command } from '../commands.ts';
import { loadSource } from '../input/load-document.ts';
import { complain, type Io } from '../io.ts';
import { documentToJson } from '../library/json.ts';
import { showDocument } from '../library/show-text.ts';
import { type CommandOutcome, ok } from '../outcome.ts';

export const show: Command<'show'> = async ({ id, source: asSource, twin, json }, io) => {
  const asked = Object.entries({ source: asSource, twin, json }).flatMap(([flag, on]) =>
    on ? [`--${flag}`] : [],
  );
  if (asked.length > 1)
    return complain(io, 'usage', `show: ${asked.join(' and ')} cannot both be printed`, 'give one of them');
  const source = findDocument(id, io.cwd);
  if (asSource) return printSource(source, io);
  const loaded = await loadSource(source, io);
  if (loaded.kind === 'failed') return loaded.outcome;
  const { document, marks, text } = loaded;
  if (twin) return printTwin(source, text, marks, io);
  const file = source.kind === 'file' && source.shipped ? source.path : source.name;
  const summarized = json ? summarizeDocument(text) : undefined;
  await io.stdout.write(
    summarized?.ok
      ? `${JSON.stringify(documentToJson(document, marks, summarized.summary, file), null, 2)}\n`
      : showDocument(document, source, io.stdout),
  );
  return ok;
};

async function printSource(source: DocumentSource, io: Io): Promise<CommandOutcome> {
  const read = await readDocument(source, io);
  if (read.kind === 'unreadable')
    return complain(io, 'unreadable', `${source.name}: ${read.reason}`, read.hint);
  if (read.kind === 'invalid')
    return complain(io, 'invalid', `${source.name}: ${visible(read.diagnostic.message)}`);
  return print(read.text, io);
}

async function printTwin(
  source: DocumentSource,
  text: string,
  marks: readonly Mark[] | undefined,
  io: Io,
): Promise<CommandOutcome> {
  const twin = marks === undefined ? undefined : benignTwin(text, marks);
  if (!twin?.ok)
    return complain(
      io,
      'invalid',
      `${source.name}: the document has no marks, so there is no twin`,
      'attack.x-payload says which places of a document are the attack',
    );
  return print(twin.write(), io);
}

/**
 * Prints a document. On a terminal, control characters are made visible, because the terminal would obey them; a file
 * gets every byte.
 */
async function print(text: string, { stdout }: Io): Promise<CommandOutcome> {
  await stdout.write(stdout.isTTY ? visible(text, '\n\t') : text);
  return ok;
}
